/** How many tokens a request took. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** How many of the input tokens the server had in its cache. */
  readonly cachedTokens?: number | undefined;
}
