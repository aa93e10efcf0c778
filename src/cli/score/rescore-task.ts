import { createHash } from 'node:crypto';
import type { Prompt } from '../../prompt/index.ts';
import type { TaskSample } from '../../run/execute.ts';
import { Tally } from '../../run/summarize.ts';
import type { TaskResult } from '../../run/summary.ts';
import type { SampledRow } from '../../run/task-run.ts';
import { UsageError } from '../usage-error.ts';
import { LogDraft } from './log-draft.ts';
import { rescoreRecord } from './rescore-record.ts';
import type { AskedRow, ScoreTask } from './score-tasks.ts';

/** A task scored again. Its files are as they were until the draft is committed. */
export interface Rescored {
  readonly result: TaskResult;
  readonly sample: TaskSample;
  readonly draft: LogDraft;
}

/** Scores the answers of a log into a new log beside it. */
export async function rescoreTask(
  task: ScoreTask,
  previous: TaskResult | undefined,
): Promise<Rescored> {
  const draft = await LogDraft.open(task);
  try {
    const { tally, rows, hash, sample } = await fillDraft(task, draft);
    const { model, dataset } = task;
    const { scored, unscored, failed, reasons, inputTokens, outputTokens } = tally;
    const recorded = scored + unscored + failed;
    const missing = task.rows ? rows - recorded : (previous?.rows.missing ?? 0);
    const result: TaskResult = {
      model,
      dataset,
      ...tally.result,
      rows: { total: recorded + missing, scored, unscored, failed, missing },
      reasons,
      tokens: { input: inputTokens, output: outputTokens },
      requests: previous?.requests ?? { sent: 0, cached: 0, shared: 0 },
      seconds: previous?.seconds ?? 0,
      promptHash: hash,
    };
    return { result, sample: { model, dataset, rows: sample }, draft };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function fillDraft(task: ScoreTask, draft: LogDraft) {
  try {
    const rescored = await rescoreRows(task, draft);
    await draft.keepOthers();
    return rescored;
  } finally {
    await draft.close();
  }
}

/** How many rows a report shows. */
const sampleSize = 100;
const unknownPrompt: Prompt = {
  type: 'text',
  text: '(not kept; score again with the config to see prompts)',
};

async function rescoreRows(task: ScoreTask, draft: LogDraft) {
  const tally = new Tally(task.scorer);
  const sample: SampledRow[] = [];
  const hash = createHash('sha256');
  let rows = 0;
  let otherwise = 0;
  for await (const { id, asked } of rowsOf(task, draft)) {
    rows++;
    const record = await draft.read(id);
    const prompt = asked ? asked.prompt : record?.prompt;
    if (prompt !== undefined) hash.update(prompt);
    if (!record) continue;
    if (record.prompt !== prompt) otherwise++;
    const { row, gold } = asked ?? { row: {}, gold: record.gold };
    const rescored = await rescoreRecord(record, {
      scorer: task.scorer,
      row,
      gold,
      whole: asked?.whole,
      readPart: (key) => draft.readPart(key),
    });
    draft.write(rescored);
    tally.add(rescored);
    if (sample.length < sampleSize) {
      sample.push({ prompt: asked?.shown ?? unknownPrompt, record: rescored });
    }
  }
  if (otherwise > 0) throw otherPrompts(task, otherwise);
  return { tally, rows, sample, hash: hash.digest('hex').slice(0, 16) };
}

interface KnownRow {
  readonly id: number;
  /** Left out when there is no config to read it by. */
  readonly asked?: AskedRow;
}

async function* rowsOf({ rows }: ScoreTask, draft: LogDraft): AsyncGenerator<KnownRow> {
  if (!rows) for (const id of draft.ids()) yield { id };
  else for await (const asked of rows) yield { id: asked.id, asked };
}

function otherPrompts({ model, dataset }: ScoreTask, rows: number): UsageError {
  return new UsageError(
    'score.other_prompts',
    `${rows} row${rows === 1 ? '' : 's'} of ${dataset} were asked of ${model} with other prompts than this config makes`,
    {
      hint: 'Nothing was changed. Templates and data must be those of the run; or leave the config out and use --evaluator.',
    },
  );
}
