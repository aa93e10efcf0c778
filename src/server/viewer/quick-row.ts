import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PositionedRow } from '../../prompt/trace.ts';
import type { RemadeEvaluation } from '../../study/remake/open-remade.ts';

/**
 * A guess at a row that was not read yet: the line of that number in the data file, without all that the
 * config may do to rows. What is made of it counts only if its hash is that of what was sent.
 */
export async function quickRow(
  { config, evaluation }: RemadeEvaluation,
  dataset: string,
  id: number,
): Promise<PositionedRow | undefined> {
  const source = config.datasets.find(({ abbr }) => abbr === dataset)?.rows;
  if (evaluation.type !== 'single' || source?.type !== 'file') return undefined;
  const { path } = source;
  if (!path.endsWith('.jsonl') || /^\w+:|[*?[{]/.test(path)) return undefined;
  const file = resolve(config.folder, path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const { jsonLineAt } = await import('../../data/format/json-line-at.ts');
  try {
    const row = await jsonLineAt({ path: file, name: path }, id);
    return row && { id, position: id, row };
  } catch {
    return undefined;
  }
}
