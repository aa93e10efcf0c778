import { hintForName } from '../base/nearest-name.ts';
import type { DatasetConfig } from '../config/config.ts';
import type { HeadRows } from '../data/head-rows.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { compileWhere, type Where } from '../data/select/where.ts';
import { type ConfigPath, DataError } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import type { Scorer } from '../score/scorer.ts';
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
  { selection, scored }: { readonly selection: RowSelection; readonly scored?: ScoredColumns },
): Promise<PositionedRow[]> {
  const where = selection.where === undefined ? undefined : compileWhere(selection.where);
  const columns = new ColumnSearch(dataset, { where, scored });
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

/** The columns that scoring reads. */
export type ScoredColumns = Scorer['columns'];

class SampleSearch {
  readonly #column: string | undefined;
  /** The labels that are given: one row whose gold answer is among them is enough. */
  readonly #labels: readonly unknown[] | undefined;
  readonly #found = new Map<string, PositionedRow>();

  constructor({ inferCfg: { inferencer }, readerCfg: { outputColumn } }: DatasetConfig) {
    const hasLabels = comparesLabels({ inferencer }) || inferencer.labels !== undefined;
    this.#column = hasLabels ? outputColumn : undefined;
    this.#labels = inferencer.labels;
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
      if (this.#labels && isAmong(named.row[this.#column], this.#labels)) return true;
    }
    return false;
  }
}

function isAmong(gold: unknown, labels: readonly unknown[]): boolean {
  const plain = (value: unknown) => formatValue(value).trim().toLowerCase();
  const golds = (Array.isArray(gold) ? gold : [gold]).map(plain);
  return labels.some((label) => golds.includes(plain(label)));
}

const sameText = new Set(['exact', 'AccEvaluator', 'AccwithDetailsEvaluator']);

/** What may be wrong with how measured labels are scored. */
export function* measuredDiagnostics(
  { abbr, source, evalCfg, readerCfg: { outputColumn }, inferCfg: { inferencer } }: DatasetConfig,
  {
    labels = inferencer.labels,
    samples,
  }: { readonly labels: readonly unknown[] | undefined; readonly samples: readonly NamedRow[] },
): Generator<Diagnostic> {
  if (!evalCfg) return;
  const { evaluator, predPostprocessor, datasetPostprocessor } = evalCfg;
  if (!labels || outputColumn === undefined || predPostprocessor || datasetPostprocessor) return;
  const golds = samples.map(({ row }) => row[outputColumn]).filter((gold) => gold != null);
  if (golds.length === 0 || !sameText.has(evaluator.type)) return;
  if (golds.some((gold) => isAmong(gold, labels))) return;
  const shown = (values: readonly unknown[]) =>
    values
      .slice(0, 4)
      .map((value) => `\`${formatValue(value)}\``)
      .join(', ');
  yield {
    code: 'data.gold_not_a_label',
    message: `No gold answer of \`${abbr}\` is one of the labels: the labels are ${shown(labels)}, the column \`${outputColumn}\` has ${shown(golds)}`,
    hint: 'No row can be right like this. Write the labels as the column has them, or change the gold answers with `dataset_postprocessor`.',
    path: [...source, 'infer_cfg'],
  };
}

/** A column that some row must have, and who says so. */
interface WantedColumn {
  readonly name: string;
  /** Left out for those of `where`. */
  readonly path?: ConfigPath;
}

class ColumnSearch {
  readonly #dataset: DatasetConfig;
  readonly #wanted: readonly WantedColumn[];
  readonly #missing: Set<string>;
  readonly #seen = new Set<string>();

  constructor(
    dataset: DatasetConfig,
    { where, scored }: { readonly where: Where | undefined; readonly scored: ScoredColumns },
  ) {
    const { readerCfg, source } = dataset;
    const { inputColumns, outputColumn, clusterBy } = readerCfg;
    const declared = [...inputColumns, ...(outputColumn === undefined ? [] : [outputColumn])];
    const path = [...source, 'reader_cfg'];
    const ofWhere = [...(where?.columns ?? [])];
    const ofReader = declared.filter((name) => name !== limitColumn && !ofWhere.includes(name));
    this.#dataset = dataset;
    this.#wanted = [
      ...ofReader.map((name) => ({ name, path })),
      ...(clusterBy === undefined ? [] : [{ name: clusterBy, path: [...path, 'cluster_by'] }]),
      ...ofWhere.map((name) => ({ name })),
      ...(scored === 'any' ? [] : (scored ?? [])),
    ];
    this.#missing = new Set(this.#wanted.map(({ name }) => name));
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
    const wanted = this.#wanted.find(({ name }) => this.#missing.has(name));
    // No rows at all is another error.
    if (!wanted || this.#seen.size === 0) return;
    const { name, path } = wanted;
    throw new DataError(
      'data.unknown_column',
      path
        ? `No row of the dataset \`${this.#dataset.abbr}\` has a column \`${name}\``
        : `where: no row has a column \`${name}\``,
      { path, hint: this.#hintFor(name) },
    );
  }

  #hintFor(name: string): string {
    const hint = hintForName(name, { names: [...this.#seen], kind: 'Columns' });
    const { rows, readerCfg } = this.#dataset;
    const paths =
      rows.type === 'file' ? [rows.path] : Object.values('paths' in rows ? rows.paths : {});
    const hasHeader = paths.some((path) => /\.[ct]sv\b/i.test(path)) && !readerCfg.columns;
    if (!hasHeader) return hint;
    return `${hint} The names are the first line of the file; if it has rows alone, name its columns in \`reader_cfg.columns\`.`;
  }
}
