/** How an endpoint tells the probabilities of a text's tokens. */
export interface LikelihoodDialect {
  /** What seems to answer there. */
  readonly server: 'vLLM' | 'SGLang' | 'llama.cpp' | 'OpenAI' | 'unknown';
  /**
   * `echo`: the text comes back with the log-probabilities of its tokens. `prompt_logprobs`: they
   * come in a field of their own. `next-token`: only those of what may follow a text are given.
   */
  readonly how: 'echo' | 'prompt_logprobs' | 'next-token';
  /** Whether one request may hold several texts. */
  readonly takesLists: boolean;
}

/** What is taken for granted where nothing may be asked. */
export const defaultDialect: LikelihoodDialect = {
  server: 'unknown',
  how: 'echo',
  takesLists: true,
};

/** How many of the likeliest next tokens are asked for. */
export const nextTokens = 20;

/** The settings by which a text's log-probabilities are asked for. */
export function likelihoodSettings(how: LikelihoodDialect['how']): Record<string, unknown> {
  const once = { max_tokens: 1, temperature: 0 };
  switch (how) {
    case 'echo':
      return { ...once, echo: true, logprobs: 1 };
    case 'prompt_logprobs':
      return { ...once, prompt_logprobs: 0 };
    case 'next-token':
      return { ...once, logprobs: nextTokens };
  }
}
