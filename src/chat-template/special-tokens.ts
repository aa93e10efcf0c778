import type { ChatTemplate, TokenizerConfig } from './types.ts';

const tokenKeys = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'].map((name) => `${name}_token`);

/** The special tokens that a tokenizer's config names, as a chat template sees them. */
export function readSpecialTokens(config: TokenizerConfig): Record<string, unknown> {
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

/**
 * Whether a rendered text starts with the token that begins a text. A server that adds this token
 * itself would then double it.
 */
export function startsWithBos(template: ChatTemplate, text: string): boolean {
  const { bos_token: token } = template.specialTokens;
  return typeof token === 'string' && token !== '' && text.startsWith(token);
}
