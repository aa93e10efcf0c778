import type { DatasetConfig } from '../../config/config.ts';
import { loadTaskData } from '../../config/load-task-data.ts';
import { openRows } from '../../data/open-rows.ts';
import type { RowStream } from '../../data/row-stream.ts';
import { type RowSelection, selectRows } from '../../data/select/select-rows.ts';
import { splitOf } from '../../data/split-of.ts';
import { DataError } from '../../errors.ts';
import type { NamedRow } from '../../prompt/index.ts';
import { givesShots } from '../../retrieve/index.ts';
import type { OpenedRun } from './open-run.ts';
import type { RunOptions } from './run-options.ts';

/** The rows of a task: a stream to ask about, the first of them, and the pool of examples. */
export interface TaskRows {
  readonly stream: RowStream;
  readonly first: NamedRow;
  readonly train: readonly NamedRow[];
}

export async function openTaskRows(
  { config, folder }: OpenedRun,
  dataset: DatasetConfig,
  { limit, ids, where }: RunOptions,
): Promise<TaskRows> {
  const selection: RowSelection = {
    ...(limit !== undefined && { limit }),
    ...(ids && { ids }),
    ...(where !== undefined && { where }),
  };
  const hasShots = givesShots(dataset.inferCfg.retriever);
  const data =
    config.compat || hasShots || dataset.rows.type.startsWith('inline')
      ? await loadTaskData(config, dataset)
      : undefined;
  const isHeld = config.compat !== undefined || dataset.rows.type.startsWith('inline');
  const whole = isHeld && data ? heldRows(data.test) : await streamOf(dataset, folder);
  const stream = selectRows(whole, selection);
  return { stream, first: await firstRow(stream, dataset), train: data?.train ?? [] };
}

async function streamOf({ rows, readerCfg }: DatasetConfig, folder: string): Promise<RowStream> {
  const { testSplit, testRange } = readerCfg;
  const sources = rows.type === 'file' ? rows.path : rows.type === 'files' ? rows.paths : '';
  const stream = await openRows(splitOf(sources, { testSplit }).test, { folder });
  return testRange === undefined ? stream : selectRows(stream, { range: testRange });
}

function heldRows(rows: readonly NamedRow[]): RowStream {
  return {
    async *batches() {
      yield rows;
    },
    count: async () => rows.length,
    describe: async () => ({ files: [], rowsRead: rows.length }),
  };
}

async function firstRow(stream: RowStream, dataset: DatasetConfig): Promise<NamedRow> {
  for await (const batch of stream.batches()) {
    const [first] = batch;
    if (first) return first;
  }
  throw new DataError('data.no_rows', `The data set \`${dataset.abbr}\` has no rows to ask about`, {
    path: dataset.source,
    hint: 'The file is empty, or the range, --limit, --ids and --where keep nothing.',
  });
}
