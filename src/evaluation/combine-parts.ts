import type { Compat } from '../compat/compat.ts';
import type { DatasetConfig } from '../config/config.ts';
import { combineRepeats } from './compose-inference.ts';
import type { CompositeInference } from './inference.ts';
import { combineTurns } from './multi-turn/combine-turns.ts';
import { repeatsOf } from './row-repeats.ts';
import { isDialogue } from './task-prompts.ts';

/** How the scores of a row's parts become one; nothing for a dataset whose rows have one part. */
export function combineParts(
  dataset: DatasetConfig,
  compat: Compat | undefined,
): CompositeInference['combine'] | undefined {
  const { inferencer, promptTemplate } = dataset.inferCfg;
  if (isDialogue({ compat, inferencer, promptTemplate })) return combineTurns;
  return combineRepeats(repeatsOf(dataset));
}
