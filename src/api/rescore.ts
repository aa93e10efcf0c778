import { basename, resolve } from 'node:path';
import { countOf } from '../base/format.ts';
import { version } from '../base/version.ts';
import type { Config, SummaryGroups } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { overrideConfig } from '../config/override-config.ts';
import { locateDiagnostic, withLocation } from '../config/with-location.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import { totalCost } from '../run/cost.ts';
import type { RunOutcome } from '../run/execute.ts';
import { servedOtherwise } from '../run/served-models.ts';
import { totalOf } from '../run/start-record.ts';
import { type EvaluationName, openRun, resultOf, type StoredRun } from '../run/store/open-run.ts';
import { ProblemList } from '../run/store/record-problem.ts';
import { writeRunFile } from '../run/store/run-file.ts';
import { datasetOf, overridesOf } from '../run/store/run-file-parts.ts';
import { openRunFolder, type RunFolder, rowFiles } from '../run/store/run-folder.ts';
import { recordsIn, summarizeGroups } from '../run/summarize-groups.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import { keepVerdicts } from '../run/verdict-memory.ts';
import { openScorableRun } from '../study/open-scorable-run.ts';
import { type Rescored, rescoreTask } from '../study/rescore/rescore-evaluation.ts';
import {
  planScoring,
  type ScoredEvaluation,
  type ScorePlan,
  withEvaluators,
} from '../study/rescore/scored-evaluations.ts';
import { checkGates, type GatedTask } from './check-gates.ts';
import { checkOptions } from './check-options.ts';
import type { RunResult } from './evaluate.ts';
import { rescoreNames } from './option-names.ts';
import { type GateOptions, gateOf, withGates, withGatesAgain } from './with-gates.ts';
import { writeResults } from './write-results.ts';

export interface RescoreOptions extends GateOptions {
  /** The config whose `eval_cfg` and data count; left out: what was recorded. */
  readonly config?: Config | ConfigInput | undefined;
  /** How answers are judged, for all datasets. */
  readonly evaluator?: string | undefined;
  /** Called before the first answer is scored, with what limits the code of answers where it is run. */
  readonly onScoring?: ((notes: readonly string[]) => void) | undefined;
}

/**
 * Rescores the saved answers of a run: what `typecase score` does. Models are not asked; judges
 * are, for verdicts that the run did not keep. Rows of several requests are put together as they were.
 * Results are held to the gates of the config, or else to those of the run.
 *
 * @example
 * const { summary } = await rescore('runs/capitals', { evaluator: 'contains' });
 * summary.results[0]?.score?.value; // 0.92
 */
export async function rescore(folder: string, options: RescoreOptions = {}): Promise<RunResult> {
  checkOptions<RescoreOptions>(options, rescoreNames);
  const { evaluator } = options;
  const run = await openScorableRun(resolve(folder), {
    hasConfig: options.config !== undefined,
  });
  const given = options.config && (await toConfig(options.config));
  const config = given && overrideConfig(given, overridesOf(run.file));
  const verdicts = keepVerdicts(run.path);
  try {
    const plan = await planScoring(run, { config, evaluator, verdicts });
    try {
      await checkGates(gatedTasks(run, { plan, config, options }));
      options.onScoring?.(plan.tasks.flatMap(({ scoringNotes }) => scoringNotes));
      const opened = await openRunFolder(run.path);
      try {
        const { problems, samples, left, ...scored } = await rescoreIn(opened, { run, plan });
        const { gates = [] } = config
          ? withGates(scored.summary, { options: {}, config })
          : (run.summary ?? {});
        const summary = withGatesAgain(scored.summary, gates, options);
        await writeResults(opened, { summary, samples });
        const { rows } = await openRun(run.path);
        const diagnostics = [
          ...plan.tasks.flatMap(({ evaluation }) => evaluation?.diagnostics ?? []),
          ...left,
        ].map((one) => locateDiagnostic(config?.written, one));
        return { folder: run.path, summary, problems, oldLoglikelihoods: 0, rows, diagnostics };
      } finally {
        await opened.unlock();
      }
    } finally {
      await plan.close();
    }
  } catch (error) {
    throw config ? withLocation(config.written, error) : error;
  } finally {
    await verdicts.close();
  }
}

/** What the config or the command says; what a run was held to before, it was held to. */
function gatedTasks(
  { file }: StoredRun,
  {
    plan,
    config,
    options,
  }: { plan: ScorePlan; config: Config | undefined; options: RescoreOptions },
): GatedTask[] {
  return plan.tasks.map(({ model, dataset, scorer, evaluation, combine }) => ({
    model,
    dataset: config?.datasets.find(({ abbr }) => abbr === dataset) ??
      datasetOf(file, dataset) ?? { abbr: dataset },
    scorer,
    rows: evaluation?.rows,
    isComposite: evaluation ? evaluation.type === 'composite' : combine !== undefined,
    failUnder: gateOf({ model, dataset }, { options, config }).failUnder,
  }));
}

/** What a row of several requests is made of, only a config says: those that a run did not write are left. */
function leftIn(
  { model, dataset, evaluation }: ScoredEvaluation,
  rescored: Rescored | undefined,
): Diagnostic[] {
  const rows = rescored?.draft.partsAlone ?? 0;
  if (evaluation || rows === 0) return [];
  return [
    {
      code: 'score.answers_left',
      message: `${model} on ${dataset}: ${countOf(rows, 'row')} of several requests have only some answers, saved by an interrupted run, and are not scored`,
      hint: 'Add the config: `typecase score FOLDER CONFIG` scores rows whose answers are complete.',
      path: [],
    },
  ];
}

interface Scoring {
  readonly run: StoredRun;
  readonly plan: ScorePlan;
}

/** Scores all tasks before the first file changes. */
async function rescoreIn(
  folder: RunFolder,
  scoring: Scoring,
): Promise<RunOutcome & { readonly left: readonly Diagnostic[] }> {
  const { run, plan } = scoring;
  const rescored: Rescored[] = [];
  const counted = new Set<string>();
  try {
    for (const task of plan.tasks)
      rescored.push(await rescoreTask(task, { previous: resultOf(run, task), counted }));
  } catch (error) {
    for (const { draft } of rescored) await draft.discard();
    throw error;
  }
  for (const { draft } of rescored) await draft.commit();
  await writeRunFile(folder, withEvaluators(run.file, plan));
  const results = withOthers(
    run,
    rescored.map(({ result }) => result),
  );
  const problems = new ProblemList();
  for (const { draft } of rescored) problems.addAll(draft.problems);
  const { summary } = run;
  const cost = totalCost(results);
  const now = new Date().toISOString();
  return {
    problems,
    left: plan.tasks.flatMap((task, place) => leftIn(task, rescored[place])),
    oldLoglikelihoods: 0,
    summary: {
      name: summary?.name ?? basename(folder.path),
      version,
      startedAt: summary?.startedAt ?? now,
      finishedAt: summary?.finishedAt ?? now,
      complete: isComplete(scoring, results) && results.every(({ rows }) => rows.missing === 0),
      results,
      groups: await summarizeGroups(plan.groups ?? groupsOf(run), {
        results,
        recorded: results.map(({ model, dataset }) => ({
          ...{ model, dataset },
          records: () => recordsIn(rowFiles(folder.path, model, dataset)),
        })),
      }),
      ...(cost && { cost }),
      ...startsOf(run),
    },
    samples: rescored.map(({ sample }) => sample),
  };
}

/** What the config does not name stays as it was. */
function withOthers({ summary }: StoredRun, rescored: readonly TaskResult[]): TaskResult[] {
  const others = (summary?.results ?? []).filter(
    (result) => !rescored.some((one) => isSameTask(one, result)),
  );
  const order = (result: TaskResult) =>
    summary?.results.findIndex((one) => isSameTask(one, result)) ?? 0;
  return [...rescored, ...others].sort((one, other) => order(one) - order(other));
}

function isSameTask(one: EvaluationName, other: EvaluationName): boolean {
  return one.model === other.model && one.dataset === other.dataset;
}

/** Without a config only the summary knows how many rows there were to be. */
function isComplete(
  { run: { file, summary, evaluations }, plan: { tasks } }: Scoring,
  results: readonly TaskResult[],
): boolean {
  if (results.some(({ partial }) => partial)) return false;
  const last = file.starts?.at(-1);
  // What a start that was killed did not get to has no log.
  if (last && last.finishedAt === undefined) {
    return (
      tasks.every(({ evaluation }) => evaluation !== undefined) &&
      evaluations.length === file.models.length * file.datasets.length
    );
  }
  if (tasks.every(({ evaluation }) => evaluation !== undefined)) return true;
  if (!summary || summary.complete) return summary?.complete ?? false;
  return summary.results.length === results.length && evaluations.length === results.length;
}

/** What the starts of the run took, and what it was served by, stays. */
function startsOf({ file: { starts, models } }: StoredRun): Pick<RunSummary, 'starts' | 'served'> {
  const served = servedOtherwise(models);
  return { ...(starts && { starts: totalOf(starts) }), ...(served.length > 0 && { served }) };
}

function groupsOf({ summary }: StoredRun): SummaryGroups {
  return Object.fromEntries(
    (summary?.groups ?? []).map(({ group, datasets, weights }) => [group, { datasets, weights }]),
  );
}
