/** For each term the documents that hold it, and what it adds to their scores. */
export interface Postings {
  /** Where the postings of a term begin; they end where those of the next term begin. */
  readonly starts: Int32Array;
  readonly documents: Int32Array;
  readonly weights: Float64Array;
}

const k1 = 1.5;
const b = 0.75;
const epsilon = 0.25;

/** Turns counts by document into postings by term. */
export function buildPostings(counts: TermCounts): Postings {
  const { lengths, entryTerms, entryCounts, entryEnds } = counts;
  const starts = startsOf(counts);
  const termWeights = termWeightsOf(starts, lengths.length);
  const documents = new Int32Array(entryTerms.length);
  const weights = new Float64Array(entryTerms.length);
  const next = starts.slice();
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  let entry = 0;
  for (let document = 0; document < lengths.length; document += 1) {
    const norm = k1 * (1 - b + (b * (lengths[document] as number)) / meanLength);
    for (const end = entryEnds[document] as number; entry < end; entry += 1) {
      const term = entryTerms[entry] as number;
      const count = entryCounts[entry] as number;
      const posting = next[term] as number;
      next[term] = posting + 1;
      documents[posting] = document;
      weights[posting] = (termWeights[term] as number) * ((count * (k1 + 1)) / (count + norm));
    }
  }
  return { starts, documents, weights };
}

function startsOf({ terms, entryTerms }: TermCounts): Int32Array {
  const starts = new Int32Array(terms.size + 1);
  for (const term of entryTerms) starts[term + 1] = (starts[term + 1] as number) + 1;
  for (let term = 0; term < terms.size; term += 1) {
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  }
  return starts;
}

/** Terms of more than half of the documents would count against them: they get a small weight. */
function termWeightsOf(starts: Int32Array, documentCount: number): Float64Array {
  const termCount = starts.length - 1;
  const weights = new Float64Array(termCount);
  let sum = 0;
  for (let term = 0; term < termCount; term += 1) {
    const holding = (starts[term + 1] as number) - (starts[term] as number);
    const weight = Math.log(documentCount - holding + 0.5) - Math.log(holding + 0.5);
    weights[term] = weight;
    sum += weight;
  }
  const smallest = (epsilon * sum) / termCount;
  return weights.map((weight) => (weight < 0 ? smallest : weight));
}

/** Which terms stand how often in which document. */
export interface TermCounts {
  /** The number of each term, in the order in which terms first occur. */
  readonly terms: ReadonlyMap<string, number>;
  /** How many words each document has. */
  readonly lengths: Int32Array;
  /** One entry for each term of each document, document after document. */
  readonly entryTerms: Int32Array;
  readonly entryCounts: Int32Array;
  /** Where the entries of a document end. */
  readonly entryEnds: Int32Array;
}

export function countTerms(documents: Iterable<readonly string[]>): TermCounts {
  const terms = new Map<string, number>();
  const lengths = new NumberList();
  const entryTerms = new NumberList();
  const entryCounts = new NumberList();
  const entryEnds = new NumberList();
  /** The last entry of each term. */
  const lastEntries: number[] = [];
  for (const words of documents) {
    const firstEntry = entryTerms.length;
    for (const word of words) {
      const term = terms.get(word) ?? terms.size;
      if (term === terms.size) terms.set(word, term);
      const entry = lastEntries[term] ?? -1;
      if (entry >= firstEntry) {
        entryCounts.increment(entry);
        continue;
      }
      lastEntries[term] = entryTerms.length;
      entryTerms.push(term);
      entryCounts.push(1);
    }
    lengths.push(words.length);
    entryEnds.push(entryTerms.length);
  }
  return {
    terms,
    lengths: lengths.toArray(),
    entryTerms: entryTerms.toArray(),
    entryCounts: entryCounts.toArray(),
    entryEnds: entryEnds.toArray(),
  };
}

/** Whole numbers, as many as come. */
class NumberList {
  #numbers = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  increment(index: number): void {
    this.#numbers[index] = (this.#numbers[index] ?? 0) + 1;
  }

  /** The numbers, without a copy. */
  toArray(): Int32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
