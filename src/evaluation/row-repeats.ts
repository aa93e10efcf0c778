import type { DatasetConfig } from '../config/config.ts';
import { ConfigError, formatPath } from '../errors.ts';
import { circular, type RowExpansion } from '../score/circular/circular.ts';
import type { RowRepeats } from './compose-inference.ts';

/** How often, and in which orders of its options, a row is asked. */
export function repeatsOf({
  n,
  k,
  evalCfg,
  inferCfg,
  readerCfg,
  source,
}: DatasetConfig): RowRepeats {
  const { type, scSize } = inferCfg.inferencer;
  return {
    voters: type === 'SCInferencer' ? (scSize ?? 1) : undefined,
    samples: n,
    k: k ?? (n === undefined ? undefined : [...new Set([1, n])]),
    expansion: expansionOf({ evalCfg, readerCfg, source }),
    outputColumn: readerCfg.outputColumn,
    source,
  };
}

function expansionOf({
  evalCfg,
  readerCfg,
  source,
}: Pick<DatasetConfig, 'evalCfg' | 'readerCfg' | 'source'>): RowExpansion | undefined {
  if (evalCfg?.circular === undefined) return undefined;
  const textColumns = textsOf(evalCfg.evaluator.text_columns, (column) => [column]);
  const labels = textsOf(evalCfg.evaluator.options, (letters) => [...letters]);
  const { outputColumn: goldColumn } = readerCfg;
  if (!textColumns || goldColumn === undefined) {
    const path = [...source, 'eval_cfg', 'circular'];
    throw new ConfigError(
      'config.missing_key',
      `${formatPath(path)} needs to know where the options and the right answer are`,
      {
        path,
        hint: 'Give `reader_cfg` an `output_column`, and the evaluator `text_columns: [A, B, C, D]`.',
      },
    );
  }
  return circular({
    orders: evalCfg.circular,
    textColumns,
    goldColumn,
    ...(labels && { labels }),
  });
}

/** A list of texts, which may be written as one text. */
function textsOf(
  value: unknown,
  split: (text: string) => readonly string[],
): readonly string[] | undefined {
  if (typeof value === 'string') return split(value);
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}
