export { createRetriever } from '../retrieve/create-retriever.ts';
export { cachedEmbedder } from '../retrieve/embeddings/cached-embedder.ts';
export type { Embedder } from '../retrieve/embeddings/embedder.ts';
export { findLeak, type Leak, leakDiagnostics } from '../retrieve/leak.ts';
export {
  givesShots,
  type LabelLosses,
  type Query,
  type RetrieveFunction,
  type Retriever,
  type RetrieverContext,
  type RetrieverSettings,
  type RowCondition,
  type WaitOptions,
} from '../retrieve/retriever.ts';
