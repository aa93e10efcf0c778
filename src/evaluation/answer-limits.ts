import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import type { Row } from '../prompt/values.ts';

type Inferencer = DatasetConfig['inferCfg']['inferencer'];

/** What ends an answer: what ends all answers of the model, and of the task. */
export function stopOf(
  model: ModelConfig | undefined,
  { stoppingCriteria }: Inferencer,
): readonly string[] | undefined {
  return stoppingCriteria && [...new Set([...(model?.stop ?? []), ...stoppingCriteria])];
}

/** A row may set its own limit in a column `max_out_len` that is among the input columns. */
export function maxOutLenReader({
  readerCfg,
  inferCfg,
}: DatasetConfig): (row: Row) => number | undefined {
  const { maxOutLen } = inferCfg.inferencer;
  if (!readerCfg.inputColumns.includes('max_out_len')) return () => maxOutLen;
  return (row) => {
    const own = Number(row.max_out_len);
    return Number.isInteger(own) && own > 0 ? own : maxOutLen;
  };
}
