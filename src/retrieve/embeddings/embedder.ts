/** Turns texts into vectors that are near each other where the texts mean alike. */
export interface Embedder {
  /** What tells its vectors from those of others; part of cache keys, without secrets. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** One vector for each text, all of one length. */
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}
