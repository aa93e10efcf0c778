import { goldOf } from '../../evaluation/evaluation.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import { findSavedPrompts, type SavedPrompt } from '../../run/saved-prompts.ts';
import type { EvaluationName, StoredRun } from '../../run/store/open-run.ts';
import { type RowLines, readRowLines } from '../../run/store/row-lines.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { thinkingOf } from '../../run/store/run-file-parts.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import type { Thinking } from '../../score/split-thought.ts';
import { openRemade, type RemadeEvaluation, withRemade } from '../remake/open-remade.ts';
import { type AnsweredRow, openAnsweredRows } from '../view/answered-row.ts';
import { makeView, type PromptView } from '../view/prompt-view.ts';

/** All that is known of a row of a run. */
export interface ShownRow extends EvaluationName {
  readonly id: number;
  /** How it ended; left out if the run did not get to it. */
  readonly record?: RowRecord | undefined;
  /** The lines of its turns, samples or orders, and of an answer that waits for its score. */
  readonly parts: readonly RowRecord[];
  /** What the log says of it that counts no more, oldest first. */
  readonly earlier: readonly RowRecord[];
  /** How the model marks its thoughts, if its config says so. */
  readonly thinking?: Thinking | undefined;
  /** What was sent, made again from config and data. */
  readonly asked: AskedAgain;
  /** What the run kept of that, where it cannot be made again. */
  readonly kept?: readonly SavedPrompt[] | undefined;
}

export type AskedAgain =
  | { readonly type: 'made'; readonly view: PromptView; readonly row: Row; readonly gold: unknown }
  | { readonly type: 'not-made'; readonly reason: string };

/** Gathers what a run holds of a row. The prompt is there only if it is the very one that was sent. */
export async function showRowOf(
  run: StoredRun,
  { model, dataset }: EvaluationName,
  id: number,
): Promise<ShownRow | undefined> {
  const { current, parts, earlier } = await readRowLines(rowFiles(run.path, model, dataset), id);
  if (!current && parts.length === 0 && earlier.length === 0) return undefined;
  const asked = await askAgain(run, { model, dataset }, { current, id });
  const thinking = thinkingOf(run.file, model);
  const keys = current && (current.parts ?? [current.key]);
  const kept =
    asked.type === 'not-made' && keys
      ? await findSavedPrompts(rowFiles(run.path, model, dataset).logFile, keys)
      : [];
  return {
    ...{ model, dataset, id },
    ...(current && { record: current }),
    ...{ parts, earlier },
    ...(thinking && { thinking }),
    asked,
    ...(kept.length > 0 && { kept }),
  };
}

async function askAgain(
  run: StoredRun,
  task: EvaluationName,
  { current, id }: Pick<RowLines, 'current'> & { readonly id: number },
): Promise<AskedAgain> {
  const remade = await openRemade(run, task, { ids: new Set([id]) });
  if (remade.type === 'not-made') return remade;
  return withRemade(remade, async () => {
    const row = await findRow(remade, id);
    const answeredOf = async (found: PositionedRow) => {
      const recorded = await openAnsweredRows(run.path, remade.evaluation);
      return recorded.of(found).finally(() => recorded.close());
    };
    return askRow(remade, row, { current, answeredOf });
  });
}

interface AskedRow extends Pick<RowLines, 'current'> {
  /** What the run recorded of the row. */
  readonly answeredOf: (row: PositionedRow) => Promise<AnsweredRow | undefined>;
}

/** What was sent for a row, by an evaluation that was opened anew. */
export async function askRow(
  { config, evaluation, changed }: RemadeEvaluation,
  row: PositionedRow | undefined,
  { current, answeredOf }: AskedRow,
): Promise<AskedAgain> {
  if (!row) return { type: 'not-made', reason: 'the data no longer has this row' };
  if (current && current.prompt !== '') {
    const { promptHash } = await evaluation.plan(row);
    if (promptHash !== current.prompt) return { type: 'not-made', reason: otherPrompt(changed) };
  }
  const answered = await answeredOf(row);
  const view = await makeView({ config, evaluation, answered }, row);
  return { type: 'made', view, row: row.row, gold: goldOf(evaluation.task, row.row) };
}

function otherPrompt(changed: string | undefined): string {
  return changed === undefined
    ? 'the config or data now give a different prompt'
    : `${changed} has changed since the run`;
}

export async function findRow(
  { evaluation: { rows } }: Pick<RemadeEvaluation, 'evaluation'>,
  id: number,
): Promise<PositionedRow | undefined> {
  for await (const batch of rows.batches()) {
    const found = batch.find((row) => Number(row.id) === id);
    if (found) return found;
  }
  return undefined;
}
