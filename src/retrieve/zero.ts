import type { Retriever } from './retriever.ts';

const none: readonly number[] = Object.freeze([]);

/** No examples. */
export const zeroRetriever: Retriever = () => none;
