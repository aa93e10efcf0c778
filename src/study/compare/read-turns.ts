import { promptText } from '../../evaluation/asked.ts';
import type { Message } from '../../prompt/prompt.ts';
import { readRows } from '../../run/store/read-rows.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { FlipTurn } from './comparison.ts';

/** The lines of the turns of some dialogues, in their order. */
export async function readTurns(
  logFile: string,
  rows: readonly RowRecord[],
): Promise<ReadonlyMap<number, readonly RowRecord[]>> {
  const wanted = new Map(rows.map(({ id, parts = [] }) => [id, new Set(parts)]));
  const lines = new Map<string, RowRecord>();
  for await (const records of readRows(logFile)) {
    for (const { record } of records) {
      const { id, key, part } = record;
      if (typeof part === 'number' && wanted.get(id)?.has(key)) lines.set(`${id} ${key}`, record);
    }
  }
  return new Map(
    rows.map(({ id, parts = [] }) => [id, parts.flatMap((key) => lines.get(`${id} ${key}`) ?? [])]),
  );
}

/** What each turn of a row was asked, as far as it is new, and answered. */
export function turnsOf(
  lines: readonly RowRecord[],
  remade: readonly string[] | undefined,
): FlipTurn[] {
  let before: readonly Message[] | undefined;
  return lines.map((line, index) => {
    const sent = Array.isArray(line.sent) ? (line.sent as readonly Message[]) : undefined;
    const prompt = sent ? promptText(newMessages(sent, before)) : remade?.[index];
    before = sent;
    return {
      name: Number(line.part),
      answer: line.answer ?? '',
      ...(line.score !== undefined && { score: line.score }),
      ...(prompt !== undefined && { prompt }),
    };
  });
}

/** Later turns begin with what was said before: the turn before and the answer to it. */
function newMessages(sent: readonly Message[], before: readonly Message[] | undefined) {
  const said = before && sent.length > before.length + 1 ? before.length + 1 : 0;
  return { type: 'messages', messages: sent.slice(said) } as const;
}
