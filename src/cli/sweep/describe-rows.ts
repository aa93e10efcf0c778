import { contentText, formatValue, type NamedRow, type Prompt } from '../../prompt/index.ts';
import { shownPrompt } from '../../run/asked.ts';
import { RowLogReader, type RowRecord } from '../../run/row-log.ts';
import type { ChangingCell, ChangingRow } from '../../run/sweep-summary.ts';
import type { BuiltTask } from '../run/build-tasks.ts';
import type { CellTask } from './read-sheets.ts';

const longestShown = 4000;

/** Changing rows with what they were asked, and what was answered. */
export async function describeRows(
  rows: readonly ChangingRow[],
  cells: readonly CellTask[],
): Promise<ChangingRow[]> {
  const found = new Map<string, Found>();
  for (const { cell, task } of cells) {
    const ids = rows.flatMap((row) =>
      row.cells.some(({ abbr }) => abbr === cell.abbr) ? [row.id] : [],
    );
    if (ids.length === 0) continue;
    const prompts = await promptsOf(task, new Set(ids));
    const { logFile, indexFile } = task.settings;
    const reader = await RowLogReader.open(logFile, indexFile);
    for (const id of ids) {
      const record = await reader.row(id);
      const { template } = cell.settings;
      found.set(`${id} ${cell.abbr}`, { template, prompt: prompts.get(id), record });
    }
    await reader.close();
  }
  return rows.map((row) => describeRow(row, found));
}

interface Found extends Pick<ChangingCell, 'template' | 'prompt'> {
  readonly record: RowRecord | undefined;
}

function describeRow(row: ChangingRow, found: ReadonlyMap<string, Found>): ChangingRow {
  const foundIn = ({ abbr }: ChangingCell) => found.get(`${row.id} ${abbr}`);
  const gold = row.cells.map(foundIn).find((one) => one?.record)?.record?.gold;
  return {
    id: row.id,
    ...(gold !== undefined && { gold: formatValue(gold) }),
    cells: row.cells.map((cell) => {
      const { template, prompt, record } = foundIn(cell) ?? {};
      return { ...cell, template, prompt, answer: shorten(record?.answer ?? '') };
    }),
  };
}

/** The prompts of some rows, made as they were for the run. */
async function promptsOf(
  { rows, settings }: BuiltTask,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const prompts = new Map<number, string>();
  for await (const batch of rows.stream.batches()) {
    for (const named of batch) {
      const id = Number(named.id);
      if (ids.has(id)) prompts.set(id, shorten(textOf(await promptOf(settings, named))));
    }
    if (prompts.size === ids.size) break;
  }
  return prompts;
}

async function promptOf(
  { inference, prepare }: BuiltTask['settings'],
  { id, row }: NamedRow,
): Promise<Prompt> {
  const query = { id, row, index: Number(id) };
  await prepare?.([query]);
  const [first] = inference.type === 'single' ? [inference.ask(query)] : inference.next(query, []);
  return first ? shownPrompt(first.request) : { type: 'text', text: '' };
}

function textOf(prompt: Prompt): string {
  return prompt.type === 'text'
    ? prompt.text
    : prompt.messages.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n\n');
}

function shorten(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}
