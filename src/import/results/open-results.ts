import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from '../../api/evaluate.ts';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { ConfigInput } from '../../config/config-input.ts';
import { TypecaseError } from '../../errors.ts';
import { formatValue } from '../../prompt/values.ts';
import { openRun } from '../../run/store/open-run.ts';
import { writeRecordedValues } from '../../run/store/recorded-values.ts';
import type { OpenedFrom } from '../../run/store/run-file.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';
import type { ForeignEvaluation, ForeignRow } from './foreign-results.ts';
import { readInspect } from './inspect-results.ts';
import { readLmEval } from './lm-eval-results.ts';
import { readOpenCompass } from './opencompass-results.ts';
import { readPromptfoo } from './promptfoo-results.ts';
import { recordedModel } from './recorded-model.ts';
import { type Scoring, spellResults } from './results-config.ts';

/** What another harness wrote, as a run. */
export interface OpenedResults {
  /** The folder of the run. */
  readonly folder: string;
  readonly summary: RunSummary;
  readonly evaluations: readonly ComparedEvaluation[];
}

/** An evaluation, with the number that its harness recorded and the one that comes of its rows here. */
export interface ComparedEvaluation {
  readonly model: string;
  /** What the run calls the model. */
  readonly name: string;
  readonly dataset: string;
  readonly scoring: Scoring;
  readonly metric: string;
  /** Both from 0 to 1, where the metric is a share. */
  readonly recorded?: number | undefined;
  readonly here?: number | undefined;
  /** Further numbers of the results that rows come to here. */
  readonly others: readonly ComparedNumber[];
  /** Why no row has a score. */
  readonly unscored?: string | undefined;
  /** Tasks of the same results that have numbers and no rows. */
  readonly withoutRows?: readonly string[] | undefined;
}

interface ComparedNumber {
  readonly metric: string;
  readonly recorded: number;
  readonly here: number;
}

const readers: Readonly<
  Record<string, (path: string) => readonly ForeignEvaluation[] | undefined>
> = {
  'OpenCompass or AISBench': readOpenCompass,
  Inspect: readInspect,
  promptfoo: readPromptfoo,
  'lm-evaluation-harness': readLmEval,
};

/** Opens results of another harness: a run for each model, in folders below `out` where there are several. */
export async function openResults(path: string, out: string): Promise<readonly OpenedResults[]> {
  const { harness, evaluations } = readResults(path);
  const models = [...new Set(evaluations.map(({ model }) => model))];
  const names = folderNames(models);
  const folders = models.map((_, index) =>
    models.length === 1 ? out : join(out, names[index] ?? ''),
  );
  await requireOwnFolders(out, folders);
  const opened: OpenedResults[] = [];
  for (const [index, model] of models.entries()) {
    const own = evaluations.filter((one) => one.model === model);
    opened.push(await openModel(own, { folder: folders[index] ?? out, harness }));
  }
  return opened;
}

/** What a folder was opened from, if it was. */
async function openedFrom(folder: string): Promise<OpenedFrom | undefined> {
  if (!existsSync(join(folder, 'run.json'))) return undefined;
  return (await openRun(folder)).file.settings.opened;
}

function sourceHash(evaluations: readonly ForeignEvaluation[]): string {
  const sum = createHash('sha256');
  for (const { rows, ...evaluation } of evaluations) {
    sum.update(`${JSON.stringify(evaluation)}\n`);
    for (const row of rows) sum.update(`${JSON.stringify(row)}\n`);
  }
  return sum.digest('hex').slice(0, 32);
}

/** Results that were opened earlier make room; a run that asked models does not, nor what would stand beside the new runs. */
async function requireOwnFolders(out: string, folders: readonly string[]): Promise<void> {
  const inner = existsSync(out) ? readdirSync(out, { withFileTypes: true }) : [];
  const places = [
    out,
    ...inner.filter((one) => one.isDirectory()).map(({ name }) => join(out, name)),
  ];
  for (const folder of places) {
    if (!existsSync(join(folder, 'run.json'))) continue;
    const isWritten = folders.includes(folder);
    const isOpened = (await openedFrom(folder)) !== undefined;
    if (isWritten ? isOpened : !isOpened && folder !== out) continue;
    throw new UsageError(
      'results.folder_taken',
      `${displayPath(folder)} holds ${isOpened ? 'other results that were opened' : 'a run that asked models'}`,
      { hint: 'Open the results elsewhere: `typecase open RESULTS --out FOLDER`.' },
    );
  }
}

/** A folder for each model, none of them outside, and none for two. */
function folderNames(models: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const model of models) {
    const plain = model.replaceAll(/[^\w.-]+/g, '_').replace(/^\.*$/, '_');
    let name = plain;
    for (let number = 2; names.has(name); number += 1) name = `${plain}-${number}`;
    names.add(name);
  }
  return [...names];
}

/** Whether a path holds results of a harness that is known. */
export function holdsResults(path: string, except?: string): boolean {
  return Object.entries(readers).some(
    ([harness, read]) => harness !== except && (read(path)?.length ?? 0) > 0,
  );
}

/** Results are written with two decimals of a percentage at least. */
const tolerance = 1e-4;

/** Where the rows of results do not come to the number that stands in them, a sentence each. */
export function mismatches(opened: readonly OpenedResults[]): string[] {
  return opened
    .flatMap(({ evaluations }) => evaluations)
    .flatMap((one) => [...lackingRows(one), ...otherNumbers(one)]);
}

function lackingRows({ withoutRows = [] }: ComparedEvaluation): readonly string[] {
  return withoutRows.map(
    (task) => `${task}: the results file has its numbers, but there is no file with its rows.`,
  );
}

function otherNumbers(one: ComparedEvaluation): readonly string[] {
  const { dataset, recorded, here, others, unscored } = one;
  if (unscored !== undefined) return [`${dataset}: ${unscored}.`];
  const further = others
    .filter((other) => Math.abs(other.recorded - other.here) > tolerance)
    .map(
      (other) =>
        `${dataset}: the results file says ${shownNumber(other.recorded)} of ${other.metric}, but its rows give ${shownNumber(other.here)}.`,
    );
  if (recorded === undefined) return further;
  if (here !== undefined && Math.abs(recorded - here) <= tolerance) return further;
  const given =
    here === undefined ? 'no row has a score here' : `its rows give ${shownNumber(here)}`;
  return [`${dataset}: the results file says ${shownNumber(recorded)}, but ${given}.`, ...further];
}

/** A number of results as people read it. */
export function shownNumber(value: number | undefined): string {
  return value === undefined ? '–' : String(Number(value.toFixed(4)));
}

interface ReadResults {
  readonly harness: string;
  readonly evaluations: readonly ForeignEvaluation[];
}

function readResults(path: string): ReadResults {
  if (!existsSync(path)) {
    throw new UsageError('results.not_found', `File or folder not found: ${displayPath(path)}`, {
      hint: 'Give the folder or file that the other harness wrote.',
    });
  }
  for (const [harness, read] of Object.entries(readers)) {
    const evaluations = read(path)?.filter(({ rows }) => rows.length > 0) ?? [];
    if (evaluations.length > 0) return { harness, evaluations };
  }
  throw new UsageError('results.unknown', `${displayPath(path)} has no results of a known kind`, {
    hint: `Supported: ${Object.keys(readers).join(', ')}; lm-evaluation-harness needs --log_samples.`,
  });
}

async function openModel(
  evaluations: readonly ForeignEvaluation[],
  { folder, harness }: { readonly folder: string; readonly harness: string },
): Promise<OpenedResults> {
  const datasets: object[] = [];
  const scorings: Scoring[] = [];
  for (const evaluation of evaluations) {
    const task = evaluation.task && (await asTask(evaluation));
    const { dataset, scoring } = await spellResults(task ?? evaluation, { asTask: Boolean(task) });
    datasets.push(dataset);
    scorings.push(scoring);
  }
  const scoredBy = Object.fromEntries(
    evaluations.map(({ dataset }, index) => [dataset, evaluatorOf(scorings[index])]),
  );
  const shots = Object.fromEntries(
    evaluations.flatMap((one) => (one.shots === undefined ? [] : [[one.dataset, one.shots]])),
  );
  const source = sourceHash(evaluations);
  const { summary } = await evaluate(configOf(evaluations, datasets), {
    out: folder,
    // What another file said is no answer of this one.
    fresh: (await openedFrom(folder))?.source !== source,
    savePrompts: true,
    record: { command: 'run', settings: { opened: { harness, scoredBy, shots, source } } },
  });
  for (const evaluation of evaluations) await keepExtracted(folder, evaluation);
  return {
    folder,
    summary,
    evaluations: evaluations.map((evaluation, index) =>
      compared(evaluation, {
        scoring: scorings[index] ?? { type: 'recorded' },
        result: summary.results.find(({ dataset }) => dataset === evaluation.dataset),
      }),
    ),
  };
}

/** As configs have it. */
function evaluatorOf(scoring: Scoring | undefined): string {
  if (scoring?.type === 'evaluator') return scoring.evaluator;
  return scoring?.type === 'task' ? 'task' : 'function';
}

async function keepExtracted(folder: string, evaluation: ForeignEvaluation): Promise<void> {
  const { logFile } = rowFiles(folder, modelName(evaluation.model), evaluation.dataset);
  const textOf = (value: unknown) =>
    value === undefined || value === null ? undefined : formatValue(value);
  const values = evaluation.rows.flatMap(({ extracted, gold, measured }, id) => {
    // Tasks with choices record the number of the right one, and not what it says.
    const own = { extracted: textOf(extracted), gold: measured ? undefined : textOf(gold) };
    return own.extracted === undefined && own.gold === undefined ? [] : [{ id, ...own }];
  });
  await writeRecordedValues(logFile, values);
}

function modelName(model: string): string {
  return model.replaceAll('/', '_');
}

function configOf(
  evaluations: readonly ForeignEvaluation[],
  datasets: readonly object[],
): ConfigInput {
  const [{ model }] = evaluations as [ForeignEvaluation];
  const object = recordedModel(model, evaluations);
  return {
    models: [{ abbr: modelName(model), model: object }],
    datasets,
  } as unknown as ConfigInput;
}

/** What is scored by its task: where the texts that this makes of its rows are those that were recorded. */
async function asTask(evaluation: ForeignEvaluation): Promise<ForeignEvaluation | undefined> {
  const { rows, hasSeveralInputs } = evaluation;
  const texts = new Set(rows.flatMap(({ measured = [] }) => measured.map(({ text }) => text)));
  try {
    const task = hasSeveralInputs ? await withContexts(evaluation) : evaluation;
    const planned = await plannedTexts(task);
    return planned.flat().every((text) => texts.has(text)) ? task : undefined;
  } catch (error) {
    if (TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}

/** Prompts without the choice that each ends with: what is recorded before what the task makes of its row alone. */
async function withContexts(evaluation: ForeignEvaluation): Promise<ForeignEvaluation> {
  const rows = evaluation.rows.map((row) => ({ ...row, prompt: '' }));
  const planned = await plannedTexts({ ...evaluation, rows });
  const contextOf = ({ measured = [] }: ForeignRow, own = '') => {
    const { text = '' } = measured[0] ?? {};
    return text.endsWith(own) ? text.slice(0, text.length - own.length) : '';
  };
  return {
    ...evaluation,
    rows: rows.map((row, id) => ({ ...row, prompt: contextOf(row, planned[id]?.[0]) })),
  };
}

/** The texts whose likelihood the task would have measured, of each row. */
async function plannedTexts(evaluation: ForeignEvaluation): Promise<readonly string[][]> {
  const { openEvaluations } = await import('../../evaluation/open-evaluations.ts');
  const { dataset } = await spellResults(evaluation, { asTask: true });
  const opened = await openEvaluations(configOf([evaluation], [dataset]), { purpose: 'view' });
  const planned: string[][] = [];
  try {
    for await (const batch of opened[0]?.rows.batches() ?? []) {
      for (const row of batch) {
        const { requests } = (await opened[0]?.plan(row)) ?? { requests: [] };
        planned.push(
          requests.flatMap(({ asked }) =>
            asked.type === 'loglikelihood' ? asked.texts.map(({ text }) => text) : [],
          ),
        );
      }
    }
  } finally {
    await opened.close();
  }
  return planned;
}

function compared(
  { model, dataset, recorded, others = [], isOfScored, unscored, withoutRows }: ForeignEvaluation,
  { scoring, result }: { readonly scoring: Scoring; readonly result: TaskResult | undefined },
): ComparedEvaluation {
  const here = (isOfScored ? undefined : result?.allRows?.value) ?? result?.score?.value;
  return {
    ...{ model, name: modelName(model), dataset, scoring },
    metric: recorded?.metric ?? result?.metric ?? 'score',
    ...(recorded && { recorded: recorded.value / recorded.scale }),
    others: others.flatMap(({ metric, names, value, scale, here }) => {
      if (here !== undefined) return [{ metric, recorded: value / scale, here: here / scale }];
      const found = names.flatMap(
        (name) => result?.metrics?.find((one) => one.name === name) ?? [],
      );
      const own = scoring.type === 'task' ? found[0] : undefined;
      const given = own?.allRows?.value ?? own?.score?.value;
      return given === undefined ? [] : [{ metric, recorded: value / scale, here: given }];
    }),
    ...(here !== undefined && { here }),
    ...(unscored !== undefined && { unscored }),
    ...(withoutRows && { withoutRows }),
  };
}
