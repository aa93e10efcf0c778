import { checkModel } from '../../../config/check-config.ts';
import type { ModelConfig } from '../../../config/config.ts';
import { limitOf, type TokenLimit } from '../../../evaluation/cut-context.ts';
import { type KnownModel, openModel } from '../../../evaluation/open-model.ts';
import { type Model, requireAbilities } from '../../../model/model.ts';
import {
  kindNamed,
  type ModelFlags,
  type ModelKind,
  modelFlag,
  spellModel,
} from '../../../terminal/lm-eval/spell-model.ts';
import { dummyModel } from './dummy-model.ts';

/** A model with how its choices are found out. */
export interface OpenedModel extends Pick<ModelKind, 'mode' | 'alsoNormalized'> {
  readonly model: Model;
  readonly config: ModelConfig;
  /** What fits into the model, where that is known. */
  readonly limit: TokenLimit | undefined;
}

/** The model that `--model` and `--model_args` spell. */
export function lmEvalModelConfig(options: ModelFlags): ModelConfig {
  return checkModel(spellModel(options), modelFlag);
}

/** Opens that model, with what an earlier run found out about it. */
export async function openLmEvalModel(
  options: ModelFlags,
  known?: KnownModel,
): Promise<OpenedModel> {
  const { mode, alsoNormalized } = kindNamed(options.model);
  const config = lmEvalModelConfig(options);
  const model =
    options.model === 'dummy'
      ? dummyModel()
      : await openModel({ folder: process.cwd() }, config, {
          purpose: 'run',
          needsLikelihood: mode === 'ppl',
          choosesExamples: false,
          encode: undefined,
          known,
        });
  if (mode === 'ppl') requireAbilities(model, ['loglikelihood'], 'choosing by loglikelihood');
  const limit = limitOf(model, config);
  if (config.maxSeqLen !== undefined && !limit) process.stderr.write(`${unlimited}\n`);
  return { model, config, mode, alsoNormalized, limit };
}

const unlimited =
  'max_length has no effect: this model does not count tokens. Texts that are too long are left to the server.';
