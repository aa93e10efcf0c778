import { dialogueForm } from '../../data/dialogue/dialogue-rows.ts';
import { rowMedium } from '../../data/dialogue/row-media.ts';
import { DataError } from '../../errors.ts';
import { fieldNames } from '../../prompt/diagnostics.ts';
import { entriesOf, getKey, isMapping, type Mapping } from '../../prompt/mapping.ts';
import type { Modality } from '../../prompt/parts/content.ts';
import { countTags } from '../../prompt/parts/media-tags.ts';
import type { TurnsProgram } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';

/** What messages of chat APIs may say beside their content. */
const unsentKeys = ['tool_calls', 'tool_call_id', 'function_call', 'name'];

interface Sent {
  readonly shows: ReadonlySet<Modality>;
  readonly saysSystem: boolean;
}

/** Refuses a row of messages that says what the template would not send. */
export function unsentMessages(
  type: string | undefined,
  { template, media }: Pick<TurnsProgram, 'template' | 'media'>,
): (row: Row) => void {
  const form = dialogueForm(type);
  if (!form) return () => undefined;
  const { column, roleKey, textKey } = form;
  const sent: Sent = {
    shows: new Set(media.parts.map((part) => part.type)),
    saysSystem: fieldNames(template.body).includes('system'),
  };
  return (row) => {
    const messages = Array.isArray(row[column]) ? row[column] : [];
    for (const [index, message] of messages.entries()) {
      if (!isMapping(message)) continue;
      const found = unsentIn(message, { ...sent, roleKey, textKey });
      if (found !== undefined) throw notSent(`message ${index + 1} of \`${column}\` ${found}`);
    }
    const unseen = modalities.find((one) => !sent.shows.has(one) && marksMedia(row, one));
    if (unseen !== undefined)
      throw notSent(`\`<${unseen}>\` stands for a media file, but ${lacks(unseen)}`);
    const parts = messages.flatMap((one) => (isMapping(one) ? getKey(one, textKey) : []));
    const types = new Set(parts.flatMap((part) => rowMedium(part)?.type ?? []));
    const beside = [...types].map((one) => `${one}s`).find((name) => isSaid(row[name]));
    if (beside !== undefined)
      throw notSent(`\`${beside}\` names media in addition to those in \`${column}\``);
  };
}

interface MessageForm extends Sent {
  readonly roleKey: string;
  readonly textKey: string;
}

/** What of a message would not be sent. */
function unsentIn(message: Mapping, form: MessageForm): string | undefined {
  const { roleKey, textKey, shows, saysSystem } = form;
  const key = unsentKeyOf(message);
  if (key !== undefined) return `has \`${key}\``;
  const role = String(getKey(message, roleKey)).toLowerCase();
  const isSystem = role === 'system' || role === 'developer';
  const isUser = role === 'user' || role === 'human';
  const content = getKey(message, textKey);
  if (isSystem && isSaid(content) && content !== '' && !saysSystem)
    return 'is a system message, but the template has no `{system}`';
  if (!Array.isArray(content)) return unreadable(content);
  for (const part of content) {
    const medium = rowMedium(part);
    if (medium && !isUser)
      return `shows ${withArticle(medium.type)}, which only user messages may do`;
    if (medium && !shows.has(medium.type))
      return `shows ${withArticle(medium.type)}, and ${lacks(medium.type)}`;
    if (medium) continue;
    const text = isMapping(part) ? getKey(part, 'text') : undefined;
    if (typeof text !== 'string')
      return `has a part ${isMapping(part) ? `of type \`${getKey(part, 'type')}\`` : 'that is not a mapping'}`;
    const further = furtherKey(part);
    if (further !== undefined) return `has a text with \`${further}\` beside it`;
  }
  return undefined;
}

/** A key of a text part, such as `cache_control`, that is neither its type nor its text. */
function furtherKey(part: unknown): string | undefined {
  const found = isMapping(part)
    ? entriesOf(part).find(([key, value]) => key !== 'type' && key !== 'text' && isSaid(value))
    : undefined;
  return found && String(found[0]);
}

const modalities = ['image', 'audio', 'video'] as const;

/** Whether a row names media in columns, and its texts say where they belong. */
function marksMedia(row: Row, type: Modality): boolean {
  const isNamed = isSaid(row[type]) || isSaid(row[`${type}s`]);
  return isNamed && [row.question].flat().some((text) => countTags(text, type) > 0);
}

function lacks(type: Modality): string {
  return `the template has no \`prompt_mm\` with \`${type}\``;
}

function unreadable(content: unknown): string | undefined {
  const isText = typeof content === 'string' || content === undefined || content === null;
  return isText ? undefined : 'is neither a text nor a list of parts';
}

/** What a message says beside its content, which is not sent. */
export function unsentKeyOf(message: Mapping): string | undefined {
  return unsentKeys.find((name) => isSaid(getKey(message, name)));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function withArticle(type: Modality): string {
  return type === 'video' ? 'a video' : type === 'image' ? 'an image' : 'audio';
}

function notSent(found: string): DataError {
  return new DataError('data.not_messages', `${found}: it would not be sent`, {
    hint: 'Add it to the template, remove it from the data, or exclude the row with `--where`.',
  });
}
