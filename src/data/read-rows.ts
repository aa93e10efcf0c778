import type { NamedRow } from '../prompt/trace.ts';
import { openRows } from './open-rows.ts';
import type { SourceOptions } from './source/find-files.ts';

/** Reads all rows of a source at once, for uses that need to go back and forth in them. */
export async function readRows(source: string, options: SourceOptions = {}): Promise<NamedRow[]> {
  const stream = await openRows(source, options);
  const rows: NamedRow[] = [];
  for await (const batch of stream.batches()) rows.push(...batch);
  return rows;
}
