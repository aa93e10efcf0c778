import { hintForName } from '../base/nearest-name.ts';
import type { DatasetConfig } from '../config/config.ts';
import type { HeadRows } from '../data/head-rows.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { compileWhere, type Where } from '../data/select/where.ts';
import { DataError } from '../errors.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import { comparesLabels } from './prompt-setup.ts';

/** A column that rows may have or not. */
const limitColumn = 'max_out_len';
/** More labels than this are answers, not labels. */
const maxLabels = 1000;

/**
 * Looks at the first rows of a task, mostly at the first batch: refuses columns that no row has, and
 * a selection that keeps nothing; takes the first row, or the first of each label where labels are
 * compared and none are given.
 */
export async function lookAtRows(
  rows: HeadRows<PositionedRow>,
  dataset: DatasetConfig,
  selection: RowSelection,
): Promise<PositionedRow[]> {
  const where = selection.where === undefined ? undefined : compileWhere(selection.where);
  const columns = new ColumnSearch(dataset, where);
  const samples = new SampleSearch(dataset);
  const isKept = ({ id, row }: PositionedRow) =>
    (!selection.ids || selection.ids.has(id)) && (!where || where.matches(row));
  let hasKept = false;
  await rows.look((batch) => {
    hasKept ||= batch.some(isKept);
    const isSeen = columns.see(batch);
    return samples.see(batch) && isSeen && hasKept;
  });
  columns.check();
  if (samples.found.length > 0 && hasKept && selection.limit !== 0) return samples.found;
  throw new DataError('data.no_rows', `The dataset \`${dataset.abbr}\` has no rows to ask about`, {
    path: dataset.source,
    hint: 'The file is empty, or the range, --limit, --ids and --where keep nothing.',
  });
}

class SampleSearch {
  readonly #column: string | undefined;
  readonly #found = new Map<string, PositionedRow>();

  constructor({ inferCfg: { inferencer }, readerCfg: { outputColumn } }: DatasetConfig) {
    const needsLabels = comparesLabels({ inferencer }) && inferencer.labels === undefined;
    this.#column = needsLabels ? outputColumn : undefined;
  }

  get found(): PositionedRow[] {
    return [...this.#found.values()];
  }

  /** Whether enough was seen. */
  see(batch: readonly PositionedRow[]): boolean {
    for (const named of batch) {
      const label = this.#column === undefined ? '' : formatValue(named.row[this.#column]);
      if (!this.#found.has(label)) this.#found.set(label, named);
      if (this.#column === undefined || this.#found.size > maxLabels) return true;
    }
    return false;
  }
}

class ColumnSearch {
  readonly #dataset: DatasetConfig;
  readonly #ofWhere: ReadonlySet<string>;
  readonly #missing: Set<string>;
  readonly #seen = new Set<string>();

  constructor(dataset: DatasetConfig, where: Where | undefined) {
    const { inputColumns, outputColumn, clusterBy } = dataset.readerCfg;
    const declared = [...inputColumns, outputColumn, clusterBy].filter(
      (name) => name !== undefined,
    );
    this.#dataset = dataset;
    this.#ofWhere = new Set(where?.columns);
    this.#missing = new Set([...declared.filter((name) => name !== limitColumn), ...this.#ofWhere]);
  }

  #keyOf(column: string): string[] {
    return column === this.#dataset.readerCfg.clusterBy ? ['cluster_by'] : [];
  }

  get isDone(): boolean {
    return this.#missing.size === 0;
  }

  see(batch: readonly NamedRow[]): boolean {
    if (this.isDone) return true;
    for (const { row } of batch) for (const column of Object.keys(row)) this.#seen.add(column);
    for (const column of this.#seen) this.#missing.delete(column);
    return this.isDone;
  }

  check(): void {
    const [column] = this.#missing;
    // No rows at all is another error.
    if (column === undefined || this.#seen.size === 0) return;
    const { abbr, source } = this.#dataset;
    const isOfWhere = this.#ofWhere.has(column);
    throw new DataError(
      'data.unknown_column',
      isOfWhere
        ? `where: no row has a column \`${column}\``
        : `No row of the dataset \`${abbr}\` has a column \`${column}\``,
      {
        ...(!isOfWhere && { path: [...source, 'reader_cfg', ...this.#keyOf(column)] }),
        hint: hintForName(column, { names: [...this.#seen], kind: 'Columns' }),
      },
    );
  }
}
