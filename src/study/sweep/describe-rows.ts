import { promptText, shownPrompt } from '../../evaluation/asked.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { formatValue } from '../../prompt/values.ts';
import { RecordLookup } from '../../run/store/record-lookup.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { CellEvaluation } from './cell-evaluation.ts';
import type { ChangingCell, ChangingRow } from './sweep-summary.ts';

const longestShown = 4000;

/** Changing rows with what they were asked, and what was answered. */
export async function describeRows(
  rows: readonly ChangingRow[],
  cells: readonly CellEvaluation[],
): Promise<ChangingRow[]> {
  const found = new Map<string, Found>();
  for (const { cell, stored } of cells) {
    const ids = rows.flatMap((row) =>
      row.cells.some(({ abbr }) => abbr === cell.abbr) ? [row.id] : [],
    );
    if (ids.length === 0) continue;
    const prompts = await promptsOf(stored.evaluation, new Set(ids));
    const reader = await RecordLookup.open(stored);
    try {
      for (const id of ids) {
        const record = await reader.row(id);
        const { template } = cell.settings;
        found.set(`${id} ${cell.abbr}`, { template, prompt: prompts.get(id), record });
      }
    } finally {
      await reader.close();
    }
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
  evaluation: Evaluation,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const prompts = new Map<number, string>();
  for await (const batch of evaluation.rows.batches()) {
    for (const row of batch) {
      const id = Number(row.id);
      if (ids.has(id)) prompts.set(id, shorten(promptText(await promptOf(evaluation, row))));
    }
    if (prompts.size === ids.size) break;
  }
  return prompts;
}

/** What a row is asked first. */
async function promptOf(evaluation: Evaluation, row: PositionedRow): Promise<Prompt> {
  const { requests } = await evaluation.plan(row);
  const [first] = requests;
  return first ? shownPrompt(first.asked) : { type: 'text', text: '' };
}

function shorten(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}
