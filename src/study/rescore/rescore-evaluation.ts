import { createHash } from 'node:crypto';
import { UsageError } from '../../base/usage-error.ts';
import type { PromptShape, RowPlan } from '../../evaluation/evaluation.ts';
import { clusterOf } from '../../run/cluster-of.ts';
import { rowScoreKind } from '../../run/metric-tally.ts';
import { type EvaluationSample, RowSample, type SampledRow } from '../../run/row-sample.ts';
import { sampledRows } from '../../run/sample-prompts.ts';
import { readBegun } from '../../run/store/begun-rows.ts';
import { LogDraft } from '../../run/store/log-draft.ts';
import { notScoredYet, type RowRecord } from '../../run/store/row-record.ts';
import { Tally } from '../../run/summarize.ts';
import type { TaskResult } from '../../run/summary.ts';
import { openClusters } from '../../run/tallies.ts';
import { type ResultFacts, taskResult } from '../../run/task-result.ts';
import { recordKept, rescoreRecord } from './rescore-record.ts';
import {
  type AskedRow,
  askedRows,
  needsConfig,
  type ScoredEvaluation,
} from './scored-evaluations.ts';

/** A task scored again. Its files are as they were until the draft is committed. */
export interface Rescored {
  readonly result: TaskResult;
  readonly sample: EvaluationSample;
  readonly draft: LogDraft;
}

interface RescoredBefore extends Pick<ResultFacts, 'counted'> {
  readonly previous: TaskResult | undefined;
}

/** Scores the answers of a log into a new log beside it. */
export async function rescoreTask(
  task: ScoredEvaluation,
  { previous, counted }: RescoredBefore,
): Promise<Rescored> {
  const begun = await readBegun(task.indexFile);
  const draft = await LogDraft.open(task, task.range);
  try {
    if (!isComposite(task) && mayHaveKept(previous)) await draft.takePending();
    const keepsAnswers = mayHaveKept(previous);
    const { tally, rows, hash, sample, ...found } = await fillDraft(task, draft, keepsAnswers);
    const { model, dataset } = task;
    const { scored, unscored, failed } = tally;
    if (!task.evaluation) {
      for (const part of previous?.unscoredParts ?? []) tally.seePart(part);
    }
    const recorded = scored + unscored + failed;
    const { evaluation } = task;
    const known = begun?.total ?? previous?.rows.total ?? 0;
    const possibleClusters = task.clusterBy === undefined ? previous?.possibleClusters : undefined;
    const made = taskResult(tally, {
      model,
      dataset,
      modelConfig: evaluation?.modelConfig,
      judgeConfigs: evaluation?.judgeConfigs,
      shape: evaluation?.shape ?? shapeOf(previous),
      total: evaluation ? rows : Math.max(recorded + draft.partsAlone, known),
      isCut: !evaluation && (begun ? begun.total === undefined : isCut(previous)),
      requests: previous?.requests ?? { sent: 0, cached: 0, shared: 0 },
      counted,
      isUnlimited: previous?.serverLimit ?? false,
      leaks: evaluation ? found.leaks : (previous?.leaks ?? 0),
      possibleClusters,
      seconds: previous?.seconds ?? 0,
      tokensPerSecond: previous?.tokensPerSecond,
      promptHash: hash,
    });
    const { cost } = previous ?? {};
    // Prices are those of the config.
    const result = { ...made, ...(!evaluation && cost !== undefined && { cost }) };
    if (task.isAsRecorded && draft.problems.items.length === 0) {
      const lost = lostMetric(result, previous);
      if (lost !== undefined) throw needsConfig(task, `the metric \`${lost}\` would be lost`);
    }
    return { result, sample: { model, dataset, ...sample }, draft };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Whether a run was ended before it knew how many rows it lacks. */
function isCut(previous: TaskResult | undefined): boolean {
  return previous?.partial === true && previous.rows.missing === 0;
}

/** A run that was ended may have kept answers that it did not score. */
function mayHaveKept(previous: TaskResult | undefined): boolean {
  return previous === undefined || previous.rows.missing > 0;
}

/** Whether rows take several requests, so that an answer is not that of a row. */
function isComposite({ evaluation, combine }: ScoredEvaluation): boolean {
  return evaluation ? evaluation.type === 'composite' : combine !== undefined;
}

/** What the summary of the run says of its prompts. */
function shapeOf(previous: TaskResult | undefined): PromptShape {
  return { seed: previous?.seed, estimatesLengths: previous?.estimatedLengths };
}

/** A metric that a run had and the same answers, scored in the same way, do not have. */
function lostMetric(result: TaskResult, previous: TaskResult | undefined): string | undefined {
  const namesOf = ({ metric, metrics = [] }: TaskResult) => [
    metric,
    ...metrics.map(({ name }) => name),
  ];
  const names = namesOf(result);
  return previous && namesOf(previous).find((name) => !names.includes(name));
}

async function fillDraft(task: ScoredEvaluation, draft: LogDraft, keepsAnswers: boolean) {
  try {
    const rescored = await rescoreRows(task, draft, keepsAnswers);
    await draft.keepOthers();
    return rescored;
  } finally {
    await draft.close();
  }
}

/** How many rows of each verdict a report may choose from. */
const sampleSize = 100;

/** How many rows may wait for a judge or a program at once. */
const windowRows = 64;

async function rescoreRows(task: ScoredEvaluation, draft: LogDraft, keepsAnswers: boolean) {
  const { clusterBy } = task;
  const tally = new Tally(task.scorer, await openClusters(clusterBy));
  const sample = new RowSample(rowScoreKind(task.scorer), sampleSize);
  const hash = createHash('sha256');
  let rows = 0;
  let otherwise = 0;
  let leaks = 0;
  const { evaluation, scorer, combine, scoringOf, repliesTo, thinking, price } = task;
  const parts = {
    read: (id: number, key: string) => draft.readPart(id, key),
    write: (record: RowRecord) => draft.writePart(record),
  };
  const rescoring = { scorer, combine, scoringOf, repliesTo, thinking, price, parts };
  const score = async ({ record, asked: row }: RecordedRow) => {
    const asked = row && evaluation && { evaluation, plan: row.plan };
    if (!record) return asked && recordKept(asked, rescoring);
    return rescoreRecord(record, { gold: row ? row.gold : record.gold, asked }, rescoring);
  };
  const write = async ({ record, asked }: RecordedRow, rescored: RowRecord | undefined) => {
    if (!rescored) return record && draft.drop(record.id, 'a part of its answer is damaged');
    // Its judge would have to be asked.
    if (rescored.reason === notScoredYet) return;
    const written = asked
      ? { ...rescored, cluster: clusterOf(asked.plan.row, clusterBy) }
      : rescored;
    draft.write(written);
    tally.add(written);
    sample.offer(written, asked && (() => asked));
  };
  const keepsParts = keepsAnswers && evaluation?.type === 'composite';
  let waiting: RecordedRow[] = [];
  const writeAll = async () => {
    const rescored = await Promise.all(waiting.map(score));
    for (const [index, row] of waiting.entries()) await write(row, rescored[index]);
    waiting = [];
  };
  for await (const { id, asked } of rowsOf(task, draft)) {
    rows++;
    if (asked) tally.see(asked.plan.row);
    if (asked?.plan.requests.some(({ leak }) => leak)) leaks++;
    const record = await draft.read(id);
    const prompt = asked ? asked.plan.promptHash : record?.prompt;
    if (prompt !== undefined) hash.update(prompt);
    if (record ? asked && isOutdated(record, asked.plan) : !keepsParts) continue;
    if (record && asked && !isAskedAsRecorded(record, asked.plan)) otherwise++;
    // Answers to other prompts are not scored; no judge is to be asked about more of them.
    if (otherwise > 0) continue;
    waiting.push({ record, asked });
    if (waiting.length >= windowRows) await writeAll();
  }
  if (otherwise > 0) throw otherPrompts(task, otherwise);
  await writeAll();
  const shown = {
    rows: await shownRows(task, sample, draft),
    totals: sample.totals,
    ends: sample.ends,
  };
  return { tally, rows, leaks, sample: shown, hash: hash.digest('hex').slice(0, 16) };
}

/** Whether an answer that was never scored is one to another request. */
function isOutdated({ reason, key }: RowRecord, plan: RowPlan): boolean {
  return reason === notScoredYet && key !== plan.key;
}

/**
 * Whether a row was asked what it would be asked now. The hash of texts whose likelihood is asked
 * for tells where answers begin in them as well, which is read anew; their keys do not.
 */
function isAskedAsRecorded({ prompt, key, parts }: RowRecord, plan: RowPlan): boolean {
  if (prompt === plan.promptHash || key === plan.key) return true;
  return parts !== undefined && parts.join() === plan.requests.map((one) => one.key).join();
}

/** Without a config nobody knows the prompts. */
async function shownRows(
  { evaluation }: ScoredEvaluation,
  { rows }: RowSample,
  draft: LogDraft,
): Promise<SampledRow[]> {
  if (!evaluation) return rows.map(({ record, verdict }) => ({ record, verdict, turns: [] }));
  return sampledRows(rows, { evaluation, readPart: (id, key) => draft.readPart(id, key) });
}

interface RecordedRow {
  /** Left out if no more is there than answers to requests of the row. */
  readonly record: RowRecord | undefined;
  readonly asked: AskedRow | undefined;
}

interface KnownRow {
  readonly id: number;
  /** Left out when there is no config to read it by. */
  readonly asked?: AskedRow;
}

async function* rowsOf(
  { evaluation }: ScoredEvaluation,
  draft: LogDraft,
): AsyncGenerator<KnownRow> {
  if (!evaluation) {
    for (const id of draft.ids()) yield { id };
    for (const id of draft.pendingIds()) yield { id };
  } else
    for await (const asked of askedRows(evaluation)) yield { id: Number(asked.plan.id), asked };
}

function otherPrompts({ model, dataset }: ScoredEvaluation, rows: number): UsageError {
  return new UsageError(
    'score.other_prompts',
    `${rows} row${rows === 1 ? '' : 's'} of ${dataset} were asked of ${model} with different prompts than this config gives`,
    {
      hint: 'Nothing was changed. Use the templates and data of the run, or omit the config and use --evaluator.',
    },
  );
}
