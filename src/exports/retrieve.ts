export { createRetriever, givesShots } from '../retrieve/create-retriever.ts';
export { cachedEmbedder } from '../retrieve/embeddings/cached-embedder.ts';
export type { Embedder } from '../retrieve/embeddings/embedder.ts';
export { findLeak, type Leak, leakDiagnostics } from '../retrieve/leak.ts';
export type {
  LabelLosses,
  Query,
  RetrieveFunction,
  Retriever,
  RetrieverContext,
  RetrieverSettings,
  RowCondition,
  WaitOptions,
} from '../retrieve/retriever.ts';
