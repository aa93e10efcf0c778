import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bm25Index } from './bm25-index.ts';

/** Scores every document word by word, as the definition says. */
function plainScores(documents: readonly string[][], query: readonly string[]): number[] {
  const meanLength = documents.flat().length / documents.length;
  const terms = [...new Set(documents.flat())];
  const idf = new Map(
    terms.map((term) => {
      const holding = documents.filter((words) => words.includes(term)).length;
      return [term, Math.log(documents.length - holding + 0.5) - Math.log(holding + 0.5)];
    }),
  );
  const mean = [...idf.values()].reduce((sum, value) => sum + value, 0) / terms.length;
  for (const [term, value] of idf) if (value < 0) idf.set(term, 0.25 * mean);
  return documents.map((words) =>
    query.reduce((sum, term) => {
      const count = words.filter((word) => word === term).length;
      const norm = 1.5 * (0.25 + (0.75 * words.length) / meanLength);
      return sum + ((idf.get(term) ?? 0) * count * 2.5) / (count + norm);
    }, 0),
  );
}

const sentences = ['the cat sat', 'the dog sat down', 'a bird flew', 'the the cat'];
const documents = sentences.map((text) => text.split(' '));

describe('Bm25Index', () => {
  it('scores as the recorded case of OpenCompass', () => {
    const { indexes, scores } = new Bm25Index(documents).search(['the', 'cat', 'zzz'], {
      count: 4,
    });
    expect(indexes).toEqual([3, 0, 1, 2]);
    expect(scores.map((score) => Number(score.toFixed(6)))).toEqual([
      0.155139, 0.10971, 0.095948, 0,
    ]);
  });

  it('equals a plain scorer', () => {
    const words = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 12 }),
        words,
        fc.nat(14),
        fc.boolean(),
        (corpus, query, count, laterFirst) => {
          fc.pre(corpus.flat().length > 0);
          const expected = plainScores(corpus, query);
          const index = new Bm25Index(corpus);
          const { scores, indexes } = index.search(query, { count, laterFirst });
          expect(indexes.length).toBe(Math.min(count, corpus.length));
          for (const [index, document] of indexes.entries()) {
            expect(Math.abs((scores[index] ?? 0) - (expected[document] ?? 0))).toBeLessThan(1e-9);
          }
          const best = [...scores].sort((a, b) => b - a);
          expect(scores).toEqual(best);
          const sorted = expected.toSorted((a, b) => b - a).slice(0, count);
          for (const [index, score] of best.entries()) {
            expect(Math.abs(score - (sorted[index] ?? 0))).toBeLessThan(1e-9);
          }
        },
      ),
    );
  });

  it('keeps nothing of earlier queries', () => {
    const index = new Bm25Index(documents);
    const fresh = index.search(['bird'], { count: 4 });
    index.search(['the', 'cat', 'dog'], { count: 1 });
    const again = index.search(['bird'], { count: 4 });
    expect([again.indexes, again.scores]).toEqual([fresh.indexes, fresh.scores]);
  });

  it.each([
    [false, [0, 1, 2, 3]],
    [true, [3, 2, 1, 0]],
  ])('with laterFirst %s orders equal scores', (laterFirst, expected) => {
    const index = new Bm25Index([['x'], ['x'], ['x'], ['x']]);
    expect(index.search(['x'], { count: 4, laterFirst }).indexes).toEqual(expected);
    expect(index.search(['none'], { count: 4, laterFirst }).indexes).toEqual(expected);
  });

  it('leaves out documents that are not accepted', () => {
    const accepts = (document: number) => document !== 3;
    const { indexes } = new Bm25Index(documents).search(['the', 'cat'], { count: 2, accepts });
    expect(indexes).toEqual([0, 1]);
  });

  it('takes documents without words', () => {
    expect(new Bm25Index([[], []]).search(['a'], { count: 2 }).indexes).toEqual([0, 1]);
  });
});
