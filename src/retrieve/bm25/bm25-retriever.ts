import type { Pool } from '../pool.ts';
import type { Retriever } from '../retriever.ts';
import type { RowText } from '../row-text.ts';
import { Bm25Index } from './bm25-index.ts';
import { splitWords } from './split-words.ts';

export interface Bm25Settings {
  readonly pool: Pool;
  readonly count: number;
  readonly textOf: RowText;
}

/** The rows whose words fit best, the best one first. A row is never its own example. */
export function bm25Retriever({ pool, count, textOf }: Bm25Settings): Retriever {
  pool.require(count);
  const index = new Bm25Index(documentsOf(pool, textOf));
  return (query) => {
    const { group, own } = pool.choicesFor(query, count);
    const accepts = (document: number) =>
      pool.groupOf[document] === group && !own.includes(document);
    return index.search(splitWords(textOf(query.row)), { count, accepts }).indexes;
  };
}

function* documentsOf({ rows }: Pool, textOf: RowText): Generator<string[]> {
  for (const { row } of rows) yield splitWords(textOf(row));
}
