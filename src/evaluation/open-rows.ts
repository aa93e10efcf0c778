import { resolve } from 'node:path';
import { hintForName } from '../base/nearest-name.ts';
import type { Compat } from '../compat/compat.ts';
import { customText } from '../compat/data/custom-text/custom-text-task.ts';
import type { Config, DatasetConfig } from '../config/config.ts';
import { HeadRows } from '../data/head-rows.ts';
import { openRows } from '../data/open-rows.ts';
import { needsTotal, selectRange } from '../data/row-range.ts';
import { heldRows, passOn, positionRows, type RowStream } from '../data/row-stream.ts';
import { type RowSelection, selectRows } from '../data/select/select-rows.ts';
import { type ConfigPath, DataError, formatPath, TypecaseError } from '../errors.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { givesShots } from '../retrieve/retriever.ts';
import { type FirstRows, lookAtRows, type RowsScorer } from './look-at-rows.ts';

/** The rows of a task: a stream to ask about, and the pool of examples. */
export interface TaskRows extends FirstRows {
  readonly stream: RowStream<PositionedRow>;
  readonly pool: readonly NamedRow[];
  /** Whether published data are one list of rows, without splits. */
  readonly isOneList?: boolean | undefined;
}

export interface RowOptions {
  readonly compat: Compat | undefined;
  readonly selection: Pick<RowSelection, 'ids' | 'limit' | 'where'>;
  readonly scorer?: RowsScorer;
  /** Whether the hashes of the files will be wanted. */
  readonly hash?: boolean | undefined;
  /** Whether the first pass goes on from the first look at the rows; true by default. */
  readonly keepsHead?: boolean | undefined;
}

/** Opens what a task asks about, and reads the examples it may show. */
export async function openTaskRows(
  { folder }: Pick<Config, 'folder'>,
  dataset: DatasetConfig,
  { compat, selection, scorer, hash, keepsHead }: RowOptions,
): Promise<TaskRows> {
  const { openSplit, isOneList, close } = splitOpener(dataset, { folder, hash });
  const { readerCfg, inferCfg } = dataset;
  let opened: HeadRows<NamedRow> | undefined;
  let all: HeadRows<PositionedRow> | undefined;
  try {
    const showsExamples = givesShots(inferCfg.retriever);
    const train = showsExamples ? await openSplit(readerCfg.trainSplit, 'train_split') : undefined;
    const shared = train && poolIsTest(dataset) ? new HeadRows(train, keepsHead) : undefined;
    opened = shared;
    const { pool, whole } = train
      ? await readPool(shared ? startOf(shared) : train, dataset, compat)
      : { pool: [] };
    const split = shared ?? (await openSplit(readerCfg.testSplit, 'test_split'));
    const held = shared && whole && { ...passOn(split), ...heldBatches(whole) };
    const { trainRange, testRange } = readerCfg;
    // Ranges of compat modes hold their rows in any case.
    const isHeld = trainRange === undefined || (compat !== undefined && testRange !== undefined);
    const rangeOf = async (rows: RowStream) =>
      positionRows(await rangedRows(rows, dataset, compat));
    // Labels and columns are those of all rows: which of them are asked about changes no prompt.
    all = new HeadRows(await rangeOf((isHeld && held) || split), keepsHead);
    const stream = selectRows(all, selection);
    // What was read for the pool is not opened again to be looked at.
    const seen = held && !isHeld ? new HeadRows(await rangeOf(held), false) : all;
    const first = await lookAtRows(seen, dataset, { selection, scorer });
    return { stream, pool, isOneList: await isOneList(), ...first };
  } catch (error) {
    await all?.close();
    await opened?.close();
    await close();
    throw error;
  }
}

/** Whether the examples are rows of the file that is asked about: what was read of it is not read again. */
function poolIsTest({ rows, readerCfg }: DatasetConfig): boolean {
  const { trainSplit, testSplit } = readerCfg;
  return rows.type === 'files'
    ? rows.paths[trainSplit] === rows.paths[testSplit]
    : rows.type === 'file' || trainSplit === testSplit;
}

function heldBatches(rows: readonly NamedRow[]): Pick<RowStream, 'batches'> {
  const { batches } = heldRows(rows);
  return { batches };
}

interface SplitOptions {
  readonly folder: string;
  readonly hash: boolean | undefined;
}

type OpenSplit = (split: string, key: 'test_split' | 'train_split') => Promise<RowStream>;

/** Opens the rows of a split. A file that holds several splits is opened once. */
function splitOpener(dataset: DatasetConfig, { folder, hash }: SplitOptions) {
  const { rows, source, type, readerCfg } = dataset;
  const { columns } = readerCfg;
  const files = new Map<string, Promise<RowStream>>();
  let published: ReturnType<typeof readPublishedOf> | undefined;
  const openFile = async (name: string, path: ConfigPath): Promise<RowStream> => {
    const known = files.get(name) ?? atPath(path, () => openRows(name, { folder, hash, columns }));
    files.set(name, known);
    const stream = await withDialogues(await known, type);
    if (type !== customText) return stream;
    return customRows(stream, resolve(folder, `${name}.meta.json`));
  };
  const openSplit: OpenSplit = async (split, key) => {
    const path = [...source, 'reader_cfg', key];
    switch (rows.type) {
      case 'file':
        return openFile(rows.path, [...source, 'path']);
      case 'files':
        return openFile(splitOf(rows.paths, split, path), [...source, 'path', split]);
      case 'published':
        published ??= readPublishedOf(rows, { folder, source });
        return (await published).split(split, key);
      case 'inline':
        return withDialogues(heldRows(numbered(rows.rows)), type);
      case 'inline-splits':
        return withDialogues(heldRows(numbered(splitOf(rows.splits, split, path))), type);
    }
  };
  const isOneList = async () => (await published)?.isOneList;
  const close = async () => {
    for (const file of files.values()) {
      // One that could not be opened was reported by whoever wanted it.
      await file.then((stream) => stream.close?.()).catch(() => undefined);
    }
  };
  return { openSplit, isOneList, close };
}

async function readPublishedOf(
  { path, published }: Extract<DatasetConfig['rows'], { readonly type: 'published' }>,
  place: { readonly folder: string; readonly source: ConfigPath },
) {
  const { readPublished } = await import('../compat/data/published/read-published.ts');
  return atPath([...place.source, 'path'], () => readPublished({ path, published, ...place }));
}

async function withDialogues(stream: RowStream, type: string | undefined): Promise<RowStream> {
  if (type === undefined) return stream;
  const { dialogueStream } = await import('../data/dialogue/dialogue-rows.ts');
  return dialogueStream(stream, type);
}

function numbered(rows: readonly NamedRow['row'][]): NamedRow[] {
  return rows.map((row, id) => ({ id, row }));
}

/** Rows as AISBench's meta file wants them, numbered anew because it may repeat some. */
async function customRows(stream: RowStream, metaFile: string): Promise<RowStream> {
  const { readCustomMeta } = await import('../compat/data/custom-text/custom-meta.ts');
  const { applyCustomMeta } = await import('../compat/data/custom-text/apply-custom-meta.ts');
  const meta = await readCustomMeta(metaFile);
  const changed = applyCustomMeta(stream, { meta, seed: 0 });
  return {
    ...passOn(changed),
    async *batches() {
      let id = 0;
      for await (const batch of changed.batches())
        yield batch.map(({ row }) => ({ id: id++, row }));
    },
  };
}

async function rangedRows(
  stream: RowStream,
  { readerCfg: { testRange }, source }: DatasetConfig,
  compat: Compat | undefined,
): Promise<RowStream> {
  if (testRange === undefined) return stream;
  const path = [...source, 'reader_cfg', 'test_range'];
  if (!compat) return atPath(path, () => selectRows(stream, { range: testRange }));
  const { opencompassRange } = await import('../compat/data/opencompass-range.ts');
  const total = await stream.count();
  const kept = await atPath(path, () => opencompassRange(total, testRange));
  return { ...heldRows(await rowsAt(stream, kept)), describe: () => stream.describe() };
}

/** A stream whose first pass the next one goes on from. */
function startOf(rows: HeadRows<NamedRow>): RowStream {
  return { ...passOn(rows), batches: () => rows.start() };
}

/** The examples, and all rows where it took those to know them. */
interface ReadPool {
  readonly pool: readonly NamedRow[];
  readonly whole?: readonly NamedRow[];
}

async function readPool(
  stream: RowStream,
  { readerCfg: { trainRange }, source }: DatasetConfig,
  compat: Compat | undefined,
): Promise<ReadPool> {
  const path = [...source, 'reader_cfg', 'train_range'];
  if (!compat && trainRange !== undefined) {
    // Where the number of rows matters, they would be counted in a pass more.
    const selected = await atPath(path, () =>
      needsTotal(trainRange) ? undefined : selectRows(stream, { range: trainRange }),
    );
    if (selected) return { pool: await readAll(selected) };
  }
  const whole = await readAll(stream);
  const select = compat
    ? (await import('../compat/data/opencompass-range.ts')).opencompassRange
    : selectRange;
  const kept = await atPath(path, () => select(whole.length, trainRange));
  return { pool: kept.flatMap((index) => whole[index] ?? []), whole };
}

async function readAll(stream: RowStream): Promise<NamedRow[]> {
  const rows: NamedRow[] = [];
  for await (const batch of stream.batches()) rows.push(...batch);
  return rows;
}

/** The rows at some places of a stream, in the order of the places. */
async function rowsAt(stream: RowStream, places: readonly number[]): Promise<NamedRow[]> {
  const wanted = new Set(places);
  const found = new Map<number, NamedRow>();
  let place = 0;
  for await (const batch of stream.batches()) {
    for (const named of batch) {
      if (wanted.has(place)) found.set(place, named);
      place += 1;
    }
  }
  return places.flatMap((at) => found.get(at) ?? []);
}

/** What stands for a split; `path` is where the split is named. */
function splitOf<Value>(
  splits: Readonly<Record<string, Value>>,
  split: string,
  path: ConfigPath,
): Value {
  const value = Object.hasOwn(splits, split) ? splits[split] : undefined;
  if (value !== undefined) return value;
  const names = Object.keys(splits);
  throw new DataError(
    'data.unknown_split',
    `${formatPath(path)}: the dataset has no split \`${split}\``,
    { path, hint: hintForName(split, { names, kind: 'Splits' }) },
  );
}

/** Runs a step and says where in the config its input stands, if the step cannot know. */
async function atPath<Result>(
  path: ConfigPath,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!TypecaseError.isInstance(error) || error.at || error.path) throw error;
    const { code, message, hint, cause } = error;
    throw new DataError(code, message, { hint, cause, path });
  }
}
