import { type FileHandle, open } from 'node:fs/promises';
import { cellFigures, cellTexts } from '../../report/snapshot/row-cell.ts';
import { startOf } from '../../report/snapshot/row-query.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import { readRowAt } from '../../run/store/read-rows.ts';
import { inputColumnsOf } from '../../run/store/run-file-parts.ts';
import type { Cell, RowsPage, RowsQuery } from './api.ts';
import { first } from './background.ts';
import type { OpenedRun } from './opened-run.ts';
import type { RowTable } from './row-table.ts';
import { runningScore } from './running-score.ts';

/** Groups of rows beyond this many are not listed. */
const maxGroups = 100;
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
  const { ids, counts, reasons, checks } = selection;
  const from = startOf(ids, query);
  const progress = tables.reduce((sum, table) => sum + table.progress, 0) / tables.length;
  const notes = await opened.notes();
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
    reasons: reasons.slice(0, maxGroups),
    checks: checks.slice(0, maxGroups),
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
  const inputs = name ? inputColumnsOf(opened.run.file, name.dataset) : [];
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
    columnsOf: (id: number) => data.texts(id),
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
  const figures = cellFigures(columns, slot);
  const record =
    figures.length > largeAnswer ? undefined : await readRowAt(handle, columns.offsets[slot] ?? 0);
  if (!record) return { ...figures, answer: '', isLarge: true };
  return { ...figures, ...cellTexts(record) };
}
