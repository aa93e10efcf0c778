import { keyedRandom, sampleWithoutReplacement } from '../../../base/keyed-random.ts';
import { maxBatchRows, type RowStream } from '../../../data/row-stream.ts';
import { takeFirst } from '../../../data/select/filter-batches.ts';
import type { RowId } from '../../../prompt/origin.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import type { SamplingMode } from './custom-meta.ts';

type Batches = AsyncGenerator<readonly NamedRow[], void, undefined>;

export interface SampleOptions {
  readonly samplingMode: SamplingMode;
  readonly requestCount: number | undefined;
  readonly seed: number;
}

/**
 * Rows in order, shuffled, or drawn with replacement; as many as there are, or begun again until
 * the count is reached. Only the order of the file needs no more memory than a batch.
 */
export async function* sampleRows(stream: RowStream, options: SampleOptions): Batches {
  const { samplingMode, requestCount, seed } = options;
  if (samplingMode === 'default') {
    yield* requestCount === undefined ? stream.batches() : repeat(stream, requestCount);
    return;
  }
  const rows: NamedRow[] = [];
  for await (const batch of stream.batches()) rows.push(...batch);
  if (rows.length === 0) return;
  const count = requestCount ?? rows.length;
  const random = keyedRandom(seed, samplingMode);
  const shuffled = sampleWithoutReplacement(random, rows.length, rows.length);
  const draw = (index: number) =>
    samplingMode === 'random' ? random.below(rows.length) : shuffled[index % rows.length];
  const times = new Map<RowId, number>();
  for (let start = 0; start < count; start += maxBatchRows) {
    const length = Math.min(maxBatchRows, count - start);
    yield Array.from({ length }, (_, offset) => {
      const named = rows[draw(start + offset) as number] as NamedRow;
      const repetition = times.get(named.id) ?? 0;
      times.set(named.id, repetition + 1);
      return renameRow(named, repetition);
    });
  }
}

async function* repeat(stream: RowStream, count: number): Batches {
  let left = count;
  for (let repetition = 0; left > 0; repetition += 1) {
    const before = left;
    for await (const batch of takeFirst(stream.batches(), left)) {
      left -= batch.length;
      yield batch.map((named) => renameRow(named, repetition));
    }
    const isEmpty = left === before;
    if (isEmpty) return;
  }
}

function renameRow(named: NamedRow, repetition: number): NamedRow {
  return repetition === 0 ? named : { id: `${named.id}#${repetition}`, row: named.row };
}
