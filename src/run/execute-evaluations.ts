import { basename, dirname, join } from 'node:path';
import { version } from '../base/version.ts';
import type { SummaryGroups } from '../config/config.ts';
import { maxTimerMs } from '../config/run-defaults.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Model } from '../model/model.ts';
import { executeRun, type ModelWork, type RunOutcome } from './execute.ts';
import type { ResponseCache } from './response-cache.ts';
import type { RetryKinds } from './resume.ts';
import { controlOf, type RunControl, type RunProgress, type RunReach } from './run-control.ts';
import type { StartRecord } from './start-record.ts';
import { type RunFolder, rowFiles } from './store/run-folder.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';
import type { RunSummary } from './summary.ts';
import type { RunVerdicts } from './verdict-memory.ts';

export interface ExecuteOptions {
  /** Takes answers of earlier runs to the same requests: from this folder, or from one beside the run. */
  readonly cache?: string | boolean | undefined;
  /** Asks everything again; the answers so far are set aside in the folder. */
  readonly fresh?: boolean | undefined;
  /** Which failed rows are asked again: all, none, or those of these kinds. */
  readonly retry?: RetryKinds | undefined;
  /** Starts no more requests after this time, in seconds. */
  readonly maxTime?: number | undefined;
  /** Ends the run before it costs more, in the currency of the models' prices. */
  readonly maxCost?: number | undefined;
  /** Has workers ask the models: the address of the Redis server that they are on. */
  readonly queue?: string | undefined;
  /** Asks models through the batch API of their endpoint. */
  readonly batch?: boolean | undefined;
  /** Aborting it ends the run at once; rows in flight are asked again by the next one. */
  readonly signal?: AbortSignal | undefined;
  /** Called once when the first requests go out. */
  readonly onStart?: ((control: RunControl) => void) | undefined;
  /** Called twice a second while the run goes on, and once at its end. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** The evaluations of a run by model, each with its files in the folder. */
export function workOf(
  evaluations: readonly Evaluation[],
  folder: Pick<RunFolder, 'path'>,
): ModelWork[] {
  return workByModel(
    evaluations.map((evaluation) => {
      const { modelName, task } = evaluation;
      return { evaluation, ...rowFiles(folder.path, modelName, task.name) };
    }),
  );
}

/** Evaluations by model. */
export function workByModel(evaluations: readonly StoredEvaluation[]): ModelWork[] {
  const work = new Map<Model, StoredEvaluation[]>();
  for (const stored of evaluations) {
    const { model } = stored.evaluation;
    work.set(model, [...(work.get(model) ?? []), stored]);
  }
  return [...work].map(([model, own]) => ({ model, evaluations: own }));
}

const tickMs = 500;

export interface WorkOptions extends Omit<ExecuteOptions, 'fresh'> {
  /** What judges said, which the cache is to hold as well. */
  readonly verdicts?: RunVerdicts | undefined;
  /** The start of the run that this is a part of, which takes note of it. */
  readonly start?: StartRecord | undefined;
  readonly groups?: SummaryGroups | undefined;
  /** Who answers, where models are not asked by the run itself. */
  readonly reach?: RunReach | undefined;
  /** How many rows of a model may fail before any is answered without ending the run. */
  readonly mayFail?: ((evaluations: readonly Evaluation[]) => number) | undefined;
}

/** Asks what the folder has no answer to, and sums up. */
export async function executeWork(
  work: readonly ModelWork[],
  folder: RunFolder,
  options: WorkOptions,
): Promise<RunOutcome> {
  const { cache, retry, maxTime, signal, onStart, onProgress } = options;
  const { groups, verdicts, start, reach, mayFail } = options;
  const answers = await openCache(folder, cache);
  verdicts?.share(answers, { ignoresCached: start?.isFresh });
  let timer: NodeJS.Timeout | undefined;
  let ticker: NodeJS.Timeout | undefined;
  let control: RunControl | undefined;
  let broken: { readonly error: unknown } | undefined;
  try {
    const outcome = await executeRun({
      name: basename(folder.path),
      version,
      groups,
      retry,
      models: work.map(({ model, evaluations }) => ({
        model,
        evaluations,
        cache: answers,
        ignoresCached: start?.isFresh,
        mayFail: () => mayFail?.(evaluations.map(({ evaluation }) => evaluation)) ?? 0,
        ...paceOf(evaluations[0]?.evaluation, reach),
      })),
      signal: signal ?? new AbortController().signal,
      onStart: (runs) => {
        const started = controlOf(runs, { judges: verdicts?.spent, reach });
        control = started;
        start?.watch(started);
        reach?.watch?.(() => runs.reduce((total, { unrecorded }) => total + unrecorded, 0));
        if (maxTime !== undefined) {
          timer = setTimeout(started.stop, Math.min(maxTime * 1000, maxTimerMs));
        }
        if (onProgress) {
          ticker = setInterval(() => {
            try {
              onProgress(started.progress());
            } catch (error) {
              broken ??= { error };
              clearInterval(ticker);
              started.stop();
            }
          }, tickMs);
        }
        onStart?.(started);
      },
    });
    start?.add(outcome);
    return broken ? { ...outcome, failure: broken.error } : outcome;
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
    if (control && !broken) onProgress?.(control.progress());
    verdicts?.share(undefined);
    await answers?.close();
  }
}

/** A limit that the config sets holds for all who answer together; without one they set it. */
function paceOf(evaluation: Evaluation | undefined, reach: RunReach | undefined) {
  const pace = evaluation?.pace ?? { maxConcurrency: 1, maxAttempts: 1 };
  const { abbr, batchSize } = evaluation?.modelConfig ?? {};
  if (!reach || abbr === undefined || (batchSize !== undefined && !reach.isEager)) return pace;
  return { ...pace, maxConcurrency: () => reach.roomFor(abbr), isEager: reach.isEager };
}

async function openCache(
  folder: RunFolder,
  cache: ExecuteOptions['cache'],
): Promise<ResponseCache | undefined> {
  const path = cacheFolder(folder.path, cache);
  if (path === undefined) return undefined;
  const { ResponseCache } = await import('./response-cache.ts');
  return ResponseCache.open(path);
}

/** Where answers of earlier runs are kept, if they are to be used. */
export function cacheFolder(folder: string, cache: ExecuteOptions['cache']): string | undefined {
  if (cache === undefined || cache === false) return undefined;
  return typeof cache === 'string' ? cache : join(dirname(folder), '.cache');
}

/** Whether there is anything to sum up. */
export function hasAnswers({ results }: RunSummary): boolean {
  return results.some(({ rows }) => rows.scored + rows.unscored > 0);
}
