import { keyedRandom } from '../../../base/keyed-random.ts';
import { countRows, passOn, type RowStream } from '../../../data/row-stream.ts';
import { DataError } from '../../../errors.ts';
import type { RowId } from '../../../prompt/origin.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import { formatValue } from '../../../prompt/values.ts';
import { type CustomMeta, type OutputLengths, toNumber } from './custom-meta.ts';
import { sampleRows } from './sample-rows.ts';

export interface ApplyOptions {
  readonly meta?: CustomMeta | undefined;
  readonly seed: number;
}

/**
 * The requests that a custom text file and its settings stand for. Each row gets the column
 * `max_out_len` if the settings, or its own `max_tokens`, limit the answer. A row that is asked
 * again gets the number of the repetition after its id: `3`, `3#1`, `3#2`.
 */
export function applyCustomMeta(stream: RowStream, { meta, seed }: ApplyOptions): RowStream {
  const { requestCount, samplingMode = 'default', outputLengths: lengths } = meta ?? {};
  const batches = async function* (): AsyncGenerator<readonly NamedRow[], void, undefined> {
    const isShared = lengths?.type === 'percentage';
    const total = requestCount ?? (isShared ? await stream.count() : undefined);
    let index = 0;
    for await (const batch of sampleRows(stream, { samplingMode, requestCount, seed })) {
      yield batch.map((named) => limitAnswer(named, { lengths, total, index: index++, seed }));
    }
  };
  return { ...passOn(stream), batches, count: () => countRows(batches()) };
}

interface LimitOptions {
  readonly lengths: OutputLengths | undefined;
  /** How many requests there are; needed for shares. */
  readonly total: number | undefined;
  /** The position of the row among the requests. */
  readonly index: number;
  readonly seed: number;
}

/** The row with the column `max_out_len`, if anything limits its answer. */
function limitAnswer(named: NamedRow, options: LimitOptions): NamedRow {
  const limit = options.lengths
    ? drawLength(named.id, { ...options, lengths: options.lengths })
    : ownLimit(named);
  return limit === undefined ? named : { id: named.id, row: { ...named.row, max_out_len: limit } };
}

function drawLength(
  id: RowId,
  { lengths, total = 0, index, seed }: LimitOptions & { readonly lengths: OutputLengths },
): number | undefined {
  if (lengths.type === 'uniform') {
    const random = keyedRandom(seed, `max_out_len/${id}`);
    return lengths.min + random.below(lengths.max - lengths.min + 1);
  }
  let share = 0;
  for (const part of lengths.parts) {
    share += part.share;
    if (index < Math.round(share * total)) return part.length;
  }
  return lengths.parts.at(-1)?.length;
}

function ownLimit({ id, row }: NamedRow): number | undefined {
  const value = Object.hasOwn(row, 'max_tokens') ? row.max_tokens : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  const limit = toNumber(value);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new DataError('data.bad_value', `Row ${id}: max_tokens is ${formatValue(value)}`, {
    hint: 'It must be a whole number above 0.',
  });
}
