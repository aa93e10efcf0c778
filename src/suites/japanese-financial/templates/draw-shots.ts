import { DataError } from '../../../errors.ts';
import { CPythonRandom } from '../../../python/random/cpython-random.ts';
import type { TaskDocument } from '../data/documents.ts';
import { type Dialect, rulesOf } from './dialects.ts';

/** The turn of a document in an evaluation, with the examples drawn for it. */
export interface Turn {
  /** Position in the order of evaluation. */
  readonly pos: number;
  /** Position in the data. */
  readonly docIndex: number;
  /** Places of the examples as they were drawn. */
  readonly sampled: readonly number[];
  /** Those of them that are used, in order. */
  readonly shots: readonly number[];
}

export interface DrawOptions {
  readonly dialect: Dialect;
  readonly numFewshot: number;
  /** Only so many documents, the first in the order of evaluation. */
  readonly limit?: number | undefined;
}

/** The order in which documents are evaluated, and the examples of each. */
export function* drawTurns(
  documents: readonly TaskDocument[],
  { dialect, numFewshot, limit = documents.length }: DrawOptions,
): Generator<Turn> {
  const rules = rulesOf[dialect];
  const random = new CPythonRandom(rules.seed);
  const order = documents.map((_, index) => index);
  if (rules.shufflesDocuments) random.shuffle(order);
  const wanted = numFewshot + (rules.drawsSpare ? 1 : 0);
  if (numFewshot > 0) requireDocuments(documents.length, wanted);
  const identities = documents.map((document) => JSON.stringify(document));
  for (const [pos, docIndex] of order.slice(0, limit).entries()) {
    const sampled = numFewshot > 0 ? random.sample(documents.length, wanted) : [];
    // A row that says the same elsewhere counts as the document itself.
    const others = sampled.filter((index) => identities[index] !== identities[docIndex]);
    yield { pos, docIndex, sampled, shots: others.slice(0, numFewshot) };
  }
}

function requireDocuments(count: number, wanted: number): void {
  if (wanted <= count) return;
  throw new DataError(
    'task.too_few_documents',
    `${wanted} examples cannot be drawn from ${count} documents`,
    { hint: 'Use fewer examples, or provide more data.' },
  );
}
