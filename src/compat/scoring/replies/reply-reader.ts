import { getKey, isMapping } from '../../../prompt/mapping.ts';
import type { Row } from '../../../prompt/values.ts';
import type { MetricTraits } from '../../../score/metrics/metric.ts';
import type { DatasetMetric, ScorerMetrics } from '../../../score/scorer.ts';

/** What a judge was asked about. */
export interface JudgedAnswer {
  /** The gold answer: there mostly a mapping with what the score is broken down by. */
  readonly gold: unknown;
  readonly row: Row;
  /** Whether the answer came first of two; nothing where it is judged alone. */
  readonly isFirst?: boolean | undefined;
}

/** What a reply of the judge is worth to the answer. */
export interface Reading {
  readonly value: number;
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  /** What it adds to measures of all rows: what they are worked out from, */
  readonly entry?: readonly (string | number)[] | undefined;
  /** or numbers that are summed up. */
  readonly counts?: readonly number[] | undefined;
}

/** How the replies of a judge become a score, as a `dict_postprocessor` or a summarizer there does it. */
export interface ReplyReader extends ScorerMetrics {
  /** It holds the answer against that of another model. */
  readonly isPair?: true;
  /** Nothing where the reply says nothing. */
  readonly read: (reply: string, judged: JudgedAnswer) => Reading | undefined;
}

export const share = { direction: 'higher', range: [0, 1] } as const;

/** A member of the gold answer as text; nothing where there is none. */
export function memberOf(gold: unknown, key: string): string | undefined {
  const member = isMapping(gold) ? getKey(gold, key) : undefined;
  return typeof member === 'string' || typeof member === 'number' ? String(member) : undefined;
}

/** The value again under the names of the parts that the row belongs to. */
export function partsOf(
  value: number,
  names: readonly (string | undefined)[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(names.flatMap((name) => (name === undefined ? [] : [[name, value]])));
}

export type Entry = readonly (string | number)[];

/** A measure of all readings together, by how often each was made. */
export function measureOfEntries(
  traits: MetricTraits,
  measure: (entries: readonly (readonly [entry: Entry, count: number])[]) => number,
): DatasetMetric {
  return {
    ...traits,
    type: 'cells',
    measure(cells) {
      const read = cells.map((cell) => JSON.parse(cell) as readonly Entry[]);
      return (counts) =>
        measure(
          read.flatMap((entries, index) => {
            const count = counts[index] ?? 0;
            return count > 0 ? entries.map((entry) => [entry, count] as const) : [];
          }),
        );
    },
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean of values that were met several times each. */
export function weightedMean(values: readonly (readonly [value: number, count: number])[]): number {
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  return total === 0 ? 0 : values.reduce((sum, [value, count]) => sum + value * count, 0) / total;
}

/** The mean of the means of parts, which count alike. */
export function meanOfMeans(
  values: readonly (readonly [part: string | number, value: number, count: number])[],
): number {
  const parts = [...new Set(values.map(([part]) => part))];
  const means = parts.map((part) =>
    weightedMean(values.filter((one) => one[0] === part).map(([, value, count]) => [value, count])),
  );
  return meanOf(means);
}
