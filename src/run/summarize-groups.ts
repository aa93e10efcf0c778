import type { SummaryGroups } from '../config/config.ts';
import { centeredShares, correlateShares, type UnitShares } from '../stats/correlate-rows.ts';
import type { Measurement } from '../stats/estimate.ts';
import { groupAverage } from '../stats/means.ts';
import { type RowMarks, RowUnits } from '../stats/row-units.ts';
import { readCurrentRows } from './store/current-rows.ts';
import { ProblemList } from './store/record-problem.ts';
import type { RowFiles } from './store/row-places.ts';
import { type RowRecord, scoreOfAllSamples } from './store/row-record.ts';
import type { GroupResult, TaskResult } from './summary.ts';

/** The rows of a model on a dataset as they are recorded. */
export interface EvaluationRecords {
  readonly model: string;
  readonly dataset: string;
  readonly records: () => Iterable<RowRecord> | AsyncIterable<RowRecord>;
}

interface GroupSources {
  readonly results: readonly TaskResult[];
  readonly recorded: readonly EvaluationRecords[];
}

/** The records of a log that count. */
export async function* recordsIn(files: RowFiles): AsyncGenerator<RowRecord> {
  for await (const batch of readCurrentRows(files, { problems: new ProblemList() })) {
    for (const { record } of batch) yield record;
  }
}

/**
 * Averages over groups of datasets; a group that the results hold only a part of has none. Datasets
 * that ask the same rows vary together, and the intervals of their averages reckon with it.
 */
export async function summarizeGroups(
  groups: SummaryGroups,
  { results, recorded }: GroupSources,
): Promise<GroupResult[]> {
  const models = [...new Set(results.map(({ model }) => model))];
  const run = new Set(results.map(({ dataset }) => dataset));
  const found: GroupResult[] = [];
  for (const [group, { datasets, weights }] of Object.entries(groups)) {
    if (!datasets.every((dataset) => run.has(dataset))) continue;
    for (const model of models) {
      const members = datasets.map((dataset) =>
        results.find((result) => result.model === model && result.dataset === dataset),
      );
      const own = recorded.filter((one) => one.model === model && datasets.includes(one.dataset));
      found.push({
        ...{ model, group, datasets },
        ...(weights && { weights }),
        ...(await averageOf(members, own, weights)),
      });
    }
  }
  return found;
}

type Average = Omit<GroupResult, 'model' | 'group' | 'datasets' | 'weights'>;

async function averageOf(
  members: readonly (TaskResult | undefined)[],
  recorded: readonly EvaluationRecords[],
  weights: readonly number[] | undefined,
): Promise<Average> {
  const known = members.flatMap((member) => member ?? []);
  const facts = {
    metrics: [...new Set(known.map(metricOf))],
    ...(known.some(({ partial }) => partial) && { partial: true as const }),
  };
  if (new Set(known.map(kindOf)).size > 1) return { ...facts, mixed: true };
  const scores = known.flatMap(({ score }) => score ?? []);
  if (scores.length < members.length) {
    const without = known.filter(({ score }) => !score).map(({ dataset }) => dataset);
    return { ...facts, ...(without.length > 0 && { withoutScore: without }) };
  }
  const rows = await readMembers(known, recorded);
  const score = groupAverage(scores, { weights, correlation: correlationOf(rows, 'score') });
  const all = known.flatMap((member) => allRowsOf(member) ?? []);
  const hasAll = known.some(({ allRows }) => allRows) && all.length === known.length;
  const allRows = hasAll
    ? groupAverage(all, { weights, correlation: correlationOf(rows, 'scoreOfAll') })
    : undefined;
  return {
    ...facts,
    ...(score && { score }),
    ...(allRows && { allRows }),
    ...(known[0]?.direction && { direction: known[0].direction }),
  };
}

/** The score with rows that have none as wrong; nothing where that cannot be told. */
function allRowsOf({ allRows, score, rows }: TaskResult): Measurement | undefined {
  return allRows ?? (rows.unscored + rows.failed === 0 ? score : undefined);
}

function metricOf({ metric, direction }: TaskResult): string {
  return direction === 'lower' ? `${metric} ↓` : metric;
}

/** Shares of which more is better can be averaged; numbers of their own kind only with themselves. */
function kindOf({ metric, direction, plain }: TaskResult): string {
  const wanted = direction ?? 'higher';
  return plain ? `${wanted} ${metric}` : wanted;
}

/** What a row counts for in the scores of a dataset. */
interface MemberRow {
  readonly unit: string | undefined;
  /** Left out for a row without one. */
  readonly score: number | undefined;
  /** With what has no score as wrong. */
  readonly scoreOfAll: number;
}

/** The rows of each dataset, with the units that all of them come in. */
async function readMembers(
  members: readonly TaskResult[],
  recorded: readonly EvaluationRecords[],
): Promise<MemberRow[][]> {
  if (members.length < 2) return [];
  const units = new RowUnits();
  const read: (Omit<MemberRow, 'unit'> & { readonly marks: RowMarks })[][] = [];
  for (const { dataset, clusters } of members) {
    const own = recorded.find((one) => one.dataset === dataset);
    const rows = [];
    for await (const record of own?.records() ?? []) {
      const { outcome, score = 0, row: content, cluster: value } = record;
      const cluster = clusters && value !== undefined ? { by: clusters.by, value } : undefined;
      const marks = { content, cluster };
      units.add(marks);
      rows.push({
        marks,
        score: outcome === 'scored' ? score : undefined,
        scoreOfAll: scoreOfAllSamples(record),
      });
    }
    read.push(rows);
  }
  return read.map((rows) =>
    rows.map(({ marks, ...scores }) => ({ ...scores, unit: units.unitOf(marks) })),
  );
}

/** How the scores of datasets vary together because rows are the same in several of them. */
function correlationOf(
  members: readonly (readonly MemberRow[])[],
  of: 'score' | 'scoreOfAll',
): (one: number, other: number) => number {
  const shares = members.map((rows) => sharesOf(rows, of));
  return (one, other) => correlateShares(shares[one] ?? new Map(), shares[other] ?? new Map());
}

/** What rows add to the mean of their scores; those that are not told from others are left out. */
function sharesOf(rows: readonly MemberRow[], of: 'score' | 'scoreOfAll'): UnitShares {
  const counted = rows.flatMap(({ unit, [of]: score }) =>
    unit === undefined || score === undefined ? [] : [{ unit, score }],
  );
  return centeredShares(
    counted.map(({ score }) => score / counted.length),
    (place) => counted[place]?.unit ?? '',
  );
}
