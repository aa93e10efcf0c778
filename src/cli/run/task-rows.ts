import { resolve } from 'node:path';
import type { DatasetConfig } from '../../config/config.ts';
import { atPath, loadTaskData, splitOf } from '../../config/load-task-data.ts';
import { applyCustomMeta } from '../../data/custom-text/apply-custom-meta.ts';
import { readCustomMeta } from '../../data/custom-text/custom-meta.ts';
import { dialogueStream } from '../../data/dialogue/dialogue-rows.ts';
import { openRows } from '../../data/open-rows.ts';
import type { RowStream } from '../../data/row-stream.ts';
import { type RowSelection, selectRows } from '../../data/select/select-rows.ts';
import { DataError } from '../../errors.ts';
import { comparesLabels } from '../../infer/prompt-task.ts';
import { formatValue, type NamedRow } from '../../prompt/index.ts';
import { givesShots } from '../../retrieve/index.ts';
import { checkColumns } from './check-columns.ts';
import type { OpenedRun } from './open-run.ts';
import { customText } from './quick-config.ts';
import type { RunOptions } from './run-options.ts';

/** The rows of a task: a stream to ask about, and the pool of examples. */
export interface TaskRows {
  readonly stream: RowStream;
  /** The first row; where labels are compared, the first row of each label. */
  readonly samples: readonly NamedRow[];
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
  await checkColumns(whole, dataset);
  const stream = selectRows(whole, selection);
  return { stream, samples: await sampleRows(stream, dataset), train: data?.train ?? [] };
}

async function streamOf(dataset: DatasetConfig, folder: string): Promise<RowStream> {
  const { type } = dataset;
  const { testRange } = dataset.readerCfg;
  const { source, path } = sourceOf(dataset);
  const opened = await atPath(path, () => openRows(source, { folder }));
  const stream = dialogueStream(opened, type);
  if (type === customText) return customRows(stream, resolve(folder, `${source}.meta.json`));
  if (testRange === undefined) return stream;
  const rangePath = [...dataset.source, 'reader_cfg', 'test_range'];
  return atPath(rangePath, () => selectRows(stream, { range: testRange }));
}

/** Where the rows to ask about come from, and where in the config that stands. */
function sourceOf({ rows, readerCfg: { testSplit }, source: place }: DatasetConfig) {
  if (rows.type !== 'files') {
    return { source: rows.type === 'file' ? rows.path : '', path: [...place, 'path'] };
  }
  const source = splitOf(rows.paths, testSplit, [...place, 'reader_cfg', 'test_split']);
  return { source, path: [...place, 'path', testSplit] };
}

/** Rows as AISBench's meta file wants them, numbered anew because it may repeat some. */
async function customRows(stream: RowStream, metaFile: string): Promise<RowStream> {
  const meta = await readCustomMeta(metaFile);
  const changed = applyCustomMeta(stream, { meta, seed: 0 });
  return {
    async *batches() {
      let id = 0;
      for await (const batch of changed.batches())
        yield batch.map(({ row }) => ({ id: id++, row }));
    },
    count: () => changed.count(),
    describe: () => changed.describe(),
  };
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

/** More labels than this are answers, not labels. */
const mostLabels = 1000;

async function sampleRows(stream: RowStream, dataset: DatasetConfig): Promise<NamedRow[]> {
  const { inferCfg, readerCfg } = dataset;
  const { inferencer } = inferCfg;
  const { outputColumn } = readerCfg;
  const needsLabels = comparesLabels({ inferencer }) && inferencer.labels === undefined;
  const samples = new Map<string, NamedRow>();
  for await (const batch of stream.batches()) {
    for (const named of batch) {
      const label = needsLabels && outputColumn ? formatValue(named.row[outputColumn]) : '';
      if (!samples.has(label)) samples.set(label, named);
      if (!needsLabels || samples.size > mostLabels) return [...samples.values()];
    }
  }
  if (samples.size > 0) return [...samples.values()];
  throw new DataError('data.no_rows', `The data set \`${dataset.abbr}\` has no rows to ask about`, {
    path: dataset.source,
    hint: 'The file is empty, or the range, --limit, --ids and --where keep nothing.',
  });
}
