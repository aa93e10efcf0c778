/** What a model with the ability `embed` has. */
export interface EmbeddingModel {
  /** One vector for each text, all of one length. */
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}
