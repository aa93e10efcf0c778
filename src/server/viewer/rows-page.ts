import { type FileHandle, open } from 'node:fs/promises';
import { formatValue } from '../../prompt/values.ts';
import { verdicts } from '../../run/row-sample.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import { readRowAt } from '../../run/store/read-rows.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { datasetOf } from '../../run/store/run-file-parts.ts';
import type { Cell, RowsPage, RowsQuery } from './api.ts';
import { first } from './background.ts';
import { readNotes } from './notes.ts';
import type { OpenedRun } from './opened-run.ts';
import { unknown } from './row-columns.ts';
import type { RowTable } from './row-table.ts';
import { runningScore } from './running-score.ts';

const excerptLength = 240;
const maxReasons = 100;
/** A page asks again while something is being read; the first answer comes soon. */
const firstAnswerMs = 150;
/** While nothing is found, an answer waits a little longer. */
const moreRounds = 4;
/** Records with longer answers are not read for a list. */
const largeAnswer = 500_000;

/** A page of the rows of some evaluations. */
export async function rowsPage(
  opened: OpenedRun,
  names: readonly EvaluationName[],
  query: RowsQuery,
): Promise<RowsPage> {
  const tables = await Promise.all(names.map((name) => opened.table(name)));
  const text = query.q?.trim();
  const search = text ? await opened.search(text, names) : undefined;
  const [data] = await Promise.all([
    dataOf(opened, names),
    search?.wait(firstAnswerMs),
    ...tables.map((table) => table.wait(firstAnswerMs)),
  ]);
  let selection = opened.selection(tables, query, search);
  for (let round = 0; round < moreRounds && selection.ids.length === 0; round++) {
    const unread = tables.filter(({ isDone }) => !isDone);
    if (unread.length === 0 && search?.isDone !== false) break;
    await Promise.all([
      search?.wait(firstAnswerMs),
      ...unread.map((one) => one.wait(firstAnswerMs)),
    ]);
    selection = opened.selection(tables, query, search);
  }
  const { ids, counts, reasons } = selection;
  const near = query.near === undefined ? -1 : ids.indexOf(query.near);
  const from = near < 0 ? query.from : Math.max(0, near - (query.count >> 1));
  const progress = tables.reduce((sum, table) => sum + table.progress, 0) / tables.length;
  const notes = await readNotes(opened.run.path);
  const rowOf = async (id: number, handles: readonly FileHandle[]) => {
    const cells = tables.map((table, place) => readCell(table, handles[place], id));
    const columns = await data.columnsOf(id);
    const hasNote = names.some(({ model, dataset }) => notes.get(model, dataset, id));
    return {
      id,
      cells: await Promise.all(cells),
      ...(columns && { columns }),
      ...(hasNote && { note: true }),
    };
  };
  const rows = await first(async () => {
    const handles = await Promise.all(tables.map(({ logFile }) => open(logFile, 'r')));
    try {
      const shown = [...ids.subarray(from, from + query.count)];
      return await Promise.all(shown.map((id) => rowOf(id, handles)));
    } finally {
      await Promise.all(handles.map((handle) => handle.close()));
    }
  });
  return {
    total: counts.all ?? 0,
    matching: ids.length,
    from,
    counts,
    reasons: reasons.slice(0, maxReasons),
    progress,
    isSearching: search !== undefined && !search.isDone,
    damaged: tables.reduce((sum, { problems }) => sum + problems.total, 0),
    rows,
    data: data.described,
    ...runningScore(opened, names, tables),
  };
}

/** What the data says of rows, as far as it was read. */
async function dataOf(opened: OpenedRun, names: readonly EvaluationName[]) {
  const [name] = names;
  const dataset = name && datasetOf(opened.run.file, name.dataset);
  const reader = (dataset?.readerCfg ?? {}) as { readonly inputColumns?: unknown };
  const inputs = [reader.inputColumns ?? []].flat().map(String);
  const pending = name && opened.openedSoon(name);
  const ready = pending && (await Promise.race([pending, soon(firstAnswerMs)]));
  if (!ready) {
    return {
      described: { columns: [], inputs, isReading: true },
      columnsOf: async () => undefined,
    };
  }
  const { remade, data } = ready;
  if (!data) {
    const problem = remade.type === 'not-made' ? remade.reason : 'it could not be opened';
    return {
      described: { columns: [], inputs, isReading: false, problem },
      columnsOf: async () => undefined,
    };
  }
  const problem = await data.wait(firstAnswerMs).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return {
    described: {
      columns: [...data.columns],
      inputs,
      isReading: !data.isDone,
      ...(problem !== undefined && { problem }),
    },
    columnsOf: async (id: number) => {
      const found = await data.known(id);
      if (!found) return undefined;
      return Object.fromEntries(
        Object.entries(found.row)
          .slice(0, 40)
          .map(([name, value]) => [name, excerpt(formatValue(value))]),
      );
    },
  };
}

function soon(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}

async function readCell(
  table: RowTable,
  handle: FileHandle | undefined,
  id: number,
): Promise<Cell | null> {
  const slot = table.slotOf(id);
  if (slot < 0 || !handle) return null;
  const { columns } = table;
  const verdict = verdicts[columns.verdicts[slot] ?? 0] ?? 'failed';
  const length = columns.lengths[slot] ?? 0;
  const known = (value: number | undefined, name: string) =>
    value === undefined || value === unknown || Number.isNaN(value) ? {} : { [name]: value };
  const facts = {
    verdict,
    length,
    ...known(columns.ms[slot], 'ms'),
    ...known(columns.tokensIn[slot], 'tokensIn'),
    ...known(columns.tokensOut[slot], 'tokensOut'),
  };
  const record =
    length > largeAnswer ? undefined : await readRowAt(handle, columns.offsets[slot] ?? 0);
  if (!record) return { ...facts, answer: '', isLarge: true };
  return { ...facts, ...textsOf(record) };
}

function textsOf(record: RowRecord): Omit<Cell, 'verdict' | 'length'> {
  const { answer = '', score, extracted, gold, reason, kind, finish, label } = record;
  const shown = extracted ?? label;
  return {
    answer: excerpt(answer),
    ...(score !== undefined && { score }),
    ...(shown !== undefined && { extracted: excerpt(formatValue(shown)) }),
    ...(gold !== undefined && { gold: excerpt(formatValue(gold)) }),
    ...(reason !== undefined && { reason: excerpt(reason) }),
    ...(kind !== undefined && { kind }),
    ...(finish !== undefined && { finish }),
  };
}

/** Lists show a line: white space counts as one space. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, excerptLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}
