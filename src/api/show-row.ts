import { displayPath } from '../base/display-path.ts';
import { UsageError } from '../base/usage-error.ts';
import { type EvaluationName, openRun } from '../run/store/open-run.ts';
import { type ShownRow, showRowOf } from '../study/show/shown-row.ts';
import { checkOptions } from './check-options.ts';
import { showNames } from './option-names.ts';

export interface ShowOptions extends Partial<EvaluationName> {
  /** The number of the row in its data, as logs and reports name it. */
  readonly row: number;
}

/**
 * Everything that a run knows about a row, for each model and dataset: what `typecase show`
 * does. Prompts are made again from the config and the data that the run names.
 *
 * @example
 * const [shown] = await showRow('runs/capitals', { row: 3 });
 * shown?.record?.answer; // 'Paris'
 */
export async function showRow(folder: string, options: ShowOptions): Promise<readonly ShownRow[]> {
  checkOptions<ShowOptions>(options, showNames);
  const { row, ...selection } = options;
  const run = await openRun(folder);
  const shown: ShownRow[] = [];
  for (const name of run.select(selection)) {
    const found = await showRowOf(run, name, row);
    if (found) shown.push(found);
  }
  if (shown.length > 0) return shown;
  throw new UsageError('show.no_such_row', `${displayPath(run.path)} has no row ${row}`, {
    hint: 'Rows are numbered as in the data (`id` in the logs). The run may have stopped before this row.',
  });
}
