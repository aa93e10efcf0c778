import { TemplateError } from '../errors.ts';
import { throwLoadError } from './errors.ts';
import { normalizeSource } from './jinja/lexer.ts';
import { parseTemplate } from './jinja/program.ts';
import { renderChatTemplate } from './render.ts';
import { readSpecialTokens } from './special-tokens.ts';
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
    };
  } catch (error) {
    return throwLoadError(text, error);
  }
}

function chooseTemplate(config: TokenizerConfig, options: LoadOptions): NamedTemplate {
  const templates = listTemplates(config);
  const names = templates.map((template) => template.name);
  if (names.length === 0) {
    throw new TemplateError('chat_template.missing', 'The tokenizer config has no chat template', {
      hint: 'Pass the text of chat_template.jinja as chat_template, or use a meta template.',
    });
  }
  const usual = options.tools && names.includes('tool_use') ? 'tool_use' : 'default';
  const wanted = options.name ?? usual;
  const found = templates.find((template) => template.name === wanted);
  if (found !== undefined) return found;
  throw new TemplateError(
    'chat_template.unknown_name',
    `There is no chat template "${wanted}"; there are ${names.join(', ')}`,
    { hint: `Choose the template by its name, such as "${names[0]}".` },
  );
}

function listTemplates({ chat_template: value }: TokenizerConfig): readonly NamedTemplate[] {
  if (typeof value === 'string') return [{ name: 'default', template: value }];
  return Array.isArray(value) ? value : [];
}
