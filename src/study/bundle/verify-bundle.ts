import { contentHash } from '../../base/content-hash.ts';
import { TypecaseError } from '../../errors.ts';
import { harness, requestKey, rowHash } from '../../evaluation/key.ts';
import { recordFault, scoreFault } from '../../run/store/record-fault.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { parseRunFile, type RunFile } from '../../run/store/run-file.ts';
import { datasetOf, rangeOf } from '../../run/store/run-file-parts.ts';
import { Tally } from '../../run/summarize.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';
import { openClusters } from '../../run/tallies.ts';
import { recordedScorer } from '../recorded-scorer.ts';
import type { BundledEvaluation, BundledRequest } from './bundle-format.ts';
import { type OpenedBundle, openBundle } from './read-bundle.ts';
import { readRowLine, remakeBundled } from './remake-bundled.ts';

/** What was verified of a bundle, and what is wrong with it. */
export interface BundleVerification {
  readonly run: string;
  /** Version of Typecase that wrote it. */
  readonly typecase: string;
  readonly checks: readonly BundleCheck[];
  /** Whether nothing is wrong; there may be what could not be verified. */
  readonly holds: boolean;
}

export interface BundleCheck {
  readonly kind: 'files' | 'rows' | 'requests' | 'prompts' | 'scores';
  /** How many were verified. */
  readonly verified: number;
  /** What is wrong, in words: the first of them. */
  readonly wrong: readonly string[];
  /** What could not be verified, and why. */
  readonly open: readonly string[];
}

const mostListed = 20;

/** Verifies all that a bundle holds, by itself. Nothing is sent. */
export async function verifyBundleFile(path: string): Promise<BundleVerification> {
  const bundle = await openBundle(path);
  const { manifest } = bundle;
  const files = check('files', { verified: manifest.files.length - bundle.wrong.length });
  files.wrong.push(...bundle.wrong);
  const checks = [files];
  if (bundle.wrong.length === 0) {
    const file = parseRunFile(JSON.parse(bundle.text('run.json') ?? 'null'), 'run.json');
    checks.push(...(await checkContents(bundle, file)));
  } else {
    for (const kind of ['rows', 'requests', 'prompts', 'scores'] as const) {
      checks.push(check(kind, { open: ['files were changed'] }));
    }
  }
  return {
    run: manifest.run,
    typecase: manifest.typecase,
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

async function checkContents(bundle: OpenedBundle, file: RunFile): Promise<OpenCheck[]> {
  const rows = check('rows');
  const requests = check('requests');
  const prompts = check('prompts');
  const scores = check('scores');
  const summary: RunSummary | undefined =
    JSON.parse(bundle.text('summary.json') ?? 'null') ?? undefined;
  if (!summary) scores.open.push('the run has no summary');
  for (const evaluation of bundle.manifest.evaluations) {
    const records = readRecords(bundle, evaluation, rows);
    checkRows(bundle, { evaluation, records }, rows);
    checkRequests(bundle, { evaluation, records, file }, requests);
    const remade = await remakeBundled({ bundle, file, evaluation });
    prompts.verified += remade.made;
    prompts.wrong.push(...remade.wrong.map((text) => `${nameOf(evaluation)}, ${text}`));
    if (remade.reason !== undefined) prompts.open.push(`${nameOf(evaluation)}: ${remade.reason}`);
    if (summary) await checkScores({ evaluation, records, file, summary }, scores);
  }
  return [rows, requests, prompts, scores];
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
    else wrong.push(`${nameOf(evaluation)}: a line of the log is no record: ${fault}`);
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
      rows.wrong.push(`${nameOf(evaluation)}: row ${id} holds something else`);
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
      requests.wrong.push(`${name}: row ${id} answers a request that is not inside`);
  }
}

/** The summary is what the scores of the rows come to. */
async function checkScores(
  { evaluation, records, file, summary }: Contents & { file: RunFile; summary: RunSummary },
  scores: OpenCheck,
): Promise<void> {
  const name = nameOf(evaluation);
  const { model, dataset } = evaluation;
  const said = summary.results.find((one) => one.model === model && one.dataset === dataset);
  if (!said) {
    scores.wrong.push(`${name}: the summary has no result`);
    return;
  }
  let tally: Tally;
  try {
    const clusters = await openClusters(datasetOf(file, dataset)?.readerCfg?.clusterBy);
    tally = new Tally(await recordedScorer(file, evaluation), clusters);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    scores.open.push(`${name}: ${error.message}`);
    return;
  }
  const range = rangeOf(file, dataset);
  for (const record of records) {
    if (record.part !== undefined) continue;
    const fault = scoreFault(record, range);
    if (fault !== undefined) scores.wrong.push(`${name}: row ${record.id}: ${fault}`);
    tally.add(record);
  }
  const wrong = differencesOf(said, tally);
  scores.wrong.push(...wrong.map((text) => `${name}: ${text}`));
  if (wrong.length === 0) scores.verified++;
}

function differencesOf(said: TaskResult, tally: Tally): string[] {
  const { result, tokens, scored, unscored, failed } = tally;
  const counted = { scored, unscored, failed };
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['score', said.score, result.score],
    ['score of all rows', said.allRows, result.allRows],
    ['further metrics', said.metrics, result.metrics],
    ['tokens', said.tokens, tokens],
    ...(['scored', 'unscored', 'failed'] as const).map(
      (name) => [`${name} rows`, said.rows[name], counted[name]] as const,
    ),
  ];
  return pairs
    .filter(([, one, other]) => rounded(one) !== rounded(other))
    .map(
      ([name, one, other]) =>
        `${name}: the summary says ${shown(one)}, the rows come to ${shown(other)}`,
    );
}

const digits = 12;

/** As text: sums in another order may differ in the last digit. */
function rounded(value: unknown): string | undefined {
  return JSON.stringify(value, (_, item) =>
    typeof item === 'number' ? Number(item.toPrecision(digits)) : item,
  );
}

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null && 'value' in value
    ? String(value.value)
    : (JSON.stringify(value) ?? 'nothing');
}
