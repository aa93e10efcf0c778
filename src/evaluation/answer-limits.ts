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

/**
 * The settings of generation that a dataset has of its own. Requests have those of the model, then
 * these, then the seed of a repeat: of one name the later one is sent.
 */
export async function settingsOf(
  model: ModelConfig | undefined,
  { generationKwargs, source }: Inferencer,
): Promise<Inferencer['generationKwargs']> {
  if (!generationKwargs || model?.type !== 'Local') return generationKwargs;
  const { checkGenerationSettings } = await import('../model/local/generation-settings.ts');
  checkGenerationSettings(generationKwargs, [...source, 'generation_kwargs']);
  return generationKwargs;
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
