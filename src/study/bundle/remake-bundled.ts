import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRow } from '../../data/format/exact-json.ts';
import { heldRows } from '../../data/row-stream.ts';
import { TypecaseError } from '../../errors.ts';
import type { Evaluation, PlannedRequest } from '../../evaluation/evaluation.ts';
import { rowHash } from '../../evaluation/key.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import type { GivenRows } from '../../evaluation/opening.ts';
import { entriesOf } from '../../prompt/mapping.ts';
import type { RowId } from '../../prompt/origin.ts';
import type { NamedRow, PositionedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import { modelsKnownBy } from '../../run/known-models.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { configOfRun } from '../remake/config-of-run.ts';
import { type BundledEvaluation, type BundledRequest, chatTemplateFile } from './bundle-format.ts';
import type { OpenedBundle } from './read-bundle.ts';

export interface BundledTask {
  readonly bundle: OpenedBundle;
  readonly file: RunFile;
  readonly evaluation: BundledEvaluation;
}

/** An evaluation that was opened from what a bundle holds. Nothing is sent. */
export interface OpenedEvaluation extends BundledTask {
  readonly evaluation: BundledEvaluation;
  readonly opened: Evaluation;
  readonly requests: ReadonlyMap<string, BundledRequest>;
}

/** Opens an evaluation from what a bundle holds, and does something with it; or says why it cannot. */
export async function withBundled<Result>(
  task: BundledTask,
  use: (opened: OpenedEvaluation) => Promise<Result>,
): Promise<Result | { readonly reason: string }> {
  if (task.file.models.every(({ config }) => config === undefined)) {
    return { reason: 'the run does not record the config of its model' };
  }
  const folder = await mkdtemp(join(tmpdir(), 'typecase-bundle-'));
  try {
    return await openIn(folder, task, use);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return { reason: error.message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openIn<Result>(
  folder: string,
  task: BundledTask,
  use: (opened: OpenedEvaluation) => Promise<Result>,
): Promise<Result> {
  const { bundle, file, evaluation: name } = task;
  const chatTemplate = name.hasChatTemplate ? 'tokenizer_config.json' : undefined;
  if (chatTemplate !== undefined) {
    await writeFile(join(folder, chatTemplate), bundle.text(chatTemplateFile(name)) ?? '');
  }
  const requests = new Map<string, BundledRequest>();
  for (const line of bundle.lines(name, 'requests')) {
    const request: BundledRequest = JSON.parse(line);
    requests.set(keyOf(request), request);
  }
  const evaluations = await openEvaluations(
    await configOfRun(file, { folder, files: { chatTemplate } }),
    {
      purpose: 'view',
      models: [name.model],
      datasets: [name.dataset],
      known: modelsKnownBy(file),
      given: () => givenRows(task, requests),
    },
  );
  try {
    const [opened] = evaluations;
    if (!opened) throw new RangeError('Nothing was opened');
    return await use({ ...task, opened, requests });
  } finally {
    await evaluations.close();
  }
}

/** What became of making the prompts of an evaluation again. */
export interface RemadeCount {
  readonly made: number;
  readonly wrong: readonly string[];
}

/** Makes the prompts of an evaluation again from what a bundle holds. */
export async function remakePrompts(task: OpenedEvaluation): Promise<RemadeCount> {
  const { file, opened, requests } = task;
  const wrong: string[] = [];
  let made = 0;
  const answers = answersOf(task);
  const hasTokenizer = file.models.some(({ config }) => config?.tokenizer !== undefined);
  const canEncode = opened.model.target !== undefined && !hasTokenizer;
  const requestOf = ({ id, part, row }: PlannedRequest) =>
    requests.get(keyOf({ id, part: part?.name, row: rowHash(row) }));
  const check = (planned: PlannedRequest) => {
    const request = requestOf(planned);
    if (!request) return;
    const isOther = request.prompt !== planned.promptHash;
    if (isOther) wrong.push(`row ${planned.id}: the rebuilt prompt differs`);
    else if (canEncode && request.body !== planned.encoded)
      wrong.push(`row ${planned.id}: the rebuilt request differs`);
    else made++;
  };
  for await (const batch of opened.rows.batches()) {
    await opened.prepare?.(batch);
    for (const row of batch) {
      const known: string[] = [];
      for (;;) {
        const plan = await opened.plan(row, known);
        if (plan.requests.length === 0) break;
        plan.requests.forEach(check);
        const said = plan.requests.map((planned) => answers.get(requestOf(planned)?.key ?? ''));
        if (opened.type !== 'composite' || said.includes(undefined)) break;
        known.push(...said.map((answer) => answer ?? ''));
      }
    }
  }
  return { made, wrong };
}

/** A request is known by its row, the part of it and how that is asked. */
function keyOf({ id, part, row }: Pick<BundledRequest, 'id' | 'part' | 'row'>): string {
  return `${id} ${part ?? ''} ${row}`;
}

/** Answers by the keys of their requests: later turns follow from them. */
function answersOf({ bundle, evaluation }: BundledTask): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  for (const line of bundle.lines(evaluation, 'log')) {
    const { key, answer, opened = '' } = JSON.parse(line);
    if (typeof answer === 'string') answers.set(key, opened + answer);
  }
  return answers;
}

function givenRows(
  { bundle, evaluation }: BundledTask,
  requests: ReadonlyMap<string, BundledRequest>,
): GivenRows {
  const read = (kind: 'rows' | 'samples' | 'examples') =>
    [...bundle.lines(evaluation, kind)].map(readRowLine);
  const pool = read('examples');
  const places = new Map<RowId, number>(pool.map(({ id }, place) => [id, place]));
  const shown = new Map<string, readonly RowId[]>();
  for (const { id, row, examples = [] } of requests.values()) shown.set(`${id} ${row}`, examples);
  const rows = read('rows');
  return {
    stream: positioned(rows),
    samples: read('samples'),
    pool,
    examplesOf: ({ id, row }) =>
      (shown.get(`${id} ${rowHash(row)}`) ?? []).flatMap((one) => places.get(one) ?? []),
  };
}

function positioned(rows: readonly PositionedRow[]): GivenRows['stream'] {
  const { batches, ...rest } = heldRows(rows);
  return { ...rest, batches: () => batches() as AsyncIterable<readonly PositionedRow[]> };
}

/** As data files are read: numbers stay as they were written. */
export function readRowLine(line: string): PositionedRow {
  const read = Object.fromEntries(entriesOf(parseRow(line) ?? {})) as unknown as NamedRow & {
    readonly position?: number;
  };
  return { id: read.id, row: toRow(read.row), position: read.position ?? 0 };
}

function toRow(row: unknown): Row {
  return row instanceof Map ? Object.fromEntries(row) : (row as Row);
}
