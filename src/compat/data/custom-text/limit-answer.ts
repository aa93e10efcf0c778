import { keyedRandom } from '../../../base/keyed-random.ts';
import { DataError } from '../../../errors.ts';
import type { RowId } from '../../../prompt/origin.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import { formatValue } from '../../../prompt/values.ts';
import { type OutputLengths, toNumber } from './custom-meta.ts';

export interface LimitOptions {
  readonly lengths: OutputLengths | undefined;
  /** How many requests there are; needed for shares. */
  readonly total: number | undefined;
  /** The place of the row among the requests. */
  readonly index: number;
  readonly seed: number;
}

/** The row with the column `max_out_len`, if anything limits its answer. */
export function limitAnswer(named: NamedRow, options: LimitOptions): NamedRow {
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
