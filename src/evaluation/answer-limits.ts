import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import type { Row } from '../prompt/values.ts';

type Inferencer = DatasetConfig['inferCfg']['inferencer'];

/**
 * What ends an answer: the `stop` of the model, or the texts of its format where it has none of its
 * own, and with them those of the task. Nothing where it is as the model was set up.
 */
export function stopOf(
  model: ModelConfig | undefined,
  { stoppingCriteria = [] }: Inferencer,
  ofFormat: readonly string[],
): readonly string[] | undefined {
  const added = [...(model?.stop === undefined ? ofFormat : []), ...stoppingCriteria];
  return added.length === 0 ? undefined : [...new Set([...(model?.stop ?? []), ...added])];
}

/**
 * The settings of generation that a dataset has of its own. Requests have those of the model, then
 * these, then the seed of a repeat, which counts on from theirs: of one name the later one is sent.
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

/** The seed of the first sample of a row: that of the settings, those of the dataset first, else 0. */
export function firstSeed(
  model: ModelConfig | undefined,
  { generationKwargs }: Inferencer,
): number {
  const seed = generationKwargs?.seed ?? model?.generationKwargs?.seed;
  return typeof seed === 'number' && Number.isSafeInteger(seed) ? seed : 0;
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
