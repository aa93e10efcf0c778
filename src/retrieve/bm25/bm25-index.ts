import { TopList } from '../top-list.ts';
import { buildPostings, countTerms, type Postings } from './bm25-weights.ts';

export interface SearchOptions {
  readonly count: number;
  /** Leaves out documents. */
  readonly accepts?: ((document: number) => boolean) | undefined;
  /** Of equal scores the later document comes first. */
  readonly laterFirst?: boolean | undefined;
}

/** BM25 (Okapi; k1 = 1.5, b = 0.75, ε = 0.25) over documents that are lists of words. */
export class Bm25Index {
  readonly #terms: ReadonlyMap<string, number>;
  readonly #postings: Postings;
  readonly #scores: Float64Array;
  readonly #isFound: Uint8Array;
  /** The documents that share a term with the current query. */
  readonly #found: Int32Array;
  #foundCount = 0;

  constructor(documents: Iterable<readonly string[]>) {
    const counts = countTerms(documents);
    this.#terms = counts.terms;
    this.#postings = buildPostings(counts);
    this.#scores = new Float64Array(counts.lengths.length);
    this.#isFound = new Uint8Array(counts.lengths.length);
    this.#found = new Int32Array(counts.lengths.length);
  }

  /** The best documents for the words of a query, which may repeat. */
  search(words: readonly string[], options: SearchOptions): TopList {
    this.#clear();
    for (const word of words) this.#addTerm(this.#terms.get(word));
    return this.#best(options);
  }

  #clear(): void {
    for (let index = 0; index < this.#foundCount; index += 1) {
      const document = this.#found[index] as number;
      this.#scores[document] = 0;
      this.#isFound[document] = 0;
    }
    this.#foundCount = 0;
  }

  #addTerm(term: number | undefined): void {
    if (term === undefined) return;
    const { starts, documents, weights } = this.#postings;
    const scores = this.#scores;
    const isFound = this.#isFound;
    const end = starts[term + 1] as number;
    for (let posting = starts[term] as number; posting < end; posting += 1) {
      const document = documents[posting] as number;
      scores[document] = (scores[document] as number) + (weights[posting] as number);
      if (isFound[document] === 1) continue;
      isFound[document] = 1;
      this.#found[this.#foundCount] = document;
      this.#foundCount += 1;
    }
  }

  #best({ count, accepts, laterFirst = false }: SearchOptions): TopList {
    const top = new TopList(count, { laterFirst });
    const offer = (document: number, score: number) => {
      if (score >= top.threshold && (!accepts || accepts(document))) top.offer(document, score);
    };
    for (let index = 0; index < this.#foundCount; index += 1) {
      const document = this.#found[index] as number;
      offer(document, this.#scores[document] as number);
    }
    // Documents that share nothing with the query score 0.
    if (top.threshold > 0) return top;
    for (const [document, isFound] of this.#isFound.entries())
      if (isFound === 0) offer(document, 0);
    return top;
  }
}
