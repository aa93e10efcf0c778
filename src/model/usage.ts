/** How many tokens a request took. What a server does not tell is left out, and is not 0. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** How many of the input tokens the server had in its cache. */
  readonly cachedTokens?: number | undefined;
}

/** Recorded answers take no tokens. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };
