import { nearestName } from '../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { namedFormats } from './catalogue.ts';
import type { ConversationWriter } from './conversation.ts';
import {
  chatFormat,
  type MetaTemplate,
  parseMetaTemplate,
  withoutSystemRole,
} from './meta-template.ts';

/** The model side of a prompt: how a dialogue becomes what is sent. */
export type ModelFormat =
  /** no format: what the roles say, one line each */
  | { readonly type: 'plain' }
  /** one text, by a meta template */
  | { readonly type: 'text'; readonly meta: MetaTemplate }
  /** messages for a chat API */
  | {
      readonly type: 'chat';
      readonly meta: MetaTemplate;
      /** Whether the server goes on with a last message of the assistant. */
      readonly prefill?: boolean | undefined;
    }
  /** one text, by the chat template that a model's tokenizer brings */
  | ({ readonly type: 'chat-template'; readonly meta: MetaTemplate } & ChatTemplateFormat);

export interface ChatTemplateFormat {
  readonly template: ConversationWriter;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly unknown[];
  /** The date that `strftime_now` sees; fixed per run so that prompts can be made again. */
  readonly now?: Date;
}

/** Whether dialogues stand in the prompt as they are written, a line for each turn. */
export function isLinewise(
  format: ModelFormat,
): format is Extract<ModelFormat, { type: 'plain' | 'text' }> {
  return format.type === 'plain' || (format.type === 'text' && !format.meta.round);
}

export const plainFormat: ModelFormat = { type: 'plain' };
export const chatApiFormat: ModelFormat = { type: 'chat', meta: chatFormat };

export interface FormatSettings {
  /** Whether the model takes one text or chat messages. */
  readonly takes: 'text' | 'messages';
  /** A name from the catalogue or a meta template. */
  readonly metaTemplate?: unknown;
  readonly chatTemplate?: ChatTemplateFormat | undefined;
  /** Whether a chat model goes on with the beginning of an answer. */
  readonly prefill?: boolean | undefined;
  /** Config path of `meta_template`. */
  readonly path: ConfigPath;
}

/**
 * The format that a model's config asks for.
 *
 * @example
 * const format = formatOf({ takes: 'text', metaTemplate: 'chatml', path: ['meta_template'] });
 * const round = [{ role: 'HUMAN', prompt: '{q}' }, { role: 'BOT' }];
 * fillPrompt(compilePrompt({ promptTemplate: { template: { round } }, format }), { q: '1+1?' });
 * // { type: 'text', text: '<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n' }
 */
export function formatOf(settings: FormatSettings): ModelFormat {
  const { takes, metaTemplate, chatTemplate, path } = settings;
  const given = metaTemplate !== undefined && metaTemplate !== null;
  if (chatTemplate) {
    const meta = given ? parseMetaTemplate(metaTemplate, 'chat', path) : chatFormat;
    const known = chatTemplate.template.takesSystem(chatTemplate) ? meta : withoutSystemRole(meta);
    return { type: 'chat-template', meta: known, ...chatTemplate };
  }
  if (takes === 'messages') {
    const prefill = settings.prefill && { prefill: true };
    if (!given) return { ...chatApiFormat, ...prefill };
    if (typeof metaTemplate === 'string') throw textFormatForChat(metaTemplate, path);
    return { type: 'chat', meta: parseMetaTemplate(metaTemplate, 'chat', path), ...prefill };
  }
  if (!given) return plainFormat;
  const meta = typeof metaTemplate === 'string' ? formatNamed(metaTemplate, path) : metaTemplate;
  return { type: 'text', meta: parseMetaTemplate(meta, 'text', path) };
}

function formatNamed(name: string, path: ConfigPath): unknown {
  const found = namedFormats.find((format) => format.name === name);
  if (found) return found.meta;
  const names = namedFormats.map((format) => format.name);
  const near = nearestName(name, names);
  throw new TemplateError(
    'meta_template.unknown_name',
    `${formatPath(path)}: unknown meta template \`${name}\``,
    { path, hint: `${near ? `Did you mean \`${near}\`? ` : ''}Names: ${names.join(', ')}.` },
  );
}

function textFormatForChat(name: string, path: ConfigPath): TemplateError {
  return new TemplateError(
    'meta_template.text_format_for_chat',
    `${formatPath(path)}: \`${name}\` makes a single text, but this model takes chat messages`,
    { path, hint: 'Leave it out: the server applies its own format. Or use a completions model.' },
  );
}

/** What stands between two lines, and between two paragraphs. */
export interface LineEnds {
  readonly line: string;
  readonly paragraph: string;
}

const usual: LineEnds = { line: '\n', paragraph: '\n\n' };

/**
 * How a format ends the lines of what the system says. One that ends a system text inside the user's
 * turn with a mark, such as `<NL>`, knows no other line ends.
 */
export function lineEndsOf(format: ModelFormat): LineEnds {
  const system = format.type === 'text' ? format.meta.roles.get('SYSTEM') : undefined;
  if (system?.into === undefined) return usual;
  const [end, ...others] = system.end;
  if (end?.type !== 'text' || end.span.tokenIds || others.length > 0) return usual;
  const mark = end.span.text;
  return /\s/.test(mark) || mark === '' ? usual : { line: mark, paragraph: mark };
}
