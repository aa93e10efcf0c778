export { createRetriever, givesShots } from './create-retriever.ts';
export { cachedEmbedder } from './embeddings/cached-embedder.ts';
export type { Embedder } from './embeddings/embedder.ts';
export { findLeak, type Leak, leakDiagnostics } from './leak.ts';
export type {
  LabelLosses,
  Query,
  RetrieveFunction,
  Retriever,
  RetrieverContext,
  RetrieverSettings,
  RowCondition,
  WaitOptions,
} from './retriever.ts';
