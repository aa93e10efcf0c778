import { hintForName } from '../../../base/nearest-name.ts';
import type { DatasetConfig } from '../../../config/config.ts';
import { openRows } from '../../../data/open-rows.ts';
import type { SourceDescription } from '../../../data/row-stream.ts';
import { DataError } from '../../../errors.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import type { Row } from '../../../prompt/values.ts';
import { isFunction, type TaskFunctions } from '../prompts/document-texts.ts';
import type { FunctionName, LmEvalTask } from './task-config.ts';

/** The rows of a task: those that are asked about, and those that can be examples. */
export interface TaskRows {
  readonly rows: readonly NamedRow[];
  readonly pool: readonly NamedRow[];
  /** Whether the row that is asked about is taken out of its examples. */
  readonly excludesRow: boolean;
  readonly columns: readonly string[];
  readonly describe: () => Promise<SourceDescription>;
}

export interface RowParts {
  readonly folder: string;
  readonly functions: TaskFunctions;
  readonly wantsPool: boolean;
}

/** Reads the splits that a task needs. */
export async function readTaskRows(
  task: LmEvalTask,
  dataset: DatasetConfig,
  { folder, functions, wantsPool }: RowParts,
): Promise<TaskRows> {
  const reader = new SplitReader(dataset, folder);
  const { test, validation, training } = task.splits;
  const processed = async (split: string, process: FunctionName | undefined) => {
    const rows = await reader.read(split);
    return process ? processRows(rows, functions(process.function), process.function) : rows;
  };
  const rows = await processed(test ?? validation ?? '', task.processDocs);
  const [first] = rows;
  if (!first) {
    throw new DataError('lm_eval.no_rows', `${task.name} has no rows to ask`, {
      path: dataset.source,
    });
  }
  const { split, samples, processDocs } = task.fewshot;
  const readPool = async (): Promise<readonly NamedRow[]> => {
    if (split !== undefined) return processed(split, processDocs);
    if (samples) return numbered(isFunction(samples) ? samplesOf(samples, functions) : samples);
    const other = training ?? validation;
    return other === undefined ? rows : processed(other, task.processDocs);
  };
  const pool = wantsPool ? await readPool() : [];
  return {
    rows,
    pool,
    excludesRow: split === test,
    columns: Object.keys(first.row),
    describe: () => reader.describe(rows.length),
  };
}

function samplesOf(samples: FunctionName, functions: TaskFunctions): readonly Row[] {
  return rowsGiven(functions(samples.function)(), samples.function);
}

function processRows(
  rows: readonly NamedRow[],
  process: ReturnType<TaskFunctions>,
  name: string,
): readonly NamedRow[] {
  return numbered(rowsGiven(process(rows.map(({ row }) => row)), name));
}

function rowsGiven(given: unknown, name: string): readonly Row[] {
  if (Array.isArray(given) && given.every((row) => typeof row === 'object' && row !== null)) {
    return given as readonly Row[];
  }
  throw new DataError(
    'lm_eval.bad_function',
    `the function \`${name}\` does not return a list of rows`,
    {
      hint: 'It receives a list of rows and must return one.',
    },
  );
}

function numbered(rows: readonly Row[]): readonly NamedRow[] {
  return filled(rows).map((row, id) => ({ id, row }));
}

/** A column that a row lacks is null there, as in tables. */
function filled(rows: readonly Row[]): readonly Row[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return rows.map((row) =>
    columns.every((column) => column in row)
      ? row
      : Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  );
}

class SplitReader {
  readonly #dataset: DatasetConfig;
  readonly #folder: string;
  readonly #splits = new Map<string, Promise<readonly NamedRow[]>>();
  readonly #described: (() => Promise<SourceDescription>)[] = [];

  constructor(dataset: DatasetConfig, folder: string) {
    this.#dataset = dataset;
    this.#folder = folder;
  }

  read(split: string): Promise<readonly NamedRow[]> {
    const rows = this.#splits.get(split) ?? this.#open(split);
    this.#splits.set(split, rows);
    return rows;
  }

  async describe(rowsRead: number): Promise<SourceDescription> {
    const all = await Promise.all(this.#described.map((describe) => describe()));
    return { files: all.flatMap(({ files }) => files), rowsRead };
  }

  async #open(split: string): Promise<readonly NamedRow[]> {
    const { rows } = this.#dataset;
    if (rows.type === 'inline') return numbered(rows.rows);
    if (rows.type === 'inline-splits') return numbered(this.#named(rows.splits, split));
    if (rows.type === 'published') throw this.#notRead();
    const path = rows.type === 'file' ? rows.path : this.#named(rows.paths, split);
    const stream = await openRows(path, { folder: this.#folder, hash: true });
    this.#described.push(() => stream.describe());
    const read: Row[] = [];
    for await (const batch of stream.batches()) read.push(...batch.map(({ row }) => row));
    return numbered(read);
  }

  #notRead(): DataError {
    const { abbr, source } = this.#dataset;
    return new DataError(
      'data.unknown_split',
      `${abbr} has \`published\`, which tasks of lm-eval do not read`,
      {
        path: source,
        hint: 'Set `path` to the files of its splits.',
      },
    );
  }

  #named<Value>(splits: Readonly<Record<string, Value>>, split: string): Value {
    const found = Object.hasOwn(splits, split) ? splits[split] : undefined;
    if (found !== undefined) return found;
    const { abbr, source } = this.#dataset;
    throw new DataError('data.unknown_split', `${abbr} has no split \`${split}\``, {
      path: source,
      hint: hintForName(split, { names: Object.keys(splits), kind: 'Splits' }),
    });
  }
}
