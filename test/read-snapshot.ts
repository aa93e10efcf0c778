import { readFile } from 'node:fs/promises';
import { type HeldRow, rowsName, type Snapshot } from '../src/report/snapshot/snapshot.ts';

/** What a page without a server holds. */
export async function readSnapshot(file: string): Promise<Snapshot> {
  const html = await readFile(file, 'utf8');
  const held = /<script type="application\/json" id="snapshot">(.*?)<\/script>/s.exec(html);
  return JSON.parse(held?.[1] ?? '');
}

/** The rows of an evaluation, as a page of one file holds them. */
export function heldRows({ evaluations, pieces }: Snapshot, evaluation = 0): HeldRow[] {
  const count = evaluations[evaluation]?.pieces.length ?? 0;
  return Array.from({ length: count }, (_, piece) => rowsName(evaluation, piece)).flatMap(
    (name) => pieces[name] as HeldRow[],
  );
}
