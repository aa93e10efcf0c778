import type { Config } from './config.ts';
import type { Gate } from './gate.ts';

/**
 * The gate of a model on a dataset. What is nearest counts, each setting by itself: the command
 * line, the dataset's word on the model, the dataset, the model, the config.
 */
export function gateFor(
  { model, dataset }: { readonly model: string; readonly dataset: string },
  { config, given = {} }: { readonly config?: Config | undefined; readonly given?: Gate },
): Gate {
  const ofDataset = config?.datasets.find(({ abbr }) => abbr === dataset)?.gate;
  const ofModel = config?.models.find(({ abbr }) => abbr === model)?.gate;
  const gates = [given, ofDataset?.models?.[model], ofDataset, ofModel, config?.gate];
  const nearest = <Key extends keyof Gate>(key: Key): Gate[Key] =>
    gates.find((gate) => gate?.[key] !== undefined)?.[key];
  return {
    failUnder: nearest('failUnder'),
    maxUnscored: nearest('maxUnscored'),
    allowFailed: nearest('allowFailed'),
  };
}
