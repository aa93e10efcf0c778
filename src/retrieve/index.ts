export { createRetriever, givesShots, type RetrieverSettings } from './create-retriever.ts';
export { fixedRetriever } from './fixed-k.ts';
export { numpyRetriever, type RandomSettings, randomRetriever } from './random.ts';
export type { Query, Retriever } from './retriever.ts';
export { zeroRetriever } from './zero.ts';
