import { contentHash } from '../../base/content-hash.ts';
import { servedOtherwise } from '../../run/served-models.ts';
import { openRun, type StoredRun } from '../../run/store/open-run.ts';
import { datasetOf, stampOf } from '../../run/store/run-file-parts.ts';
import type { TaskResult } from '../../run/summary.ts';
import { ofRowsReached } from '../../stats/estimate.ts';
import { withinShares } from '../../stats/measure-cells.ts';
import { firstVersion } from '../../tasks/stand-in.ts';
import { servedAs } from './name-models.ts';
import { readLog, type Scored } from './read-log.ts';
import type { ModelResult, TaskScore } from './task-score.ts';

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
    const served = servedOtherwise(run.file.models).find((one) => one.model === model);
    found.push({
      model,
      settings: settingsOf(run, model),
      ...(served && { served }),
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

function isRankable(result: TaskResult): result is Scored {
  return result.score !== undefined && !result.plain && result.direction === undefined;
}

/** What tells a model's answers from another's, but for the address: a model may move. */
function settingsOf({ file }: StoredRun, model: string): ModelResult['settings'] {
  const { identity = {}, served = [] } = file.models.find(({ name }) => name === model) ?? {};
  const { url: _, headers: __, ...telling } = identity;
  const names = served.map(({ name }) => name).sort();
  return Object.fromEntries([
    ...flatten(telling, ''),
    ...(names.length > 0 ? [[servedAs, names.join(' and ')]] : []),
  ]);
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
  const { dataset } = result;
  const stamp = stampOf(run.file, dataset);
  const { limit, ids, where } = run.file.settings;
  const { score, asked, ...read } = await readLog(run, result);
  const isInterrupted = result.rows.total > asked;
  return {
    task: stamp?.task ?? dataset,
    version: stamp?.version ?? firstVersion,
    ...(!stamp && { text: textOf(run, dataset) }),
    ...{ stamp, isGuessed: false, file: folder },
    shots: shotsOf(run, dataset),
    score: withinShares(isInterrupted ? ofRowsReached(score) : score),
    isPartial: isInterrupted || limit !== undefined || Boolean(ids) || where !== undefined,
    ...(isInterrupted && { isInterrupted }),
    ...read,
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
  const { opened } = file.settings;
  if (opened) return opened.shots?.[dataset];
  const recorded = datasetOf(file, dataset);
  const { numFewshot, config }: LmEvalShots = Object(recorded?.lmEval);
  const ofTask = numFewshot ?? Object(config).num_fewshot;
  if (typeof ofTask === 'number') return ofTask;
  if (typeof recorded?.numFewshot === 'number') return recorded.numFewshot;
  const { retriever }: { readonly retriever?: Retriever } = Object(recorded?.inferCfg);
  const { type, iceNum, fixIdList } = retriever ?? {};
  if (Array.isArray(fixIdList)) return fixIdList.length;
  if (typeof iceNum === 'number' && type !== 'ZeroRetriever') return iceNum;
  return type === 'ZeroRetriever' ? 0 : undefined;
}

interface LmEvalShots {
  readonly numFewshot?: unknown;
  readonly config?: unknown;
}

interface Retriever {
  readonly type?: unknown;
  readonly iceNum?: unknown;
  readonly fixIdList?: unknown;
}
