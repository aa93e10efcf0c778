import { NumberList } from './number-list.ts';

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
