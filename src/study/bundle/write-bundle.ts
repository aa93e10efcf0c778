import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { countOf } from '../../base/format.ts';
import { version } from '../../base/version.ts';
import { RunError } from '../../errors.ts';
import type { Evaluation, PlannedRequest, RowPlan } from '../../evaluation/evaluation.ts';
import { beforeBody, rowHash } from '../../evaluation/key.ts';
import type { Model } from '../../model/model.ts';
import type { RowId } from '../../prompt/origin.ts';
import { formatValue } from '../../prompt/values.ts';
import type { EvaluationName, StoredRun } from '../../run/store/open-run.ts';
import { RecordedAnswers } from '../../run/store/recorded-answers.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { type RunFile, writeRunFile } from '../../run/store/run-file.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import { writing } from '../../run/store/write-whole.ts';
import { keepVerdicts, type RunVerdicts } from '../../run/verdict-memory.ts';
import { openRemade } from '../remake/open-remade.ts';
import { askedRows } from '../rescore/scored-evaluations.ts';
import {
  type BundledEvaluation,
  type BundledRequest,
  type BundleManifest,
  chatTemplateFile,
  manifestName,
} from './bundle-format.ts';
import { BundleWriter } from './bundle-writer.ts';
import { type BundleVerification, type VerifyOptions, verifyBundleFile } from './verify-bundle.ts';

/**
 * Puts a run into one file: what was asked, byte for byte, what was answered, by which config, on
 * which rows. The file is there only if it can be verified.
 */
export function writeBundleFile(
  run: StoredRun,
  file: string,
  options: VerifyOptions,
): Promise<BundleVerification> {
  return writing(file, async () => {
    const bundle = await BundleWriter.create(file);
    try {
      await writeAll(run, bundle);
      await bundle.finish();
      const verified = await verifyBundleFile(bundle.draft, options);
      const wrong = verified.checks.flatMap((check) => check.wrong);
      if (wrong.length > 0) throw notVerified(wrong);
      await bundle.putInPlace();
      return verified;
    } catch (error) {
      await bundle.discard();
      throw error;
    }
  });
}

async function writeAll(run: StoredRun, bundle: BundleWriter): Promise<void> {
  const write = (name: string, text: string) => bundle.add(name, text);
  await writeRunFile({ write }, withoutPlaces(run.file));
  if (run.summary) {
    await bundle.add('summary.json', await readFile(join(run.path, 'summary.json'), 'utf8'));
  }
  const evaluations: BundledEvaluation[] = [];
  for (const name of run.evaluations) evaluations.push(await writeEvaluation(run, name, bundle));
  const manifest: BundleManifest = {
    format: 1,
    typecase: version,
    run: basename(run.path),
    evaluations,
    files: [...bundle.files],
  };
  await bundle.add(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Where things lie on this machine is nobody else's business. */
function withoutPlaces({
  folder: _,
  folderFromRun: __,
  settings,
  data,
  ...file
}: RunFile): RunFile {
  const { source } = settings;
  const nameOf = (path: string) => (isAbsolute(path) ? basename(path) : path);
  return {
    ...file,
    settings: { ...settings, ...(source !== undefined && { source: nameOf(source) }) },
    data: data.map((entry) => ({
      ...entry,
      files: entry.files.map((one) => ({ ...one, name: nameOf(one.name) })),
    })),
  };
}

async function writeEvaluation(
  run: StoredRun,
  name: EvaluationName,
  bundle: BundleWriter,
): Promise<BundledEvaluation> {
  const remade = await openRemade(run, name);
  if (remade.type === 'not-made') throw notRemade(name, remade.reason);
  const { evaluation, changed } = remade;
  const { model, dataset } = name;
  const recorded = await RecordedAnswers.open(rowFiles(run.path, model, dataset), evaluation);
  const verdicts = keepVerdicts(run.path);
  try {
    const source = { evaluation, recorded, verdicts };
    const { others, ...counts } = await writeRows(source, name, bundle);
    if (others > 0) throw notRemade(name, otherPrompts(others, changed));
    const hasChatTemplate = await writeChatTemplate(evaluation, name, bundle);
    return { ...name, ...counts, hasChatTemplate };
  } finally {
    await verdicts.close();
    await recorded.close();
    await remade.close();
  }
}

interface Source {
  readonly evaluation: Evaluation;
  readonly recorded: RecordedAnswers;
  readonly verdicts: RunVerdicts;
}

async function writeRows(source: Source, name: EvaluationName, bundle: BundleWriter) {
  const { evaluation, recorded } = source;
  const [log, asked, rows] = (['log', 'requests', 'rows'] as const).map((kind) =>
    bundle.lines(name, kind),
  );
  const examples = new Map<RowId, string>();
  const verdicts = new Map<string, string>();
  const counts = { rows: 0, total: 0, requests: 0, others: 0 };
  for await (const { plan } of askedRows(evaluation)) {
    counts.total++;
    const record = await recorded.row(Number(plan.id));
    if (!record) continue;
    counts.rows++;
    if (record.prompt !== plan.promptHash) counts.others++;
    const { id, position, row } = plan;
    await rows?.write(formatValue({ id, position, row }));
    for (const line of await linesOf(record, recorded)) {
      await log?.write(JSON.stringify(line));
      for (const { key } of line.verdicts ?? []) {
        const text = verdicts.get(key) ?? (await saidOf(key, source));
        if (text !== undefined) verdicts.set(key, text);
      }
    }
    for await (const request of requestsOf(plan, source)) {
      counts.requests++;
      const shown = evaluation.examplesAt(request.shots);
      for (const one of shown) examples.set(one.id, formatValue(one));
      const ids = shown.map((one) => one.id);
      const line = bundledRequest(request, ids, evaluation.model);
      await asked?.write(JSON.stringify(line));
    }
  }
  const shownRows = bundle.lines(name, 'examples');
  for (const line of examples.values()) await shownRows.write(line);
  const samples = bundle.lines(name, 'samples');
  for (const one of evaluation.shape.samples ?? []) await samples.write(formatValue(one));
  const said = bundle.lines(name, 'verdicts');
  for (const [key, text] of verdicts) await said.write(JSON.stringify({ key, text }));
  for (const writer of [log, asked, rows, shownRows, samples, said]) await writer?.end();
  return counts;
}

/** What the judge of an evaluation said, if the run kept it. */
async function saidOf(
  key: string,
  { evaluation, verdicts }: Pick<Source, 'evaluation' | 'verdicts'>,
): Promise<string | undefined> {
  const { judge } = evaluation.scorer;
  return judge && (await verdicts.of(judge.name).find(key))?.result.text;
}

/** The record of a row, and the lines of its parts. */
async function linesOf(record: RowRecord, recorded: RecordedAnswers): Promise<RowRecord[]> {
  const parts: RowRecord[] = [];
  for (const key of new Set(record.parts ?? [])) {
    const part = await recorded.part(record.id, key);
    if (part) parts.push(part);
  }
  return [...parts, record];
}

/** What a row was asked, as far as it was answered. */
async function* requestsOf(
  plan: RowPlan,
  { evaluation, recorded }: Source,
): AsyncGenerator<PlannedRequest> {
  const answers: string[] = [];
  let { requests } = plan;
  while (requests.length > 0) {
    yield* requests;
    for (const { key } of requests) {
      const answer = await recorded.answerTo(key);
      if (answer === undefined) return;
      answers.push(answer);
    }
    requests =
      evaluation.type === 'composite' ? (await evaluation.plan(plan, answers)).requests : [];
  }
}

function bundledRequest(
  { id, key, promptHash, row, encoded, part, request }: PlannedRequest,
  examples: readonly RowId[],
  { loglikelihoodModel }: Model,
): BundledRequest {
  const isMeasured = loglikelihoodModel && 'texts' in request;
  return {
    id,
    ...(part && { part: part.name }),
    key,
    prompt: promptHash,
    row: rowHash(row),
    ...(examples.length > 0 && { examples }),
    body: encoded,
    ...(isMeasured && { before: beforeBody(loglikelihoodModel, request) }),
  };
}

async function writeChatTemplate(
  { shape: { format } }: Evaluation,
  name: EvaluationName,
  bundle: BundleWriter,
): Promise<boolean> {
  if (format?.type !== 'chat-template') return false;
  const { source, specialTokens = {} } = format.template as {
    readonly source: string;
    readonly specialTokens?: object;
  };
  const config = { chat_template: source, ...specialTokens };
  await bundle.add(chatTemplateFile(name), `${JSON.stringify(config, null, 2)}\n`);
  return true;
}

function otherPrompts(rows: number, changed: string | undefined): string {
  const since = changed === undefined ? '' : `${changed} has changed since the run: `;
  return `${since}${countOf(rows, 'row')} would now be asked differently`;
}

function notRemade({ model, dataset }: EvaluationName, reason: string): RunError {
  return new RunError(
    'bundle.prompts_not_made',
    `the prompts of ${model} on ${dataset} cannot be rebuilt: ${reason}`,
    { hint: 'Logs hold only hashes of prompts, so config and data must be those of the run.' },
  );
}

function notVerified(wrong: readonly string[]): RunError {
  return new RunError('bundle.not_verified', `the bundle would fail verification: ${wrong[0]}`, {
    hint: 'Nothing was written. `typecase score` with the config writes a folder whose summary fits its rows.',
  });
}
