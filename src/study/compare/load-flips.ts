import { promptText } from '../../evaluation/asked.ts';
import { scoredTurns } from '../../evaluation/repeats.ts';
import { formatValue } from '../../prompt/values.ts';
import { findSavedPrompts, savedPrompt } from '../../run/saved-prompts.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import { RecordLookup } from '../../run/store/record-lookup.ts';
import { answerOrCalls, type RowRecord } from '../../run/store/row-record.ts';
import { datasetOf } from '../../run/store/run-file-parts.ts';
import type { Flip, FlipSide } from './comparison.ts';
import type { LoggedRows } from './logged-rows.ts';
import type { RowPair } from './pair-rows.ts';
import { readTurns, turnsOf } from './read-turns.ts';
import { type RemadePrompt, type RemadePrompts, remakePrompts } from './remake-prompts.ts';
import type { SideEvaluation } from './run-side.ts';

/** One side of a pair of tasks: its run, its log and what the log says. */
export interface LoggedTask {
  readonly run: StoredRun;
  readonly task: SideEvaluation;
  readonly rows: LoggedRows;
}

/** Reads what rows were asked and answered on both sides. */
export async function loadFlips(
  pairs: readonly RowPair[],
  { a, b }: { readonly a: LoggedTask; readonly b: LoggedTask },
): Promise<Flip[]> {
  if (pairs.length === 0) return [];
  const idsOf = (side: 'a' | 'b') => pairs.map((pair) => pair[side]);
  const left = await loadSide(a, idsOf('a'));
  const right = await loadSide(b, idsOf('b'));
  return pairs.flatMap((pair) => {
    const one = left.get(pair.a);
    const other = right.get(pair.b);
    if (!one || !other) return [];
    const gold = other.gold ?? one.gold;
    const missing = [
      one.noPrompt && `A: ${one.noPrompt}`,
      other.noPrompt && `B: ${other.noPrompt}`,
    ];
    const noPrompt = missing.filter((reason) => reason !== undefined).join('; ');
    return {
      a: one.side,
      b: other.side,
      ...(gold !== undefined && { gold }),
      ...(noPrompt !== '' && { noPrompt }),
    };
  });
}

interface LoadedSide {
  readonly side: FlipSide;
  readonly gold?: string | undefined;
  readonly noPrompt?: string | undefined;
}

async function loadSide(
  task: LoggedTask,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LoadedSide>> {
  const records = await readRecords(task, ids);
  const turns = isDialogue(task) ? await readTurns(task.task.logFile, records) : undefined;
  const kept = await keptPrompts(task, records);
  const remade: RemadePrompts = records.every(({ id }) => kept.has(id))
    ? { type: 'made', prompts: kept, changed: undefined }
    : await remakePrompts(task, { ids: new Set(ids), turns });
  return new Map(
    records.map((record) => {
      const lines = turns?.get(record.id);
      return [record.id, withTurns(sideOf(record, remade), { id: record.id, remade, lines })];
    }),
  );
}

/** Prompts that the run keeps beside its answers; those of dialogues have turns and are made anew. */
async function keptPrompts(
  { task }: LoggedTask,
  records: readonly RowRecord[],
): Promise<ReadonlyMap<number, RemadePrompt>> {
  const whole = records.filter(({ parts }) => parts === undefined);
  const keys = whole.map(({ key }) => key);
  const saved = new Map((await findSavedPrompts(task.logFile, keys)).map((one) => [one.key, one]));
  return new Map(
    whole.flatMap(({ id, key, prompt: hash }) => {
      const one = saved.get(key);
      if (!one) return [];
      const prompt = savedPrompt(one);
      return [[id, { hash, prompt, text: promptText(prompt) }] as const];
    }),
  );
}

async function readRecords(task: LoggedTask, ids: readonly number[]): Promise<RowRecord[]> {
  const reader = await RecordLookup.open({ logFile: task.task.logFile });
  try {
    const records: RowRecord[] = [];
    for (const id of ids) {
      records.push(task.rows.measured(await reader.recordAt(task.rows.offsetOf(id))));
    }
    return records;
  } finally {
    await reader.close();
  }
}

function isDialogue({ run: { file }, task: { model, dataset } }: LoggedTask): boolean {
  const recorded = datasetOf(file, dataset);
  const compat = file.models.find(({ name }) => name === model)?.compat;
  return recorded !== undefined && scoredTurns(recorded, compat) !== undefined;
}

interface LoggedTurns {
  readonly id: number;
  readonly lines: readonly RowRecord[] | undefined;
  readonly remade: RemadePrompts;
}

/** A dialogue is shown turn by turn. */
function withTurns(loaded: LoadedSide, { id, lines, remade }: LoggedTurns): LoadedSide {
  if (!lines) return loaded;
  const made = loaded.noPrompt === undefined && remade.type === 'made';
  const texts = made ? remade.prompts.get(id)?.turns : undefined;
  const turns = turnsOf(lines, texts);
  const { noPrompt: _, ...shown } = loaded;
  const isShown = turns.every(({ prompt }) => prompt !== undefined);
  return { ...(isShown ? shown : loaded), side: { ...loaded.side, turns } };
}

function sideOf(record: RowRecord, remade: RemadePrompts): LoadedSide {
  const { id, score = 0, label, extracted, gold } = record;
  const prompt = promptOf(record, remade);
  return {
    side: {
      id: Number(id),
      score,
      answer: answerOrCalls(record) || (label === undefined ? '' : formatValue(label)),
      ...(extracted !== undefined && { extracted: formatValue(extracted) }),
      ...('text' in prompt && { prompt: prompt.text }),
    },
    ...(gold !== undefined && { gold: formatValue(gold) }),
    ...('reason' in prompt && { noPrompt: prompt.reason }),
  };
}

/** A prompt is shown only if it is the very one that was sent. */
function promptOf(
  { id, prompt }: RowRecord,
  remade: RemadePrompts,
): { readonly text: string } | { readonly reason: string } {
  if (remade.type === 'not-made') return { reason: remade.reason };
  const made = remade.prompts.get(Number(id));
  if (!made) return { reason: 'the data no longer has this row' };
  if (made.hash === prompt) return { text: made.text };
  const { changed } = remade;
  return {
    reason:
      changed === undefined
        ? 'the config or data now give a different prompt'
        : `${changed} has changed since the run`,
  };
}
