import { open } from 'node:fs/promises';
import { hideBase64In } from '../../base/hidden-text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { Span } from '../../prompt/origin.ts';
import type { MediaContent } from '../../prompt/parts/content.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { verdictOf } from '../../run/row-sample.ts';
import { readRowAt } from '../../run/store/read-rows.ts';
import { arrangeLines, type RowLines } from '../../run/store/row-lines.ts';
import { datasetOf, thinkingOf } from '../../run/store/run-file-parts.ts';
import type { RemadeEvaluation } from '../../study/remake/open-remade.ts';
import type { AskedAgain } from '../../study/show/shown-row.ts';
import type { RowDetails, RowName, RowPrompt } from './api.ts';
import { cutTexts } from './cut-texts.ts';
import { readNotes } from './notes.ts';
import type { OpenedEvaluation, OpenedRun } from './opened-run.ts';

type Whole<Cut> = Omit<Cut, 'cut'>;

/** All that the log says of a row, found by its place. */
async function linesOf(opened: OpenedRun, { model, dataset, id }: RowName): Promise<RowLines> {
  const table = await opened.table({ model, dataset });
  if (!table.isDone) {
    // The index finds a row before the log is read through; its parts are known after that.
    const found = await opened.run.row({ model, dataset, id });
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

/** What the log says of a row, with all of its texts. */
export async function wholeRecord(opened: OpenedRun, name: RowName): Promise<Whole<RowDetails>> {
  const { model, dataset, id } = name;
  const { current, parts, earlier } = await linesOf(opened, name);
  if (!current && parts.length === 0 && earlier.length === 0) {
    throw new UsageError('serve.no_such_row', `The run says nothing of row ${id}`, {
      hint: 'Rows go by their numbers in the data.',
    });
  }
  const { splitAnswer } = await import('../../score/split-thought.ts');
  const notes = await readNotes(opened.run.path);
  const note = notes.get(model, dataset, id);
  const spoken =
    current?.answer === undefined
      ? undefined
      : splitAnswer(current.answer, current.reasoning, {
          thinking: thinkingOf(opened.run.file, model),
          opened: current.opened,
          isCut: current.finish === 'length',
        }).answer;
  return {
    ...{ id, model, dataset },
    ...(current && { verdict: verdictOf(current, opened.kindOf(name)), record: { ...current } }),
    rule: await ruleOf(opened, dataset),
    parts: parts.map((part) => ({ ...part })),
    earlier: earlier.map((one) => ({ ...one })),
    ...(spoken !== undefined && spoken !== current?.answer && { spoken }),
    ...(note && { note }),
  };
}

/** By what answers are compared, in the words of the catalogue. */
async function ruleOf(opened: OpenedRun, dataset: string): Promise<RowDetails['rule']> {
  const { evaluatorTypes } = await import('../../score/evaluators/evaluator-types.ts');
  const { evalCfg } = (datasetOf(opened.run.file, dataset) ?? {}) as {
    readonly evalCfg?: {
      readonly evaluator?: { readonly type?: string };
      readonly predPostprocessor?: unknown;
    };
  };
  const evaluator = evalCfg?.evaluator?.type ?? 'exact';
  const known = Object.entries(evaluatorTypes).find(([name]) => name === evaluator);
  const postprocessors = [evalCfg?.predPostprocessor ?? []].flat() as { readonly type?: string }[];
  return {
    evaluator,
    ...(known && { summary: known[1].summary }),
    postprocessors: postprocessors.map(({ type }) => String(type)),
  };
}

/** What was sent for a row, with all of its texts. */
export async function wholePrompt(
  opened: OpenedRun,
  name: RowName,
): Promise<{
  readonly prompt: Whole<RowPrompt>;
  readonly media: ReadonlyMap<string, MediaContent>;
}> {
  const { model, dataset, id } = name;
  const evaluation = await opened.opened({ model, dataset });
  const { quote } = await import('./quote.ts');
  const command = `typecase show ${quote(opened.run.path)} --row ${id} --model ${quote(model)} --dataset ${quote(dataset)} --origins`;
  const { remade, data } = evaluation;
  const without = (problem: string) => ({
    prompt: { problem, examples: [], command },
    media: new Map(),
  });
  if (remade.type === 'not-made') return without(remade.reason);
  const { current } = await linesOf(opened, name);
  const row = await data?.row(id);
  const asked = await askAgain(opened, evaluation, { row, current, id });
  const changed = remade.changed === undefined ? {} : { changed: remade.changed };
  if (asked.type === 'not-made') {
    const { prompt, media } = without(asked.reason);
    const shown = row && (hideBase64In(toPlain(row.row)) as Record<string, unknown>);
    return { prompt: { ...prompt, ...changed, ...(shown && { row: shown }) }, media };
  }
  const { jsonView } = await import('../../terminal/view/json-view.ts');
  return {
    prompt: {
      ...changed,
      row: hideBase64In(toPlain(asked.row)) as Record<string, unknown>,
      gold: toPlain(asked.gold),
      view: hideBase64In(toPlain(jsonView(asked.view))) as Record<string, unknown>,
      examples: examplesOf(remade, asked),
      command,
    },
    media: mediaOf(asked),
  };
}

async function askAgain(
  opened: OpenedRun,
  evaluation: OpenedEvaluation,
  { row, current, id }: Pick<RowLines, 'current'> & { row: PositionedRow | undefined; id: number },
): Promise<AskedAgain> {
  const { askRow, findRow } = await import('../../study/show/shown-row.ts');
  const remade = evaluation.remade as RemadeEvaluation;
  const isPlain = remade.evaluation.type === 'single' && !remade.evaluation.scorer.judge;
  const answeredOf = async (asked: PositionedRow) => {
    if (isPlain) return { answers: [current?.answer ?? ''], isChanged: false };
    const { openAnsweredRows } = await import('../../study/view/answered-row.ts');
    evaluation.answered ??= openAnsweredRows(opened.run.path, remade.evaluation);
    return (await evaluation.answered).of(asked);
  };
  const settings = { current, answeredOf };
  try {
    if (row) await remade.evaluation.prepare?.([row]);
    const asked = await askRow(remade, row, settings);
    if (asked.type === 'made' || remade.changed !== undefined || !row) return asked;
    // What is kept of rows holds plain values only; the data itself has all.
    return await askRow(remade, await findRow(remade, id), settings);
  } catch (error) {
    return { type: 'not-made', reason: error instanceof Error ? error.message : String(error) };
  }
}

type Made = Extract<AskedAgain, { type: 'made' }>;

function spansOf({ view }: Made): Span[] {
  return view.prompts.flatMap(({ prompt }) =>
    prompt.type === 'text' ? prompt.spans : prompt.messages.flatMap(({ spans }) => spans),
  );
}

function mediaOf(asked: Made): ReadonlyMap<string, MediaContent> {
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
