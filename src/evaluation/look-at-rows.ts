import { hintForName } from '../base/nearest-name.ts';
import type { DatasetConfig } from '../config/config.ts';
import type { HeadRows } from '../data/head-rows.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { compileWhere, type Where } from '../data/select/where.ts';
import { type ConfigPath, DataError } from '../errors.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import type { Scorer } from '../score/scorer.ts';
import { comparesLabels } from './prompt-setup.ts';

interface LookOptions {
  readonly selection: RowSelection;
  readonly scorer?: RowsScorer;
}

/** What scoring reads of rows. */
export type RowsScorer = Pick<Scorer, 'columns' | 'judgesOf'> | undefined;

/** What a first look at the rows of a task finds. */
export interface FirstRows {
  /** The first row, and those after it that bring further columns; where labels are compared, the first row of each label too. */
  readonly samples: readonly PositionedRow[];
  /** The first rows that are asked about. */
  readonly head?: readonly PositionedRow[] | undefined;
  /** Of all rows that are asked about, one for each set of judges that rows ask themselves. */
  readonly judged?: readonly PositionedRow[] | undefined;
}

/** A column that rows may have or not. */
const limitColumn = 'max_out_len';
/** More labels than this are answers, not labels. */
const maxLabels = 1000;
/** A batch of so many rows shows the columns that rows have. */
const sampledRows = 100;

/**
 * Looks at the first rows of a task, mostly at the first batch or two: refuses columns that no row has, and
 * a selection that keeps nothing; takes the first row, those that bring columns, and the first
 * of each gold answer where labels are compared.
 */
export async function lookAtRows(
  rows: HeadRows<PositionedRow>,
  dataset: DatasetConfig,
  { selection, scorer }: LookOptions,
): Promise<FirstRows> {
  const where = selection.where === undefined ? undefined : compileWhere(selection.where);
  const columns = new ColumnSearch(dataset, { where, scored: scorer?.columns });
  const samples = new SampleSearch(dataset);
  const isKept = keptBy(selection, where);
  let hasKept = false;
  const head: PositionedRow[] = [];
  const judges = new JudgeSearch(scorer?.judgesOf, selection.limit);
  let batches = 0;
  await rows.look((batch) => {
    batches += 1;
    hasKept ||= batch.some(isKept);
    if (head.length === 0) head.push(...batch.filter(isKept).slice(0, maxLabels));
    const isSeen = columns.see(batch);
    const isJudged = judges.see(batch, isKept);
    // The last row of a file may come alone; of long rows each is a batch.
    const isSampled = batches > 1 || batch.length >= sampledRows;
    return samples.see(batch) && isSampled && isSeen && hasKept && isJudged;
  });
  columns.check();
  if (dataset.evalCfg && head.some(({ row }) => row.checks !== undefined)) {
    (await import('./row-checks.ts')).requireRowChecks(dataset, head);
  }
  if (samples.found.length > 0 && hasKept && selection.limit !== 0)
    return { samples: samples.found, head, judged: judges.found };
  throw new DataError('data.no_rows', `The dataset \`${dataset.abbr}\` has no rows to ask`, {
    path: dataset.source,
    hint: 'The file is empty, or the range, --limit, --ids and --where leave nothing.',
  });
}

/** Whether a row is one of those that are asked about, wherever a limit ends. */
export function keptBy(
  { ids, where: written }: RowSelection,
  where = written === undefined ? undefined : compileWhere(written),
): (row: PositionedRow) => boolean {
  return ({ id, row }) => (!ids || ids.has(id)) && (!where || where.matches(row));
}

/** The columns that scoring reads. */
type ScoredColumns = Scorer['columns'];

/** Any row may ask judges of its own, and they are to be known before the first answer. */
class JudgeSearch {
  readonly #judgesOf: Scorer['judgesOf'];
  readonly #found = new Map<string, PositionedRow>();
  #left: number;

  constructor(judgesOf: Scorer['judgesOf'], limit = Number.POSITIVE_INFINITY) {
    this.#judgesOf = judgesOf;
    this.#left = limit;
  }

  get found(): readonly PositionedRow[] {
    return [...this.#found.values()];
  }

  /** Whether all rows were seen that matter. */
  see(batch: readonly PositionedRow[], isKept: (row: PositionedRow) => boolean): boolean {
    if (!this.#judgesOf) return true;
    for (const named of batch) {
      if (this.#left === 0) return true;
      if (!isKept(named)) continue;
      this.#left -= 1;
      const judges = this.#judgesOf(named.row);
      if (judges !== '' && !this.#found.has(judges)) this.#found.set(judges, named);
    }
    return this.#left === 0;
  }
}

class SampleSearch {
  readonly #column: string | undefined;
  /** The labels that are given: a batch with a gold answer among them is enough. */
  readonly #labels: ReadonlySet<string> | undefined;
  readonly #seen = new Set<string>();
  readonly #columns = new Set<string>();
  readonly found: PositionedRow[] = [];

  constructor({ inferCfg: { inferencer }, readerCfg: { outputColumn } }: DatasetConfig) {
    const hasLabels = comparesLabels({ inferencer }) || inferencer.labels !== undefined;
    this.#column = hasLabels ? outputColumn : undefined;
    this.#labels = inferencer.labels && new Set(inferencer.labels.map(formatValue));
  }

  /** Whether enough was seen. */
  see(batch: readonly PositionedRow[]): boolean {
    let isEnough = false;
    for (const named of batch) {
      const label = this.#column === undefined ? '' : formatValue(named.row[this.#column]);
      const isFirst = !this.#seen.has(label);
      this.#seen.add(label);
      if (this.#bringsColumns(named) || isFirst) this.found.push(named);
      if (this.#seen.size > maxLabels) return true;
      isEnough ||= this.#labels?.has(label) ?? false;
    }
    return isEnough || this.#column === undefined;
  }

  #bringsColumns({ row }: PositionedRow): boolean {
    const { size } = this.#columns;
    for (const column of Object.keys(row)) this.#columns.add(column);
    return this.#columns.size > size;
  }
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
    const { readerCfg, source, inferCfg } = dataset;
    const { inputColumns, outputColumn, clusterBy } = readerCfg;
    const declared = [...inputColumns, ...(outputColumn === undefined ? [] : [outputColumn])];
    const path = [...source, 'reader_cfg'];
    const isChat = inferCfg?.inferencer?.type === 'ChatInferencer';
    const ofWhere = [...(where?.columns ?? [])];
    const ofReader = declared.filter((name) => name !== limitColumn && !ofWhere.includes(name));
    this.#dataset = dataset;
    this.#wanted = [
      ...ofReader.map((name) => ({ name, path })),
      ...(clusterBy === undefined ? [] : [{ name: clusterBy, path: [...path, 'cluster_by'] }]),
      ...ofWhere.map((name) => ({ name })),
      ...(scored === 'any' ? [] : (scored ?? [])).filter((one) => !isChat || !one.isSaidInChats),
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
      { path, hint: this.#hintFor(name, path) },
    );
  }

  #hintFor(name: string, path: ConfigPath = []): string {
    const ofRows = hintForName(name, { names: [...this.#seen], kind: 'Columns' });
    const isJudged =
      path.includes('eval_cfg') && path.some((key) => /^prompts?$/.test(String(key)));
    const hint = isJudged
      ? `${ofRows} A judge's prompt names the answer \`{prediction}\`, and the right one \`{reference}\`.`
      : ofRows;
    const { rows, readerCfg } = this.#dataset;
    const paths =
      rows.type === 'file' ? [rows.path] : Object.values('paths' in rows ? rows.paths : {});
    const hasHeader = paths.some((path) => /\.[ct]sv\b/i.test(path)) && !readerCfg.columns;
    if (!hasHeader) return hint;
    return `${hint} The first line of the file has the names; if it has no header, list the columns in \`reader_cfg.columns\`.`;
  }
}
