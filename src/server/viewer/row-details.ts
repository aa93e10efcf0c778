import { open } from 'node:fs/promises';
import { displayPath } from '../../base/display-path.ts';
import { hideBase64In } from '../../base/hidden-text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { Span } from '../../prompt/origin.ts';
import type { MediaContent } from '../../prompt/parts/content.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { cutTexts } from '../../report/snapshot/cut-texts.ts';
import { showCommand } from '../../report/snapshot/snapshot.ts';
import { verdictOf } from '../../run/row-sample.ts';
import type { Reply } from '../../run/score-answer.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import { readRowAt } from '../../run/store/read-rows.ts';
import { arrangeLines, type RowLines } from '../../run/store/row-lines.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { ruleOf, thinkingOf } from '../../run/store/run-file-parts.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import type { RemadeEvaluation } from '../../study/remake/open-remade.ts';
import type { AskedAgain } from '../../study/show/shown-row.ts';
import type { RowDetails, RowName, RowPrompt } from './api.ts';
import { first } from './background.ts';
import type { OpenedEvaluation, OpenedRun } from './opened-run.ts';
import { viewCommand } from './view-command.ts';

type Whole<Cut> = Omit<Cut, 'cut'>;

/** All that the log says of a row, found by its place. */
async function linesOf(
  opened: OpenedRun,
  { model, dataset, id }: Omit<RowName, 'run'>,
): Promise<RowLines> {
  const table = await opened.table({ model, dataset });
  if (!table.isDone) {
    // The index finds a row before the log is read through; its parts are known after that.
    const found = await first(() => opened.run.row({ model, dataset, id }));
    if (found && !found.parts) {
      const { model: _, dataset: __, ...current } = found;
      return { current, parts: [], earlier: [] };
    }
  }
  while (table.slotOf(id) < 0 && !table.isDone) await table.wait(50);
  const offsets = table.offsetsOf(id);
  const slot = table.slotOf(id);
  const counting = slot < 0 ? undefined : table.columns.offsets[slot];
  const handle = await open(table.logFile, 'r');
  try {
    const records = await Promise.all(offsets.map((offset) => readRowAt(handle, offset)));
    const current = counting === undefined ? undefined : records[offsets.indexOf(counting)];
    const found = records.filter((record) => record !== undefined);
    return arrangeLines(found, current);
  } finally {
    await handle.close();
  }
}

/** The record of a row that counts; its other lines are left where they are. */
async function currentOf(
  opened: OpenedRun,
  { model, dataset, id }: Omit<RowName, 'run'>,
): Promise<RowRecord | undefined> {
  const table = await opened.table({ model, dataset });
  const slot = table.slotOf(id);
  if (!table.isDone || slot < 0) return (await linesOf(opened, { model, dataset, id })).current;
  const handle = await open(table.logFile, 'r');
  try {
    return await readRowAt(handle, table.columns.offsets[slot] ?? 0);
  } finally {
    await handle.close();
  }
}

/** The log record of a row, with all of its texts. */
export async function wholeRecord(opened: OpenedRun, name: RowName): Promise<Whole<RowDetails>> {
  const { model, dataset, id } = name;
  const { current, parts, earlier } = await linesOf(opened, name);
  if (!current && parts.length === 0 && earlier.length === 0) {
    throw new UsageError('serve.no_such_row', `The run has no record of row ${id}`, {
      hint: 'Rows are numbered as in the data.',
    });
  }
  const { splitAnswer } = await import('../../score/split-thought.ts');
  const { spokenText } = await import('../../run/score-answer.ts');
  const notes = await opened.notes();
  const note = notes.get(model, dataset, id);
  const spoken =
    current?.answer === undefined
      ? undefined
      : splitAnswer(spokenText(replyOf(current)), current.reasoning, {
          thinking: thinkingOf(opened.run.file, model),
          opened: current.opened,
          isCut: current.finish === 'length',
        }).answer;
  return {
    ...{ id, model, dataset },
    ...(current && { verdict: verdictOf(current, opened.kindOf(name)), record: { ...current } }),
    rule: await describedRule(opened, name),
    parts: parts.map((part) => ({ ...part })),
    earlier: earlier.map((one) => ({ ...one })),
    ...(spoken !== undefined && spoken !== current?.answer && { spoken }),
    ...(note && { note }),
  };
}

/** By what answers are compared, in the words of the catalogue. */
async function describedRule(opened: OpenedRun, name: EvaluationName): Promise<RowDetails['rule']> {
  const { evaluatorTypes } = await import('../../score/evaluators/evaluator-types.ts');
  const { file } = opened.run;
  const rule = ruleOf(file, name);
  const { harness } = file.settings.opened ?? {};
  if (harness !== undefined && rule.evaluator === 'function') {
    return { ...rule, evaluator: `of ${harness}`, summary: 'scores as they were recorded' };
  }
  const known = Object.entries(evaluatorTypes).find(([type]) => type === rule.evaluator);
  return { ...rule, ...(known && { summary: known[1].summary }) };
}

export interface WholePrompt {
  readonly prompt: Whole<RowPrompt>;
  readonly media: ReadonlyMap<string, MediaContent>;
}

/** What was sent for a row, with all of its texts; `folder` is the run as others are told it. */
export async function wholePrompt(
  opened: OpenedRun,
  name: Omit<RowName, 'run'>,
  folder?: string,
): Promise<WholePrompt> {
  const { model, dataset, id } = name;
  const evaluation = await first(() => opened.opened({ model, dataset }));
  const command = showCommand(folder ?? displayPath(opened.run.path), name);
  const { remade } = evaluation;
  const without = (problem: string) => ({
    prompt: { problem, examples: [], command },
    media: new Map(),
  });
  const current = await currentOf(opened, name);
  if (remade.type === 'not-made') {
    return {
      ...without(remade.reason),
      ...(await keptPrompt(opened, name, { current, reason: remade.reason, command })),
    };
  }
  const { row, asked } = await askedOf(opened, evaluation, { dataset, current, id });
  const changed = remade.changed === undefined ? {} : { changed: remade.changed };
  if (asked.type === 'not-made') {
    const kept = await keptPrompt(opened, name, { current, reason: asked.reason, command });
    const { prompt, media } = { ...without(asked.reason), ...kept };
    const shown = row && (hideBase64In(toPlain(row.row)) as Record<string, unknown>);
    return { prompt: { ...prompt, ...changed, ...(shown && { row: shown }) }, media };
  }
  const placed = row && { ...name, position: row.position };
  const view = placed && viewCommand(opened.run, placed, { folder, startedIn: remade.startedIn });
  const { jsonView } = await import('../../terminal/view/json-view.ts');
  return {
    prompt: {
      ...changed,
      row: hideBase64In(toPlain(asked.row)) as Record<string, unknown>,
      gold: toPlain(asked.gold),
      ...(await extractedPlace(opened, { model, remade, asked, current })),
      view: hideBase64In(toPlain(jsonView(asked.view))) as Record<string, unknown>,
      examples: examplesOf(remade, asked),
      command,
      ...(view !== undefined && { viewCommand: view }),
    },
    media: mediaOf(asked),
  };
}

function replyOf(record: RowRecord): Reply {
  const { answer = '', reasoning, opened, begun, prefix, finish, label } = record;
  return { text: answer, reasoning, opened, begun, prefix, finish, label };
}

interface Read {
  readonly model: string;
  readonly remade: RemadeEvaluation;
  readonly asked: Made;
  readonly current: RowRecord | undefined;
}

/** Where the scorer finds in an answer what the record says that it read; nothing where it finds that nowhere. */
async function extractedPlace(
  { run }: OpenedRun,
  { model, remade: { evaluation }, asked: { row, gold }, current }: Read,
): Promise<Pick<RowPrompt, 'extractedAt'>> {
  if (current?.answer === undefined || current.extracted === undefined) return {};
  if (evaluation.type !== 'single') return {};
  const { scoreReply } = await import('../../run/score-answer.ts');
  const thinking = thinkingOf(run.file, model);
  const score = scoreReply(evaluation.scorer, { reply: replyOf(current), gold, row, thinking });
  if (score?.type !== 'scored' || score.extracted !== current.extracted || !score.place) return {};
  return { extractedAt: [score.place.start, score.place.end] };
}

/** The row as it is known, and what was asked about it. */
async function askedOf(
  opened: OpenedRun,
  evaluation: OpenedEvaluation,
  { dataset, current, id }: Pick<RowLines, 'current'> & { dataset: string; id: number },
): Promise<{ readonly row: PositionedRow | undefined; readonly asked: AskedAgain }> {
  const { remade, data } = evaluation;
  const isKnown = (await data?.known(id)) !== undefined || data?.isDone !== false;
  if (!isKnown && remade.type === 'made' && current?.prompt !== undefined) {
    const { quickRow } = await import('./quick-row.ts');
    const guess = await first(async () => {
      const row = await quickRow(remade, dataset, id);
      const asked = row && (await askAgain(opened, evaluation, { row, current, id }, true));
      return asked?.type === 'made' ? { row, asked } : undefined;
    });
    if (guess) return guess;
  }
  const row = await data?.row(id);
  return { row, asked: await askAgain(opened, evaluation, { row, current, id }) };
}

/** What a run kept of the prompts of a row that cannot be made again; nothing where it kept none. */
async function keptPrompt(
  opened: OpenedRun,
  { model, dataset }: Omit<RowName, 'run'>,
  {
    current,
    reason,
    command,
  }: Pick<RowLines, 'current'> & { readonly reason: string; readonly command: string },
): Promise<{ readonly prompt: Whole<RowPrompt> } | undefined> {
  if (!current) return undefined;
  const { findSavedPrompts } = await import('../../run/saved-prompts.ts');
  const { logFile } = rowFiles(opened.run.path, model, dataset);
  const saved = await findSavedPrompts(logFile, current.parts ?? [current.key]);
  if (saved.length === 0) return undefined;
  const { keptView } = await import('./kept-view.ts');
  return { prompt: { kept: reason, view: keptView(saved), examples: [], command } };
}

async function askAgain(
  opened: OpenedRun,
  evaluation: OpenedEvaluation,
  { row, current, id }: Pick<RowLines, 'current'> & { row: PositionedRow | undefined; id: number },
  isGuess = false,
): Promise<AskedAgain> {
  const { askRow, findRow } = await import('../../study/show/shown-row.ts');
  const remade = evaluation.remade as RemadeEvaluation;
  const isPlain = remade.evaluation.type === 'single' && !remade.evaluation.scorer.judge;
  const answeredOf = async (asked: PositionedRow) => {
    if (isPlain) {
      return { answers: [current?.answer ?? ''], steps: [current?.steps ?? []], isChanged: false };
    }
    const { openAnsweredRows } = await import('../../study/view/answered-row.ts');
    evaluation.answered ??= openAnsweredRows(opened.run.path, remade.evaluation);
    return (await evaluation.answered).of(asked);
  };
  const settings = { current, answeredOf };
  try {
    if (row) await remade.evaluation.prepare?.([row]);
    const asked = await askRow(remade, row, settings);
    if (asked.type === 'made' || remade.changed !== undefined || !row || isGuess) return asked;
    // What is kept of rows holds plain values only; the data itself has all.
    return await askRow(remade, await findRow(remade, id), settings);
  } catch (error) {
    return { type: 'not-made', reason: error instanceof Error ? error.message : String(error) };
  }
}

type Made = Extract<AskedAgain, { type: 'made' }>;

function spansOf({ view }: Pick<Made, 'view'>): Span[] {
  return view.prompts.flatMap(({ prompt }) =>
    prompt.type === 'text' ? prompt.spans : prompt.messages.flatMap(({ spans }) => spans),
  );
}

/** The media of prompts, by their hashes. */
export function mediaOf(asked: Pick<Made, 'view'>): ReadonlyMap<string, MediaContent> {
  const found = spansOf(asked).flatMap(({ media }) => media?.content ?? []);
  return new Map(found.map((content) => [content.sha256, content]));
}

/** The rows that are shown as examples. */
function examplesOf({ evaluation }: RemadeEvaluation, { view }: Made): RowPrompt['examples'] {
  const pool = evaluation.shape.pool ?? [];
  return view.shots.flatMap((shot) => {
    const found = pool.find(({ id }) => id === shot);
    return found
      ? [{ id: found.id, row: hideBase64In(toPlain(found.row)) as Record<string, unknown> }]
      : [];
  });
}

/** A value for the page: long texts come in pieces. */
export function forPage<Value extends object>(value: Value) {
  const { value: short, cut } = cutTexts(value);
  return { ...short, cut };
}
