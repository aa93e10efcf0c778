import { centeredShares, correlateShares, type UnitShares } from '../stats/correlate-rows.ts';
import type { Measurement } from '../stats/estimate.ts';
import { groupAverage } from '../stats/means.ts';
import { readCurrentRows } from './store/current-rows.ts';
import { ProblemList } from './store/record-problem.ts';
import type { RowFiles } from './store/row-places.ts';
import type { GroupResult, TaskResult } from './summary.ts';

/** Where the rows of a model on a dataset are recorded. */
export interface EvaluationFiles extends RowFiles {
  readonly model: string;
  readonly dataset: string;
}

interface GroupSources {
  readonly results: readonly TaskResult[];
  readonly files: readonly EvaluationFiles[];
}

/**
 * Averages over groups of datasets; a group that the results hold only a part of has none. Datasets
 * that ask the same rows vary together, and the intervals of their averages reckon with it.
 */
export async function summarizeGroups(
  groups: Readonly<Record<string, readonly string[]>>,
  { results, files }: GroupSources,
): Promise<GroupResult[]> {
  const models = [...new Set(results.map(({ model }) => model))];
  const run = new Set(results.map(({ dataset }) => dataset));
  const found: GroupResult[] = [];
  for (const [group, datasets] of Object.entries(groups)) {
    if (!datasets.every((dataset) => run.has(dataset))) continue;
    for (const model of models) {
      const members = datasets.map((dataset) =>
        results.find((result) => result.model === model && result.dataset === dataset),
      );
      const own = files.filter((file) => file.model === model && datasets.includes(file.dataset));
      found.push({ model, group, datasets, ...(await averageOf(members, own)) });
    }
  }
  return found;
}

type Average = Omit<GroupResult, 'model' | 'group' | 'datasets'>;

async function averageOf(
  members: readonly (TaskResult | undefined)[],
  files: readonly EvaluationFiles[],
): Promise<Average> {
  const known = members.flatMap((member) => member ?? []);
  const facts = {
    metrics: [...new Set(known.map(metricOf))],
    ...(known.some(({ partial }) => partial) && { partial: true as const }),
  };
  if (new Set(known.map(kindOf)).size > 1) return { ...facts, mixed: true };
  const scores = known.flatMap(({ score }) => score ?? []);
  if (scores.length < members.length) return facts;
  const correlation = await correlationOf(known, files);
  const score = groupAverage(scores, { correlation });
  const all = known.flatMap((member) => allRowsOf(member) ?? []);
  const hasAll = known.some(({ allRows }) => allRows) && all.length === known.length;
  const allRows = hasAll ? groupAverage(all, { correlation }) : undefined;
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

/** How the scores of datasets vary together because rows are the same in several of them. */
async function correlationOf(
  members: readonly TaskResult[],
  files: readonly EvaluationFiles[],
): Promise<(one: number, other: number) => number> {
  if (members.length < 2) return () => 0;
  const shares: UnitShares[] = [];
  for (const { dataset } of members) {
    const own = files.find((file) => file.dataset === dataset);
    shares.push(own ? await readShares(own) : new Map());
  }
  return (one, other) => correlateShares(shares[one] ?? new Map(), shares[other] ?? new Map());
}

/** What the rows of a log add to the mean of their scores; rows that it does not tell are left out. */
async function readShares(files: RowFiles): Promise<UnitShares> {
  const units: string[] = [];
  const scores: number[] = [];
  for await (const batch of readCurrentRows(files, { problems: new ProblemList() })) {
    for (const { record } of batch) {
      const unit = record.cluster === undefined ? record.row : `cluster ${record.cluster}`;
      if (record.outcome !== 'scored' || unit === undefined) continue;
      units.push(unit);
      scores.push(record.score ?? 0);
    }
  }
  const { length } = scores;
  return centeredShares(
    scores.map((score) => score / length),
    (place) => units[place] ?? '',
  );
}
