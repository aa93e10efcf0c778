import { type Dialect, rulesOf } from '../templates/dialects.ts';
import type { Task } from '../templates/task-names.ts';
import { type JudgedRow, noChoice } from './judge-row.ts';

/** A number over all documents of a task. */
export interface Metric {
  readonly name: string;
  readonly value: number;
  /** Standard error; undefined where the original gives none. */
  readonly stderr: number | undefined;
}

export interface MetricOptions {
  readonly task: Task;
  readonly dialect: Dialect;
}

const depths = [2, 3, 4];

/** The measures of one document, by the names of the original. */
export function rowMetrics(
  row: JudgedRow,
  { task, dialect }: MetricOptions,
): Readonly<Record<string, number>> {
  const { hasNormalizedMetrics } = rulesOf[dialect];
  const plain = {
    acc: Number(row.predicted === row.gold),
    ...(hasNormalizedMetrics && { acc_norm: Number(row.predictedNormalized === row.gold) }),
  };
  if (task === 'chabsa') return plain;
  return {
    ...plain,
    ...rankMetrics(row.rank, ''),
    ...(hasNormalizedMetrics && rankMetrics(row.rankNormalized, '_norm')),
  };
}

function rankMetrics(rank: number, suffix: string): Record<string, number> {
  const within = depths.map((depth) => [`map_${depth}${suffix}`, rank <= depth ? 1 / rank : 0]);
  return { [`map${suffix}`]: 1 / rank, ...Object.fromEntries(within) };
}

/** The measures of a task over its documents, in the order of the original's results. */
export function taskMetrics(rows: readonly JudgedRow[], options: MetricOptions): Metric[] {
  const perRow = rows.map((row) => rowMetrics(row, options));
  const means = Object.keys(perRow[0] ?? {}).map((name) => {
    const values = perRow.map((row) => row[name] ?? 0);
    const value = values.reduce((sum, item) => sum + item, 0) / values.length;
    return { name, value, stderr: standardError(values, value) };
  });
  if (options.task !== 'chabsa') return means;
  return means.flatMap((mean) => {
    const isNormalized = mean.name === 'acc_norm';
    const cells = rows.map((row) => cellOf(row, { ...options, isNormalized }));
    const value = sentimentF1(cells);
    const f1 = { name: isNormalized ? 'f1_norm' : 'f1', value, stderr: undefined };
    return [options.dialect === 'v0.1.0' ? { ...mean, stderr: undefined } : mean, f1];
  });
}

/** The standard error of a mean; nothing for a single value. */
function standardError(values: readonly number[], mean: number): number | undefined {
  if (values.length < 2) return undefined;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1)) / Math.sqrt(values.length);
}

function cellOf(
  { gold, target, predicted, predictedNormalized }: JudgedRow,
  { dialect, isNormalized }: { readonly dialect: Dialect; readonly isNormalized: boolean },
): string {
  // Later dialects know no answers beside the choices: all of those are one class.
  const isOther = gold === noChoice && dialect === 'v0.1.0';
  return sentimentCell(isOther ? target : gold, isNormalized ? predictedNormalized : predicted);
}

/** A document's cell in a table of what was right and what was taken for it. */
function sentimentCell(gold: number | string, predicted: number): string {
  return JSON.stringify([String(gold), String(predicted)]);
}

/**
 * chABSA's own measure of a table: one and a half times the mean F1 of the classes among its cells.
 * With neutral documents, which are never predicted, it is the mean F1 of the two others; without
 * any it can exceed 1.
 */
function sentimentF1(cells: readonly string[]): number {
  const pairs = cells.map((cell) => JSON.parse(cell) as [gold: string, predicted: string]);
  const labels = [...new Set(pairs.flat())];
  const sum = labels.reduce((total, label) => {
    const hits = pairs.filter((pair) => pair.every((one) => one === label)).length;
    const named = pairs.flat().filter((one) => one === label).length;
    return total + (2 * hits) / named;
  }, 0);
  return (1.5 * sum) / labels.length;
}
