import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { RunResult } from '../../../api/evaluate.ts';
import { displayPath } from '../../../base/display-path.ts';
import { countOf, formatCount } from '../../../base/format.ts';
import { checkModel } from '../../../config/check-config.ts';
import { defaultRunFolder } from '../../../config/run-defaults.ts';
import type { Evaluations } from '../../../evaluation/open-evaluations.ts';
import { lastingKinds } from '../../../model/failure-kind.ts';
import { describeEvents } from '../../../report/describe-events.ts';
import {
  decimalsFor,
  formatInterval,
  formatScore,
  type ScoreStyle,
} from '../../../report/format-scores.ts';
import { rowFiles } from '../../../run/store/run-folder.ts';
import { writeWhole, writing } from '../../../run/store/write-whole.ts';
import type { RunSummary } from '../../../run/summary.ts';
import { measureCells } from '../../../stats/measure-cells.ts';
import { modelFlag, spellModel } from '../../../terminal/lm-eval/spell-model.ts';
import { followRun } from '../../../terminal/run/follow-run.ts';
import { addToJobSummary } from '../../../terminal/run/job-summary.ts';
import { tellOpened, warnOfOldLoglikelihoods } from '../../../terminal/run/warnings.ts';
import { describeTerminal, type Terminal } from '../../../terminal/terminal.ts';
import { alignColumns } from '../../../terminal/text/align-columns.ts';
import { evaluateSpelled, spellFoundModel, spellNamedTask } from '../../evaluate-spelled.ts';
import { scoreMeasure } from '../scoring/score-estimate.ts';
import { type Dialect, dialectNamed } from '../templates/dialects.ts';
import { type LmEvalOptions, parseLmEvalOptions } from './lm-eval-options.ts';
import { readOutcome, type TaskOutcome } from './read-outcome.ts';
import { resultFile, writeResult } from './result-file.ts';
import { shotsOfTasks, type TaskShots } from './shots-of-tasks.ts';
import { taskOf } from './task-evaluation.ts';

const notFinished = 3;

/** `typecase lm-eval`: the command line of the original harness. */
export async function runLmEval(args: readonly string[]): Promise<number> {
  const options = parseLmEvalOptions(args);
  if (!options) return 0;
  const dialect = dialectNamed(options.dialect);
  const shots = shotsOfTasks({ ...options, dialect });
  const { abbr } = checkModel(spellModel(options), modelFlag);
  const out = resolve(options.out ?? defaultRunFolder({}, { name: `lm-eval-${abbr}` }));
  return withoutEarlier(options.output_path, async () => {
    const { result, outcomes } = await evaluateTasks(shots, { options, dialect, out });
    warnOfOldLoglikelihoods(result.oldLoglikelihoods);
    if (outcomes.length === 0) return sayMissing(result.summary);
    sayCut(outcomes);
    sayEvents(result.summary);
    process.stdout.write(`${renderResults(outcomes, describeTerminal(process.stdout))}\n`);
    if (options.output_path !== undefined) {
      const parts = { outcomes, options, dialect, modelName: abbr, date: new Date() };
      await save(options.output_path, writeResult(resultFile(parts)));
    }
    process.stdout.write(`Report: ${displayPath(join(out, 'report.html'))}\n`);
    return 0;
  });
}

interface TaskParts {
  readonly options: LmEvalOptions;
  readonly dialect: Dialect;
  readonly out: string;
}

interface EvaluatedTasks {
  readonly result: RunResult;
  /** Empty while documents are not answered: what the others say is no result. */
  readonly outcomes: readonly TaskOutcome[];
}

/** Asks about the documents that the folder has no answer for, and judges all. */
async function evaluateTasks(
  shots: readonly TaskShots[],
  { options, dialect, out }: TaskParts,
): Promise<EvaluatedTasks> {
  const { limit, maxTime, cache, fresh, retry, dataDir, model } = options;
  const spelled = {
    models: [spellFoundModel(options)],
    datasets: shots.map(({ named: { name, task, version }, numFewshot }) =>
      spellNamedTask(name, { task, version, dialect, numFewshot, dataDir, model }),
    ),
  };
  const outcomes: TaskOutcome[] = [];
  const result = await followRun((following) => {
    let opened: Evaluations | undefined;
    return evaluateSpelled(spelled, {
      ...{ limit, maxTime, cache, fresh, retry, out },
      ...following,
      onOpen(evaluations) {
        opened = evaluations;
        tellOpened(evaluations, { strict: false });
      },
      async onSummary(summary, rows) {
        await addToJobSummary(summary, rows);
        const isDone = summary.complete && summary.results.every((one) => one.rows.failed === 0);
        for (const evaluation of isDone ? (opened ?? []) : []) {
          const task = taskOf(evaluation);
          const files = rowFiles(out, evaluation.modelName, evaluation.task.name);
          if (task) outcomes.push(await readOutcome(task, files));
        }
      },
    });
  });
  return { result, outcomes };
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
