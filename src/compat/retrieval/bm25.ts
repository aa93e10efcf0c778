import type { NamedRow } from '../../prompt/trace.ts';
import { Bm25Index } from '../../retrieve/bm25/bm25-index.ts';
import type { Retriever } from '../../retrieve/retriever.ts';
import type { RowText } from '../../retrieve/row-text.ts';
import { splitNltkWords } from './nltk-words.ts';

export interface CompatBm25Settings {
  readonly pool: readonly NamedRow[];
  readonly count: number;
  readonly textOf: RowText;
}

/**
 * BM25 as in OpenCompass: NLTK's words with their case, the test row among its own examples, fewer
 * examples from a smaller pool, and of equal scores the later row first.
 */
export function openCompassBm25({ pool, count, textOf }: CompatBm25Settings): Retriever {
  const index = new Bm25Index(documentsOf(pool, textOf));
  return ({ row }) =>
    index.search(splitNltkWords(textOf(row)), { count, laterFirst: true }).indexes;
}

function* documentsOf(pool: readonly NamedRow[], textOf: RowText): Generator<string[]> {
  for (const { row } of pool) yield splitNltkWords(textOf(row));
}
