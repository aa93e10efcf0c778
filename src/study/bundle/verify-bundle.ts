import { contentHash } from '../../base/content-hash.ts';
import { TypecaseError } from '../../errors.ts';
import { harness, requestKey, rowHash } from '../../evaluation/key.ts';
import { recordFault, scoreFault } from '../../run/store/record-fault.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { parseRunFile, type RunFile } from '../../run/store/run-file.ts';
import { rangeOf } from '../../run/store/run-file-parts.ts';
import type { EvaluationRecords } from '../../run/summarize-groups.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';
import { askedRows } from '../rescore/scored-evaluations.ts';
import type { BundledEvaluation, BundledRequest } from './bundle-format.ts';
import { differencesOf } from './differences-of.ts';
import { type OpenedBundle, openBundle } from './read-bundle.ts';
import {
  type OpenedEvaluation,
  readRowLine,
  remakePrompts,
  withBundled,
} from './remake-bundled.ts';
import { type HoldAgain, remakeResult, remakeSummary, stated } from './remake-summary.ts';
import { rescoreBundled } from './rescore-bundled.ts';

/** What was verified of a bundle, and what is wrong with it. */
export interface BundleVerification {
  readonly run: string;
  /** Version of Typecase that wrote it. */
  readonly typecase: string;
  readonly checks: readonly BundleCheck[];
  /** What is believed, because nothing else in the bundle says it. */
  readonly stated: readonly string[];
  /** Rows that the run did not get to. */
  readonly missing: number;
  /** Rows that there were to be. */
  readonly total: number;
  /** Whether nothing is wrong; there may be what could not be verified. */
  readonly holds: boolean;
}

export interface BundleCheck {
  readonly kind: 'files' | 'rows' | 'requests' | 'prompts' | 'scores' | 'summary';
  /** How many were verified. */
  readonly verified: number;
  /** What is wrong, in words: the first of them. */
  readonly wrong: readonly string[];
  /** What could not be verified, and why. */
  readonly open: readonly string[];
}

const mostListed = 20;

export interface VerifyOptions {
  readonly holdAgain: HoldAgain;
}

/** Verifies all that a bundle holds, by itself. Nothing is sent. */
export async function verifyBundleFile(
  path: string,
  options: VerifyOptions,
): Promise<BundleVerification> {
  const bundle = await openBundle(path);
  const { manifest } = bundle;
  const files = check('files', { verified: manifest.files.length - bundle.wrong.length });
  files.wrong.push(...bundle.wrong);
  const checks = [files];
  if (bundle.wrong.length === 0) {
    const file = parseRunFile(JSON.parse(bundle.text('run.json') ?? 'null'), 'run.json');
    checks.push(...(await checkContents(bundle, file, options)));
  } else {
    for (const kind of ['rows', 'requests', 'prompts', 'scores', 'summary'] as const) {
      checks.push(check(kind, { open: ['files were changed'] }));
    }
  }
  return {
    run: manifest.run,
    typecase: manifest.typecase,
    ...countRows(bundle),
    stated,
    checks: checks.map(({ wrong, ...rest }) => ({ ...rest, wrong: wrong.slice(0, mostListed) })),
    holds: checks.every(({ wrong }) => wrong.length === 0),
  };
}

interface OpenCheck extends BundleCheck {
  verified: number;
  readonly wrong: string[];
  readonly open: string[];
}

function check(
  kind: BundleCheck['kind'],
  { verified = 0, open = [] }: { verified?: number; open?: string[] } = {},
): OpenCheck {
  return { kind, verified, wrong: [], open };
}

/** How many rows there were to be, and how many of them the bundle lacks. */
function countRows(bundle: OpenedBundle): Pick<BundleVerification, 'missing' | 'total'> {
  const summary = summaryOf(bundle);
  const totals = bundle.manifest.evaluations.map(({ total, rows, ...evaluation }) => {
    const said = resultOf(summary, evaluation)?.rows.total ?? 0;
    return { total: Math.max(rows, total ?? said), rows };
  });
  const sum = (of: (one: { total: number; rows: number }) => number) =>
    totals.reduce((total, one) => total + of(one), 0);
  return { total: sum(({ total }) => total), missing: sum(({ total, rows }) => total - rows) };
}

function summaryOf(bundle: OpenedBundle): RunSummary | undefined {
  try {
    return JSON.parse(bundle.text('summary.json') ?? 'null') ?? undefined;
  } catch {
    // It was changed, and is named as that.
    return undefined;
  }
}

function resultOf(
  summary: RunSummary | undefined,
  { model, dataset }: Pick<BundledEvaluation, 'model' | 'dataset'>,
): TaskResult | undefined {
  return summary?.results.find((one) => one.model === model && one.dataset === dataset);
}

async function checkContents(
  bundle: OpenedBundle,
  file: RunFile,
  { holdAgain }: VerifyOptions,
): Promise<OpenCheck[]> {
  const rows = check('rows');
  const requests = check('requests');
  const prompts = check('prompts');
  const scores = check('scores');
  const sums = check('summary');
  const { evaluations } = bundle.manifest;
  for (const { name: model } of file.models) {
    for (const { abbr: dataset } of file.datasets) {
      const isInside = evaluations.some((one) => one.model === model && one.dataset === dataset);
      if (!isInside) rows.open.push(`${model} on ${dataset}: nothing is inside`);
    }
  }
  const summary = summaryOf(bundle);
  if (!summary) sums.open.push('the run has no summary');
  const results: TaskResult[] = [];
  const recorded: EvaluationRecords[] = [];
  const verdicts = new Set<string>();
  for (const evaluation of evaluations) {
    const name = nameOf(evaluation);
    const records = readRecords(bundle, evaluation, rows);
    checkRows(bundle, { evaluation, records }, rows);
    checkRequests(bundle, { evaluation, records, file }, requests);
    checkRange({ evaluation, records, file }, scores);
    const made = await withBundled({ bundle, file, evaluation }, async (opened) => ({
      prompts: await remakePrompts(opened),
      scores: await rescoreBundled(opened, records),
      leaks: await countLeaks(opened),
    }));
    if ('reason' in made) {
      prompts.open.push(`${name}: ${made.reason}`);
      scores.open.push(`${name}: not rescored: ${made.reason}`);
    } else {
      prompts.verified += made.prompts.made;
      for (const text of made.prompts.wrong) prompts.wrong.push(`${name}, ${text}`);
      const { scored, wrong, reason } = made.scores;
      scores.verified += scored;
      for (const text of wrong) scores.wrong.push(`${name}, ${text}`);
      if (reason !== undefined) scores.open.push(`${name}: not rescored: ${reason}`);
    }
    if (evaluation.total === undefined) rows.open.push(`${name}: how many rows there were to be`);
    const said = resultOf(summary, evaluation);
    if (!summary || !said) {
      if (summary) sums.wrong.push(`${name}: the summary has no result`);
      continue;
    }
    const counted = records.filter(({ part }) => part === undefined);
    const { model, dataset } = evaluation;
    recorded.push({ model, dataset, records: () => counted });
    const leaks = 'reason' in made ? undefined : made.leaks;
    const result = await remade(
      { evaluation, records: counted, file, said, leaks, counted: verdicts },
      sums,
    );
    results.push(result ?? said);
  }
  if (summary && results.length === evaluations.length) {
    const made = await remakeSummary(summary, { file, results, recorded, holdAgain });
    checkSummary(summary, made, sums);
  }
  return [rows, requests, prompts, scores, sums];
}

/** A result, made again; nothing where that is not possible. */
async function remade(
  source: Parameters<typeof remakeResult>[0],
  { open }: OpenCheck,
): Promise<TaskResult | undefined> {
  try {
    return await remakeResult(source);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    open.push(`${nameOf(source.evaluation)}: ${error.message}`);
    return undefined;
  }
}

async function countLeaks({ opened }: OpenedEvaluation): Promise<number> {
  let leaks = 0;
  for await (const { plan } of askedRows(opened)) {
    if (plan.requests.some(({ leak }) => leak)) leaks++;
  }
  return leaks;
}

function nameOf({ model, dataset }: BundledEvaluation): string {
  return `${model} on ${dataset}`;
}

interface Contents {
  readonly evaluation: BundledEvaluation;
  /** The lines of the log, those of parts included. */
  readonly records: readonly RowRecord[];
}

function readRecords(
  bundle: OpenedBundle,
  evaluation: BundledEvaluation,
  { wrong }: OpenCheck,
): RowRecord[] {
  const records: RowRecord[] = [];
  for (const line of bundle.lines(evaluation, 'log')) {
    const record: unknown = JSON.parse(line);
    const fault = recordFault(record);
    if (fault === undefined) records.push(record as RowRecord);
    else wrong.push(`${nameOf(evaluation)}: a log line is not a record: ${fault}`);
  }
  return records;
}

/** Rows hold what their records say. */
function checkRows(bundle: OpenedBundle, { evaluation, records }: Contents, rows: OpenCheck): void {
  const hashes = new Map<number, string>();
  for (const line of bundle.lines(evaluation, 'rows')) {
    const { id, row } = readRowLine(line);
    hashes.set(Number(id), rowHash(row));
  }
  for (const { id, row, part } of records) {
    if (part !== undefined) continue;
    const held = hashes.get(id);
    if (held === undefined) rows.wrong.push(`${nameOf(evaluation)}: row ${id} is missing`);
    else if (row !== undefined && row !== held)
      rows.wrong.push(`${nameOf(evaluation)}: row ${id} has different content`);
    else rows.verified++;
  }
}

/** Requests have the keys that the log names, by what was sent and to which model. */
function checkRequests(
  bundle: OpenedBundle,
  { evaluation, records, file }: Contents & { readonly file: RunFile },
  requests: OpenCheck,
): void {
  const name = nameOf(evaluation);
  if (file.harness !== undefined && file.harness !== harness) {
    requests.open.push(`${name}: keys were made by ${file.harness}, this version makes ${harness}`);
    return;
  }
  const identity = file.models.find((model) => model.name === evaluation.model)?.identity;
  const modelIdentity = contentHash(identity);
  const sent = new Set<string>();
  for (const line of bundle.lines(evaluation, 'requests')) {
    const request: BundledRequest = JSON.parse(line);
    sent.add(request.key);
    const { body, before = '' } = request;
    if (requestKey(`${before}${body}`, modelIdentity) === request.key) requests.verified++;
    else requests.wrong.push(`${name}: the request of row ${request.id} has another key`);
  }
  for (const { id, key, parts, outcome, prompt } of records) {
    const isAsked = prompt !== '' && outcome !== 'failed';
    if (isAsked && !(parts ?? [key]).every((one) => sent.has(one)))
      requests.wrong.push(`${name}: row ${id} answers a request that is not in the bundle`);
  }
}

/** Scores are what rows can have. */
function checkRange(
  { evaluation, records, file }: Contents & { readonly file: RunFile },
  { wrong }: OpenCheck,
): void {
  const range = rangeOf(file, evaluation.dataset);
  for (const record of records) {
    const fault = record.part === undefined ? scoreFault(record, range) : undefined;
    if (fault !== undefined) wrong.push(`${nameOf(evaluation)}, row ${record.id}: ${fault}`);
  }
}

/** The summary is what the records come to. */
function checkSummary(said: RunSummary, due: RunSummary, sums: OpenCheck): void {
  const { results, ...rest } = said;
  const { results: dueResults, ...dueRest } = due;
  const differ = (name: string, one: unknown, other: unknown) => {
    const found = differencesOf(one, other);
    sums.wrong.push(
      ...found.map(
        ({ path, a, b }) => `${name}${path}: the summary says ${a}, recomputing gives ${b}`,
      ),
    );
    return found.length > 0;
  };
  for (const result of results) {
    const name = `${result.model} on ${result.dataset}`;
    const other = resultOf(due, result);
    if (!other || !dueResults.includes(other)) {
      sums.wrong.push(`${name}: the summary has a result without any record in the bundle`);
    } else if (!differ(`${name}: `, result, other)) sums.verified++;
  }
  differ('', rest, dueRest);
}
