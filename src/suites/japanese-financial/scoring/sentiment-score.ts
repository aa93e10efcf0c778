import { noChoice } from './judge-row.ts';

/** The choices of sentiment, in the order of all templates. */
const sentiments = ['positive', 'negative'];

/** What was right for a document, and what was taken for it. */
export function sentimentCell(gold: number, predicted: number): string {
  return JSON.stringify([String(gold), String(predicted)]);
}

/** The cell of a document without an answer. */
export function unansweredCell(polarity: unknown): string {
  const place = sentiments.indexOf(String(polarity));
  return JSON.stringify([String(place < 0 ? noChoice : place), null]);
}

/**
 * The mean F1 of positive and negative. That is the measure of the original wherever there is a
 * neutral document; without any, the original's is half as much again. Documents without an answer
 * count as the wrong choice, and neutral ones, to which both are wrong, as whatever costs most.
 */
export function sentimentScore(cells: readonly string[]): (counts: ArrayLike<number>) => number {
  const pairs = cells.map(readCell);
  return (counts) => {
    const hits = [0, 0];
    const named = [0, 0];
    let neutral = 0;
    const add = (to: number[], place: number, count: number) => {
      if (place in to) to[place] = (to[place] ?? 0) + count;
    };
    pairs.forEach(([gold, predicted], index) => {
      const count = counts[index] ?? 0;
      if (predicted === null && gold === noChoice) neutral += count;
      else {
        add(named, gold, count);
        add(named, predicted ?? 1 - gold, count);
        if (gold === predicted) add(hits, gold, count);
      }
    });
    return lowestMean(hits, named, neutral);
  };
}

function readCell(cell: string): readonly [gold: number, predicted: number | null] {
  const [gold, predicted] = JSON.parse(cell);
  return [Number(gold), predicted === null ? null : Number(predicted)];
}

/** The mean of 2 × hits / named after so many more are named, shared out so that it is lowest. */
function lowestMean(
  [hits = 0, otherHits = 0]: readonly number[],
  [named = 0, otherNamed = 0]: readonly number[],
  more: number,
): number {
  const [root, otherRoot] = [Math.sqrt(hits), Math.sqrt(otherHits)];
  const flat = root * (otherNamed + more) - otherRoot * named;
  const share = root + otherRoot === 0 ? 0 : flat / (root + otherRoot);
  const added = Math.min(more, Math.max(0, share));
  return rate(hits, named + added) + rate(otherHits, otherNamed + more - added);
}

/** Half of an F1. */
function rate(hits: number, named: number): number {
  return named === 0 ? 0 : hits / named;
}
