import type { Config } from './config.ts';
import type { RowLimit } from './row-limit.ts';

/** What the results of a model on a dataset are held to. */
export interface Gate {
  /** The score to reach, from 0 to 1; or a score for each of some metrics, by name. */
  readonly failUnder?: number | Readonly<Record<string, number>> | undefined;
  /** How many rows may have an answer and no score. */
  readonly maxUnscored?: RowLimit | undefined;
  /** How many rows may have failed; none by default. */
  readonly allowFailed?: RowLimit | undefined;
}

/** The gate of a dataset, and what holds for some models in its place. */
export interface DatasetGate extends Gate {
  readonly models?: Readonly<Record<string, Gate>> | undefined;
}

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
