import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeResults } from '../../../api/write-results.ts';
import { displayPath } from '../../../base/display-path.ts';
import { countOf, formatCount } from '../../../base/format.ts';
import { defaultRunFolder } from '../../../config/run-defaults.ts';
import type { KnownModel } from '../../../evaluation/open-model.ts';
import { lastingKinds } from '../../../model/failure-kind.ts';
import { describeEvents } from '../../../report/describe-events.ts';
import {
  decimalsFor,
  formatInterval,
  formatScore,
  type ScoreStyle,
} from '../../../report/format-scores.ts';
import { withKnownModels } from '../../../run/known-models.ts';
import { openRunFolder, type RunFolder } from '../../../run/store/run-folder.ts';
import { writeWhole, writing } from '../../../run/store/write-whole.ts';
import type { RunSummary } from '../../../run/summary.ts';
import { measureCells } from '../../../stats/measure-cells.ts';
import { followRun } from '../../../terminal/run/follow-run.ts';
import { addToJobSummary } from '../../../terminal/run/job-summary.ts';
import { warnOfOldLoglikelihoods } from '../../../terminal/run/warnings.ts';
import { describeTerminal, type Terminal } from '../../../terminal/terminal.ts';
import { alignColumns } from '../../../terminal/text/align-columns.ts';
import { scoreMeasure } from '../scoring/score-estimate.ts';
import { type Dialect, dialectNamed } from '../templates/dialects.ts';
import { loadTemplate, systemPromptNote } from '../templates/template.ts';
import { evaluateTasks } from './evaluate-tasks.ts';
import { type LmEvalOptions, parseLmEvalOptions } from './lm-eval-options.ts';
import { lmEvalModelConfig, openLmEvalModel } from './open-model.ts';
import { type PlannedTask, planTask } from './plan-task.ts';
import type { TaskOutcome } from './read-outcome.ts';
import { recordRun } from './record-run.ts';
import { resultFile, writeResult } from './result-file.ts';
import { shotsOfTasks, type TaskShots } from './shots-of-tasks.ts';
import { type TaskEvaluation, taskEvaluation } from './task-evaluation.ts';

const notFinished = 3;

/** `typecase lm-eval`: the command line of the original harness. */
export async function runLmEval(args: readonly string[]): Promise<number> {
  const options = parseLmEvalOptions(args);
  if (!options) return 0;
  const dialect = dialectNamed(options.dialect);
  const shots = shotsOfTasks({ ...options, dialect });
  const planned = await planTasks(shots, { options, dialect });
  const { abbr } = lmEvalModelConfig(options);
  const path = resolve(options.out ?? defaultRunFolder({}, { name: `lm-eval-${abbr}` }));
  return withoutEarlier(options.output_path, () => {
    // A server that is asked for everything again is asked anew what it can do.
    if (options.fresh)
      return evaluatePlanned(path, { planned, options, dialect, known: undefined });
    return withKnownModels(path, (known) =>
      evaluatePlanned(path, { planned, options, dialect, known: known?.get(abbr) }),
    );
  });
}

interface PlannedParts extends PlanParts {
  readonly planned: readonly PlannedTask[];
  readonly known: KnownModel | undefined;
}

async function evaluatePlanned(
  path: string,
  { planned, options, dialect, known }: PlannedParts,
): Promise<number> {
  const opened = await openLmEvalModel(options, known);
  try {
    const tasks = planned.map((task) => taskEvaluation(task, opened));
    const folder = await openRunFolder(path);
    try {
      return await runIn(folder, { tasks, options, dialect, modelName: opened.config.abbr });
    } finally {
      await folder.unlock();
    }
  } finally {
    await opened.model.close();
  }
}

interface PlanParts {
  readonly options: LmEvalOptions;
  readonly dialect: Dialect;
}

async function planTasks(
  shots: readonly TaskShots[],
  { options, dialect }: PlanParts,
): Promise<PlannedTask[]> {
  const { dataDir, limit } = options;
  if (dataDir === undefined) {
    process.stderr.write('These are synthetic documents; use --data-dir for the real ones.\n');
  }
  const systemPrompt = process.env.SYSTEM_PROMPT;
  const tasks: PlannedTask[] = [];
  for (const { named, numFewshot } of shots) {
    const template = await loadTemplate(named, { dialect, systemPrompt });
    if (template.ignoresSystemPrompt) process.stderr.write(`${systemPromptNote(template)}\n`);
    tasks.push(await planTask(template, { numFewshot, dataDir, limit }));
  }
  return tasks;
}

interface RunParts extends PlanParts {
  readonly tasks: readonly TaskEvaluation[];
  readonly modelName: string;
}

async function runIn(
  folder: RunFolder,
  { tasks, options, dialect, modelName }: RunParts,
): Promise<number> {
  const start = await recordRun(folder, { tasks, options });
  const { cache, maxTime, retry } = options;
  const { run, outcomes } = await followRun((following) =>
    evaluateTasks(tasks, { folder, start, cache, maxTime, retry, ...following }),
  );
  warnOfOldLoglikelihoods(run.oldLoglikelihoods);
  if (run.failure !== undefined) throw run.failure;
  await writeResults(folder, run);
  await addToJobSummary(run.summary);
  if (!outcomes) return sayMissing(run.summary);
  sayCut(outcomes);
  sayEvents(run.summary);
  process.stdout.write(`${renderResults(outcomes, describeTerminal(process.stdout))}\n`);
  if (options.output_path !== undefined) {
    const result = resultFile({ outcomes, options, dialect, modelName, date: new Date() });
    await save(options.output_path, writeResult(result));
  }
  process.stdout.write(`Report: ${displayPath(join(folder.path, 'report.html'))}\n`);
  return 0;
}

function sayEvents({ results }: RunSummary): void {
  for (const result of results) {
    for (const event of describeEvents(result)) {
      process.stderr.write(`${result.dataset}: ${event}\n`);
    }
  }
}

function sayMissing({ results }: RunSummary): number {
  for (const result of results) {
    const { dataset, rows, reasons } = result;
    if (rows.missing > 0) {
      process.stderr.write(
        `${dataset}: ${formatCount(rows.missing)} of ${countOf(rows.total, 'document')} not asked\n`,
      );
    }
    if (rows.failed === 0) continue;
    process.stderr.write(
      `${dataset}: ${countOf(rows.failed, 'document')} failed: ${reasons[0]?.reason}\n`,
    );
    for (const event of describeEvents(result)) process.stderr.write(`${dataset}: ${event}\n`);
  }
  const isLeft = results.every(
    ({ rows, failures = [] }) =>
      rows.missing === 0 && failures.every(({ kind }) => lastingKinds.has(kind)),
  );
  const goOn = isLeft ? 'add `--retry` to ask again' : 'run the same command again to resume';
  process.stderr.write(`Not all documents were answered, so there are no results; ${goOn}.\n`);
  return notFinished;
}

function sayCut(outcomes: readonly TaskOutcome[]): void {
  for (const { template, cut } of outcomes) {
    if (cut > 0) process.stderr.write(`${template.name}: ${countOf(cut, 'context')} cut to fit\n`);
  }
}

/** Where earlier results stand while there are no others: a name that nobody reads as results. */
function asideOf(file: string): string {
  return `${resolve(file)}.earlier`;
}

/** Results of an earlier start do not pass for those of this one, however it ends. */
async function withoutEarlier(
  file: string | undefined,
  evaluate: () => Promise<number>,
): Promise<number> {
  if (file === undefined) return evaluate();
  const path = resolve(file);
  const aside = asideOf(file);
  const isThere = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  if (isThere) await writing(path, () => rename(path, aside));
  try {
    return await evaluate();
  } finally {
    if (existsSync(aside)) {
      const [shown, shownAside] = [displayPath(path), displayPath(aside)];
      process.stderr.write(`${shown} was not written; the earlier one is now ${shownAside}.\n`);
    }
  }
}

async function save(file: string, text: string): Promise<void> {
  const path = resolve(file);
  await writing(path, () => mkdir(dirname(path), { recursive: true }));
  await writeWhole(path, text);
  await rm(asideOf(file), { force: true });
  process.stdout.write(`Results: ${displayPath(path)}\n`);
}

/** The scores of tasks as a table for a terminal. */
function renderResults(outcomes: readonly TaskOutcome[], { colors }: Terminal): string {
  const decimals = decimalsFor(Math.max(...outcomes.map(({ rows }) => rows.length)));
  const lines = outcomes.map((outcome) => lineOf(outcome, { decimals }));
  const titles = ['task', 'template', 'shots', 'documents', 'metric', 'score', '95% interval'];
  const [head = '', ...rest] = alignColumns([titles, ...lines], titles.length);
  return [colors.dim(head), ...rest, ''].join('\n');
}

function lineOf({ template, numFewshot, rows }: TaskOutcome, style: ScoreStyle): string[] {
  const measure = scoreMeasure(template.task);
  const { metric, cellOf } = measure;
  const score = measureCells(rows.map(cellOf), measure);
  return [
    ...[template.name, template.hash, String(numFewshot), String(rows.length), metric],
    ...(score ? [formatScore(score.value, style), formatInterval(score, style)] : ['–', '–']),
  ];
}
