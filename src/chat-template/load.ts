import { TemplateError } from '../errors.ts';
import { throwLoadError } from './errors.ts';
import { normalizeSource } from './jinja/lexer.ts';
import { parseTemplate } from './jinja/program.ts';
import { renderChatTemplate } from './render.ts';
import { traceChatTemplate } from './trace.ts';
import type { ChatTemplate, LoadOptions, NamedTemplate, TokenizerConfig } from './types.ts';

/**
 * Reads a model's chat template: the text of `chat_template.jinja`, or a parsed
 * `tokenizer_config.json`. For a template that has a file of its own, pass
 * `{ ...config, chat_template: text }`, so that its special tokens are known too. Mistakes in the
 * template, and filters, tests, functions or methods that do not exist, are errors here and not
 * when a conversation is rendered.
 *
 * @example
 * const template = loadChatTemplate('{{ messages[0].content }}</s>');
 * renderChatTemplate(template, { messages: [{ role: 'user', content: 'Hi' }], addGenerationPrompt: true });
 * // 'Hi</s>'
 */
export function loadChatTemplate(
  source: string | TokenizerConfig,
  options: LoadOptions = {},
): ChatTemplate {
  const config = typeof source === 'string' ? { chat_template: source } : source;
  const { name, template } = chooseTemplate(config, options);
  const text = { name, source: normalizeSource(template), file: options.file ?? 'chat_template' };
  try {
    const program = parseTemplate(text.source);
    return {
      ...text,
      source: template,
      specialTokens: readSpecialTokens(config),
      program,
      render(input) {
        return renderChatTemplate(this, input);
      },
      trace(input) {
        return traceChatTemplate(this, input);
      },
      takesSystem({ variables, tools, now }) {
        return takesSystem((messages) =>
          this.render({ messages, addGenerationPrompt: true, variables, tools, now }),
        );
      },
    };
  } catch (error) {
    return throwLoadError(text, error);
  }
}

type Said = readonly { readonly role: string; readonly content: string }[];

function takesSystem(render: (messages: Said) => string): boolean {
  const rule = { role: 'system', content: 'a rule' };
  const question = { role: 'user', content: 'a question' };
  const writes = (messages: Said) => {
    try {
      const text = render(messages);
      return messages.every(({ content }) => text.includes(content));
    } catch {
      return false;
    }
  };
  return writes([rule, question]) || !writes([question]);
}

function chooseTemplate(config: TokenizerConfig, options: LoadOptions): NamedTemplate {
  const templates = listTemplates(config);
  const names = templates.map((template) => template.name);
  if (names.length === 0) {
    throw new TemplateError('chat_template.missing', 'The tokenizer config has no chat template', {
      hint: 'Pass the text of chat_template.jinja as chat_template, or use a meta template.',
    });
  }
  const defaultName = options.tools && names.includes('tool_use') ? 'tool_use' : 'default';
  const wanted = options.name ?? defaultName;
  const found = templates.find((template) => template.name === wanted);
  if (found !== undefined) return found;
  throw new TemplateError(
    'chat_template.unknown_name',
    `Unknown chat template "${wanted}"; the file has ${names.join(', ')}`,
    { hint: `Choose the template by its name, such as "${names[0]}".` },
  );
}

function listTemplates({ chat_template: value }: TokenizerConfig): readonly NamedTemplate[] {
  if (typeof value === 'string') return [{ name: 'default', template: value }];
  return Array.isArray(value) ? value : [];
}

const tokenKeys = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'].map((name) => `${name}_token`);

/** The special tokens that a tokenizer's config names, as a chat template sees them. */
function readSpecialTokens(config: TokenizerConfig): Record<string, unknown> {
  const tokens: Record<string, unknown> = {};
  for (const key of tokenKeys) {
    const token = readToken(config[key]);
    if (token !== undefined) tokens[key] = token;
  }
  const { additional_special_tokens: more, extra_special_tokens: named } = config;
  if (Array.isArray(more)) tokens.additional_special_tokens = more.map(readToken);
  if (typeof named === 'object' && named !== null && !Array.isArray(named)) {
    for (const [key, value] of Object.entries(named)) tokens[key] = readToken(value);
  }
  return tokens;
}

function readToken(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const content = (value as { content?: unknown } | null | undefined)?.content;
  return typeof content === 'string' ? content : undefined;
}
