import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { displayPath } from '../../base/display-path.ts';
import { hintForName } from '../../base/nearest-name.ts';
import { formatPath, RunFileError } from '../../errors.ts';
import type { FailureKind } from '../../model/failure-kind.ts';
import { fewValues } from '../../schema/schema-problems.ts';
import type { RunSummary, TaskResult } from '../summary.ts';
import { readCurrentRows } from './current-rows.ts';
import { ProblemList, type RecordProblem } from './record-problem.ts';
import { readRow } from './row-lines.ts';
import type { RowRecord } from './row-record.ts';
import { badFile, type RunFile, readJsonFile, readRunFile } from './run-file.ts';
import { rangeOf } from './run-file-parts.ts';
import { rowFiles, runFiles } from './run-folder.ts';

/** One model on one dataset. */
export interface EvaluationName {
  readonly model: string;
  readonly dataset: string;
}

/** How a row ended, and whose answer it was. */
export type StoredRow = RowRecord & EvaluationName;

/** Which rows of a run are meant: of a model, of a dataset, those that failed in some way. */
export interface RowSelection extends Partial<EvaluationName> {
  readonly kind?: FailureKind | undefined;
}

/** A run read back from its folder. */
export interface StoredRun {
  /** The folder. */
  readonly path: string;
  /** What was run. */
  readonly file: RunFile;
  /** What it came to; left out when the run did not come to its end. */
  readonly summary?: RunSummary | undefined;
  /** What there are answers of. */
  readonly evaluations: readonly EvaluationName[];
  /** How each row ended, in the order of the answers; all rows, or those that are selected. */
  readonly rows: (selection?: RowSelection) => AsyncIterable<StoredRow>;
  /** How one row ended, without reading the log through; nothing if the run has no record of it. */
  readonly row: (name: EvaluationName & { readonly id: number }) => Promise<StoredRow | undefined>;
  /** Those of the evaluations that a selection names. */
  readonly select: (selection: Partial<EvaluationName>) => readonly EvaluationName[];
  /** Damaged lines among what `rows` has read so far, which it left out: the first of each log. */
  readonly problems: readonly RecordProblem[];
}

/**
 * Opens a run folder for reading, also one of an older version.
 *
 * @example
 * const run = await openRun('runs/capitals');
 * for await (const { id, outcome, score } of run.rows({ dataset: 'capitals' })) {
 *   console.log(id, outcome, score); // 0 'scored' 1
 * }
 */
export async function openRun(folder: string): Promise<StoredRun> {
  const path = resolve(folder);
  const file = await readRunFile(path);
  const summary = await readSummary(path);
  const { logFile, indexFile } = runFiles(path);
  const evaluations = file.models
    .flatMap(({ name }) => file.datasets.map(({ abbr }) => ({ model: name, dataset: abbr })))
    .filter(({ model, dataset }) => existsSync(logFile(model, dataset)));
  const problemsOfLogs = new Map<string, ProblemList>();
  async function* rows({ kind, ...selection }: RowSelection = {}): AsyncGenerator<StoredRow> {
    for (const { model, dataset } of selectEvaluations(evaluations, { path, ...selection })) {
      const files = { logFile: logFile(model, dataset), indexFile: indexFile(model, dataset) };
      const problems = new ProblemList();
      problemsOfLogs.set(files.logFile, problems);
      const range = rangeOf(file, dataset);
      for await (const batch of readCurrentRows(files, { range, problems })) {
        for (const { record } of batch) {
          if (kind === undefined || record.kind === kind) yield { ...record, model, dataset };
        }
      }
    }
  }
  const select = (selection: Partial<EvaluationName>) =>
    selectEvaluations(evaluations, { path, ...selection });
  async function row({ id, ...name }: EvaluationName & { readonly id: number }) {
    const [one] = select(name);
    const record = one && (await readRow(rowFiles(path, one.model, one.dataset), id));
    return record && { ...record, ...name };
  }
  return {
    path,
    file,
    summary,
    evaluations,
    rows,
    row,
    select,
    get problems() {
      return [...problemsOfLogs.values()].flatMap(({ items }) => items);
    },
  };
}

function selectEvaluations(
  evaluations: readonly EvaluationName[],
  { path, model, dataset }: Partial<EvaluationName> & { readonly path: string },
): readonly EvaluationName[] {
  for (const [kind, wanted] of Object.entries({ model, dataset })) {
    const names = [...new Set(evaluations.map((one) => one[kind as keyof EvaluationName]))];
    if (wanted === undefined || names.includes(wanted)) continue;
    throw new RunFileError(
      'run.unknown_evaluation',
      `${displayPath(path)} has no answers of the ${kind} \`${wanted}\``,
      { hint: hintForName(wanted, { names, kind: kind === 'model' ? 'Models' : 'Datasets' }) },
    );
  }
  return evaluations.filter(
    (one) => (model ?? one.model) === one.model && (dataset ?? one.dataset) === one.dataset,
  );
}

/** What the summary says of a model on a dataset. */
export function resultOf(
  { summary }: Pick<StoredRun, 'summary'>,
  { model, dataset }: EvaluationName,
): TaskResult | undefined {
  return summary?.results.find((result) => result.model === model && result.dataset === dataset);
}

const estimate = z.union([
  z.looseObject({ value: z.number(), low: z.number(), high: z.number() }),
  z.looseObject({ value: z.number(), interval: z.enum(['too few', 'partial']) }),
]);
const count = z.number();
const counts = <Name extends string>(...names: readonly Name[]) =>
  z.looseObject(
    Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>,
  );
const someRows = z.looseObject({ rows: count, first: z.array(count) });
const byKind = z.array(z.looseObject({ kind: z.string(), rows: count }));

/** As much of the result of a task as is read back. Older versions left out what is optional. */
const resultSchema = z.looseObject({
  model: z.string(),
  dataset: z.string(),
  metric: z.string(),
  score: estimate.optional(),
  allRows: estimate.optional(),
  metrics: z
    .array(
      z.looseObject({
        name: z.string(),
        score: estimate,
        allRows: estimate.optional(),
        rows: count.optional(),
      }),
    )
    .optional(),
  signature: z.string().optional(),
  rows: counts('total', 'scored', 'unscored', 'failed', 'missing'),
  scorerFailed: count.optional(),
  clusters: z.looseObject({ by: z.string(), count }).optional(),
  possibleClusters: z.looseObject({ by: z.string().optional(), count }).optional(),
  samples: counts('asked', 'unscored').optional(),
  ties: count.optional(),
  reasons: z.array(z.looseObject({ reason: z.string(), rows: count })).optional(),
  tokens: counts('input', 'output').optional(),
  requests: counts('sent', 'cached', 'shared').optional(),
  answers: count.optional(),
  cutOff: count.optional(),
  stopped: byKind.optional(),
  unnamed: count.optional(),
  looser: someRows.optional(),
  notALabel: someRows
    .extend({ example: z.looseObject({ gold: z.string(), labels: z.array(z.string()) }) })
    .optional(),
  failures: byKind.optional(),
  cost: count.optional(),
  unpriced: z.array(z.string()).optional(),
  judge: z
    .looseObject({ requests: count, cached: count, tokens: counts('input', 'output') })
    .optional(),
  leaks: count.optional(),
  dropped: count.optional(),
  tooLong: count.optional(),
  seconds: count.optional(),
  latency: counts('total', 'median', 'p95').optional(),
});

/** As much of a summary as is read back. */
const summarySchema = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  complete: z.boolean(),
  results: z.array(resultSchema),
  groups: z.array(
    z.looseObject({
      model: z.string(),
      group: z.string(),
      datasets: z.array(z.string()),
      weights: z.array(z.number()).optional(),
      metrics: z.array(z.string()).optional(),
      score: estimate.optional(),
      allRows: estimate.optional(),
      withoutScore: z.array(z.string()).optional(),
    }),
  ),
  gates: z
    .array(
      z.looseObject({
        model: z.string(),
        dataset: z.string(),
        gate: z.string(),
        asked: z.union([z.number(), z.string()]),
        passed: z.boolean(),
      }),
    )
    .optional(),
  baseline: z.looseObject({ folder: z.string(), broken: z.array(z.string()) }).optional(),
  cost: counts('total').optional(),
  starts: counts('count', 'seconds', 'sent')
    .extend({ since: z.string(), tokens: counts('input', 'output') })
    .optional(),
  served: z
    .array(
      z.looseObject({
        model: z.string(),
        asked: z.string().optional(),
        names: z.array(z.looseObject({ name: z.string() })),
      }),
    )
    .optional(),
});

/** Reads the summary of a run; nothing if the run did not come to its end. */
async function readSummary(folder: string): Promise<RunSummary | undefined> {
  const file = join(folder, 'summary.json');
  const value = await readJsonFile(file);
  if (value === undefined) return undefined;
  const read = summarySchema.safeParse(value, fewValues);
  if (read.success) return value as RunSummary;
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? String(key) : key));
  throw badFile(file, `${formatPath(path) || 'the file'}: ${issue?.message}`, { path });
}
