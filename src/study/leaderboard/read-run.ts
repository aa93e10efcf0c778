import { contentHash } from '../../base/content-hash.ts';
import { suiteDatasetsOf } from '../../evaluation/suite-datasets.ts';
import { clusterOfRecord } from '../../run/cluster-of.ts';
import { openRun, type StoredRun } from '../../run/store/open-run.ts';
import { datasetOf, stampOf, suiteTypeOf } from '../../run/store/run-file-parts.ts';
import type { TaskResult } from '../../run/summary.ts';
import type { Measurement } from '../../stats/estimate.ts';
import { meanOfCells, measureCells, withinShares } from '../../stats/measure-cells.ts';
import type { CellMeasure } from '../../stats/tallies.ts';
import { firstVersion } from '../../tasks/stand-in.ts';
import type { ModelResult, ScoredRows, TaskScore } from './task-score.ts';

/** Reads the folder of a run: one result for each of its models. */
export async function readRun(folder: string): Promise<ModelResult[]> {
  const run = await openRun(folder);
  const results = run.summary?.results ?? [];
  const found: ModelResult[] = [];
  for (const model of new Set(results.map((result) => result.model))) {
    const own = results.filter((result) => result.model === model);
    const scores: TaskScore[] = [];
    for (const result of own) {
      if (isRankable(result)) scores.push(await scoreOf({ run, folder }, result));
    }
    const datasets = own.map(({ dataset }) => run.file.data.find((one) => one.dataset === dataset));
    found.push({
      model,
      settings: settingsOf(run, model),
      file: folder,
      dialect: scores.find(({ stamp }) => stamp?.dialect)?.stamp?.dialect,
      isSynthetic: datasets.some((data) => data?.synthetic === true),
      scores,
      otherScores: own.flatMap(({ dataset, metric, ...result }) =>
        result.score && (result.plain || result.direction) ? [`${metric} of ${dataset}`] : [],
      ),
    });
  }
  const [first, ...others] = found;
  return first ? [{ ...first, problems: run.problems }, ...others] : [];
}

type Scored = TaskResult & { readonly score: Measurement };

function isRankable(result: TaskResult): result is Scored {
  return result.score !== undefined && !result.plain && result.direction === undefined;
}

/** What tells a model's answers from another's, but for the address: a model may move. */
function settingsOf({ file }: StoredRun, model: string): ModelResult['settings'] {
  const {
    url: _,
    headers: __,
    ...identity
  } = file.models.find(({ name }) => name === model)?.identity ?? {};
  return Object.fromEntries(flatten(identity, ''));
}

function flatten(value: object, path: string): [string, string][] {
  return Object.entries(value).flatMap(([key, item]): [string, string][] => {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof item === 'object' && item !== null) return flatten(item, name);
    return item === undefined ? [] : [[name, String(item)]];
  });
}

async function scoreOf(
  { run, folder }: { readonly run: StoredRun; readonly folder: string },
  result: Scored,
): Promise<TaskScore> {
  const { dataset, metric, rows: counts } = result;
  const stamp = stampOf(run.file, dataset);
  const { limit, ids, where } = run.file.settings;
  const read = await readCells(run, result);
  return {
    task: stamp?.task ?? dataset,
    version: stamp?.version ?? firstVersion,
    ...(!stamp && { text: textOf(run, dataset) }),
    ...{ metric, stamp, isGuessed: false, file: folder },
    shots: shotsOf(run, dataset),
    score: withinShares(read?.score ?? result.score),
    count: read ? counts.total - counts.missing : counts.scored,
    isPartial: counts.missing > 0 || limit !== undefined || Boolean(ids) || where !== undefined,
    unscored: counts.unscored + counts.failed,
    rows: read?.rows,
  };
}

/** What stands for the templates of a dataset that is of no task; nothing if that is not recorded. */
function textOf({ file }: StoredRun, dataset: string): string | undefined {
  const { promptTemplate, iceTemplate }: Templates = datasetOf(file, dataset)?.inferCfg ?? {};
  const templates = [promptTemplate?.config, iceTemplate?.config];
  if (templates.every((template) => template === undefined)) return undefined;
  return contentHash(templates.map((template) => template ?? null)).slice(0, 6);
}

interface Templates {
  readonly promptTemplate?: { readonly config?: unknown } | undefined;
  readonly iceTemplate?: { readonly config?: unknown } | undefined;
}

/** How many examples the prompts had; nothing if a record does not say. */
function shotsOf({ file }: StoredRun, dataset: string): number | undefined {
  const recorded = datasetOf(file, dataset);
  if (typeof recorded?.numFewshot === 'number') return recorded.numFewshot;
  const { retriever }: { readonly retriever?: Retriever } = Object(recorded?.inferCfg);
  const { type, iceNum, fixIdList } = retriever ?? {};
  if (Array.isArray(fixIdList)) return fixIdList.length;
  if (typeof iceNum === 'number' && type !== 'ZeroRetriever') return iceNum;
  return type === 'ZeroRetriever' ? 0 : undefined;
}

interface Retriever {
  readonly type?: unknown;
  readonly iceNum?: unknown;
  readonly fixIdList?: unknown;
}

interface Cell {
  readonly id: number;
  readonly row: string | undefined;
  /** What counts of a scored row; nothing for one without a score. */
  readonly cell: string | undefined;
  readonly cluster: string;
}

/**
 * The rows of a log by what they hold, those without a score as wrong. Nothing if the score is neither
 * the mean of the rows' scores nor a measure of their cells; no rows if the log does not say what they
 * hold.
 */
async function readCells(
  run: StoredRun,
  { model, dataset, score }: Scored,
): Promise<{ readonly score: Measurement; readonly rows: ScoredRows | undefined } | undefined> {
  const whole = await measureOf(run, dataset);
  const measure = whole ?? meanOfCells;
  const all: Cell[] = [];
  for await (const record of run.rows({ model, dataset })) {
    const { id, row, outcome, score: own = 0 } = record;
    const counted = whole ? record.cell : String(own);
    const cell = outcome === 'scored' ? counted : undefined;
    all.push({ id, row, cell, cluster: clusterOfRecord(record) });
  }
  const scored = all.flatMap(({ cell }) => cell ?? []);
  if (whole && scored.length < all.length) return undefined;
  const value = measure(scored)(scored.map(() => 1));
  if (!(Math.abs(value - score.value) < 1e-9)) return undefined;
  const named = nameCells(all);
  const cells = new Map(named.map(([name, { cell = '0' }]) => [name, cell]));
  const clusters =
    datasetOf(run.file, dataset)?.readerCfg?.clusterBy === undefined
      ? undefined
      : new Map(named.map(([name, { cluster }]) => [name, cluster]));
  const measured = measureCells(cells.values(), {
    measure,
    clusters: clusters && [...clusters.values()],
  });
  if (!measured) return undefined;
  const isKnown = all.every(({ row }) => row !== undefined);
  return { score: measured, rows: isKnown ? { cells, measure, clusters } : undefined };
}

/** How the cells of rows are measured, where a suite says so: its score is no mean. */
async function measureOf({ file }: StoredRun, dataset: string): Promise<CellMeasure | undefined> {
  const suite = await suiteDatasetsOf(suiteTypeOf(file, dataset));
  const stamp = stampOf(file, dataset);
  const { metric, datasetMetrics = [] } = (stamp && suite?.metricsOf(stamp.task)) ?? {};
  const found = datasetMetrics.find(({ name }) => name === metric);
  return found?.type === 'cells' ? found.measure : undefined;
}

/** Copies of a row are told apart by their order. */
function nameCells(all: readonly Cell[]): [name: string, cell: Cell][] {
  const copies = new Map<string, number>();
  return all
    .toSorted((left, right) => left.id - right.id)
    .map((cell) => {
      const name = cell.row ?? `number ${cell.id}`;
      const copy = copies.get(name) ?? 0;
      copies.set(name, copy + 1);
      return [copy === 0 ? name : `${name} ${copy}`, cell];
    });
}
