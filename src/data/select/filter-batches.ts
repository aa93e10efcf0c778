import { DataError } from '../../errors.ts';
import type { RowId } from '../../prompt/origin.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import type { Progression } from '../row-range.ts';
import { maxBatchRows } from '../row-stream.ts';

type Batches<Named> = AsyncIterable<readonly Named[]>;

/** The rows at the positions of a progression, in its order. Reversed rows are held until the end. */
export async function* takeSpan<Named>(batches: Batches<Named>, span: Progression): Batches<Named> {
  if (span.count === 0) return;
  if (span.step > 0) {
    yield* takeForward(batches, span);
    return;
  }
  const { start, step, count } = span;
  const reversed = { start: start + (count - 1) * step, step: -step, count };
  const rows: Named[] = [];
  for await (const batch of takeForward(batches, reversed)) rows.push(...batch);
  rows.reverse();
  for (let first = 0; first < rows.length; first += maxBatchRows) {
    yield rows.slice(first, first + maxBatchRows);
  }
}

async function* takeForward<Named>(
  batches: Batches<Named>,
  { start, step, count }: Progression,
): Batches<Named> {
  let position = 0;
  let next = start;
  let left = count;
  for await (const batch of batches) {
    const kept: Named[] = [];
    for (; left > 0 && next < position + batch.length; next += step, left -= 1) {
      kept.push(batch[next - position] as Named);
    }
    if (kept.length > 0) yield kept;
    if (left === 0) return;
    position += batch.length;
  }
}

export async function* keepRows<Named>(
  batches: Batches<Named>,
  keeps: (named: Named) => boolean,
): AsyncGenerator<readonly Named[], void, undefined> {
  for await (const batch of batches) {
    const kept = batch.filter(keeps);
    if (kept.length > 0) yield kept;
  }
}

/** The rows with these ids. An id that no row has is an error at the end. */
export async function* keepIds<Named extends NamedRow>(
  batches: Batches<Named>,
  ids: ReadonlySet<RowId>,
): Batches<Named> {
  const missing = new Set(ids);
  if (missing.size === 0) return;
  for await (const batch of keepRows(batches, ({ id }) => ids.has(id))) {
    yield batch;
    for (const { id } of batch) missing.delete(id);
    if (missing.size === 0) return;
  }
  const names = [...missing].slice(0, 5).map((id) => JSON.stringify(id));
  const more = missing.size > names.length ? ` and ${missing.size - names.length} more` : '';
  throw new DataError('data.unknown_id', `No row has the id ${names.join(', ')}${more}`, {
    hint: 'Ids are row numbers in the split, starting at 0.',
  });
}

export async function* takeFirst<Named>(batches: Batches<Named>, limit: number): Batches<Named> {
  let left = limit;
  if (left === 0) return;
  for await (const batch of batches) {
    yield batch.slice(0, left);
    left -= batch.length;
    if (left <= 0) return;
  }
}
