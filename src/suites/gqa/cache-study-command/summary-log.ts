import { appendFile, readFile } from 'node:fs/promises';
import { isFileMissing } from '../../../base/files.ts';
import { DataError } from '../../../errors.ts';
import { writing } from '../../../run/store/write-whole.ts';
import { csvLine } from '../cache-study/logs.ts';

/** What differs from one run of an experiment to the next without anything being different. */
const timeColumns = ['timestamp', 'wall_time'];

/** Names of the experiments that a log of totals has. */
export async function loggedExperiments(file: string): Promise<ReadonlySet<string>> {
  const [columns = [], ...lines] = await readLog(file);
  const at = columns.indexOf('experiment');
  return new Set(lines.map((cells) => cells[at] ?? '').filter(Boolean));
}

/** Adds a line of totals, unless the log has the same one; gives whether it was added. */
export async function addTotals(
  file: string,
  cells: ReadonlyMap<string, string>,
): Promise<boolean> {
  const columns = [...cells.keys()];
  const [known, ...lines] = await readLog(file);
  if (known && csvLine(known) !== csvLine(columns)) {
    throw new DataError('gqa.other_columns', `${file} is a log with different columns`, {
      hint: 'Use another file: the columns of a log cannot change.',
    });
  }
  const keyOf = (values: readonly string[]) =>
    csvLine(values.filter((_, index) => !timeColumns.includes(columns[index] ?? '')));
  const line = [...cells.values()];
  if (lines.some((logged) => keyOf(logged) === keyOf(line))) return false;
  const head = known ? '' : csvLine(columns);
  await writing(file, () => appendFile(file, head + csvLine(line)));
  return true;
}

async function readLog(file: string): Promise<string[][]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
  const { parse } = await import('csv-parse/sync');
  return parse(text, { relax_column_count: true, relax_quotes: true });
}
