import { basename, join, resolve } from 'node:path';
import { tasksUnder, terminalTable } from '../../report/index.ts';
import type { RunOutcome } from '../../run/execute.ts';
import { openRunFolder, type RunFolder } from '../../run/run-folder.ts';
import type { GroupResult, RunSummary, TaskResult } from '../../run/summary.ts';
import { groupAverage } from '../../stats/index.ts';
import { displayPath } from '../display-path.ts';
import { writeResults } from '../run/write-results.ts';
import { describeTerminal } from '../terminal.ts';
import { version } from '../version.ts';
import { readSavedRun, resultOf, type SavedRun, withEvaluators } from './recorded-run.ts';
import { type Rescored, rescoreTask } from './rescore-task.ts';
import { parseScoreOptions, type ScoreOptions } from './score-options.ts';
import { planScoring, type ScorePlan } from './score-tasks.ts';

const gateFailed = 1;
const notFinished = 3;

/** `typecase score`: new scores for the answers of a run. */
export async function runScore(args: readonly string[]): Promise<number> {
  const options = parseScoreOptions(args);
  if (!options) return 0;
  const saved = await readSavedRun(resolve(options.folder));
  const plan = await planScoring(saved, options);
  const folder = await openRunFolder(saved.folder);
  try {
    const outcome = await rescore(folder, { saved, plan });
    await writeResults(folder, outcome, options.failUnder);
    return report(outcome.summary, { ...options, folder: saved.folder });
  } finally {
    await folder.unlock();
    await plan.close?.();
  }
}

interface Scoring {
  readonly saved: SavedRun;
  readonly plan: ScorePlan;
}

/** Scores all tasks before the first file changes. */
async function rescore(folder: RunFolder, scoring: Scoring): Promise<RunOutcome> {
  const { saved, plan } = scoring;
  const rescored: Rescored[] = [];
  try {
    for (const task of plan.tasks) rescored.push(await rescoreTask(task, resultOf(saved, task)));
  } catch (error) {
    for (const { draft } of rescored) await draft.discard();
    throw error;
  }
  for (const { draft } of rescored) await draft.commit();
  const recorded = withEvaluators(saved.recorded, plan.evaluators);
  await folder.write('run.json', `${JSON.stringify(recorded, null, 2)}\n`);
  const results = rescored.map(({ result }) => result);
  const { summary } = saved;
  const now = new Date().toISOString();
  return {
    summary: {
      name: summary?.name ?? basename(folder.path),
      version,
      startedAt: summary?.startedAt ?? now,
      finishedAt: summary?.finishedAt ?? now,
      complete: isComplete(scoring) && results.every(({ rows }) => rows.missing === 0),
      results,
      groups: groupResults(results, scoring),
    },
    samples: rescored.map(({ sample }) => sample),
  };
}

/** Without a config only the summary knows how many rows there were to be. */
function isComplete({ saved: { summary }, plan: { tasks } }: Scoring): boolean {
  return tasks.every(({ rows }) => rows !== undefined) || (summary?.complete ?? false);
}

function groupResults(
  results: readonly TaskResult[],
  { saved: { summary }, plan: { groups } }: Scoring,
): GroupResult[] {
  const models = [...new Set(results.map(({ model }) => model))];
  const wanted: readonly Omit<GroupResult, 'score'>[] = groups
    ? Object.entries(groups).flatMap(([group, datasets]) =>
        models.map((model) => ({ model, group, datasets })),
      )
    : (summary?.groups ?? []);
  return wanted.map(({ model, group, datasets }) => {
    const scores = datasets.map(
      (dataset) =>
        results.find((result) => result.model === model && result.dataset === dataset)?.score,
    );
    const known = scores.filter((score) => score !== undefined);
    const score = known.length === scores.length ? groupAverage(known) : undefined;
    return { model, group, datasets, ...(score && { score }) };
  });
}

function report(summary: RunSummary, options: ScoreOptions): number {
  const { width, hasColors } = describeTerminal(process.stdout);
  const table = terminalTable(summary, { width, color: hasColors });
  process.stdout.write(
    options.json
      ? `${JSON.stringify(summary)}\n`
      : `${table}\nReport: ${displayPath(join(options.folder, 'report.html'))}\n`,
  );
  if (!summary.complete) {
    process.stderr.write('The run is not complete; `typecase run` asks the rest.\n');
    return notFinished;
  }
  const missed = options.failUnder === undefined ? [] : tasksUnder(summary, options.failUnder);
  return missed.length > 0 ? gateFailed : 0;
}
