import { nearestName } from '../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { namedFormats } from './catalogue.ts';
import type { ConversationWriter } from './conversation.ts';
import { chatFormat, type MetaTemplate, parseMetaTemplate } from './meta-template.ts';

/** The model side of a prompt: how a dialogue becomes what is sent. */
export type ModelFormat =
  /** no format: what the roles say, one line each */
  | { readonly type: 'plain' }
  /** one text, by a meta template */
  | { readonly type: 'text'; readonly meta: MetaTemplate }
  /** messages for a chat API */
  | { readonly type: 'chat'; readonly meta: MetaTemplate }
  /** one text, by the chat template that a model's tokenizer brings */
  | ({ readonly type: 'chat-template'; readonly meta: MetaTemplate } & ChatTemplateFormat);

export interface ChatTemplateFormat {
  readonly template: ConversationWriter;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly unknown[];
  /** The date that `strftime_now` sees; fixed per run so that prompts can be made again. */
  readonly now?: Date;
}

export const plainFormat: ModelFormat = { type: 'plain' };
export const chatApiFormat: ModelFormat = { type: 'chat', meta: chatFormat };

export interface FormatSettings {
  /** Whether the model takes one text or chat messages. */
  readonly takes: 'text' | 'messages';
  /** A name from the catalogue or a meta template. */
  readonly metaTemplate?: unknown;
  readonly chatTemplate?: ChatTemplateFormat | undefined;
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
export function formatOf({ takes, metaTemplate, chatTemplate, path }: FormatSettings): ModelFormat {
  const given = metaTemplate !== undefined && metaTemplate !== null;
  if (chatTemplate) {
    const meta = given ? parseMetaTemplate(metaTemplate, 'chat', path) : chatFormat;
    return { type: 'chat-template', meta, ...chatTemplate };
  }
  if (takes === 'messages') {
    if (!given) return chatApiFormat;
    if (typeof metaTemplate === 'string') throw textFormatForChat(metaTemplate, path);
    return { type: 'chat', meta: parseMetaTemplate(metaTemplate, 'chat', path) };
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
    `${formatPath(path)}: there is no meta template named \`${name}\``,
    { path, hint: `${near ? `Did you mean \`${near}\`? ` : ''}Names: ${names.join(', ')}.` },
  );
}

function textFormatForChat(name: string, path: ConfigPath): TemplateError {
  return new TemplateError(
    'meta_template.text_format_for_chat',
    `${formatPath(path)}: \`${name}\` writes one text, but this model takes chat messages`,
    { path, hint: 'Leave it out: the server applies its own format. Or use a completions model.' },
  );
}
