import { checkModel } from '../../../config/check-config.ts';
import type { ModelConfig } from '../../../config/config.ts';
import { type KnownModel, openModel } from '../../../evaluation/open-model.ts';
import { type Model, requireAbilities } from '../../../model/model.ts';
import type { TokenLimit } from './cut-context.ts';
import { dummyModel } from './dummy-model.ts';
import type { LmEvalOptions } from './lm-eval-options.ts';
import { type ModelArgs, parseModelArgs } from './model-args.ts';
import { kindNamed, type ModelKind, type SpelledModel } from './spell-model.ts';

/** A model with how its choices are found out. */
export interface OpenedModel extends Pick<ModelKind, 'mode' | 'alsoNormalized'> {
  readonly model: Model;
  readonly config: ModelConfig;
  /** What fits into the model, where that is known. */
  readonly limit: TokenLimit | undefined;
}

type ModelOptions = Pick<
  LmEvalOptions,
  'model' | 'model_args' | 'batch_size' | 'timeout' | 'rps' | 'retries'
>;

/** The model that `--model` and `--model_args` spell. */
export function lmEvalModelConfig(options: ModelOptions): ModelConfig {
  const { spell } = kindNamed(options.model);
  const args = parseModelArgs(options.model_args);
  return checkModel({ ...spell(args), ...spellLimits(args, options) }, modelArgs);
}

/** Opens that model, with what an earlier run found out about it. */
export async function openLmEvalModel(
  options: ModelOptions,
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
  'max_length changes nothing: this model does not tell how many tokens a text has. What is too long is left to the server.';

const modelArgs = {
  flag: '--model_args',
  keys: { path: 'pretrained', max_seq_len: 'max_length', batch_size: 'num_concurrent' },
};

const defaultConcurrency = 16;

/** How much a model takes, and how fast it is asked. */
function spellLimits(
  { max_length, num_concurrent }: ModelArgs,
  { batch_size, timeout, rps, retries }: ModelOptions,
): SpelledModel {
  // A batch size may be `auto`.
  const concurrency =
    num_concurrent === undefined
      ? Number(batch_size) || defaultConcurrency
      : numberOrText(num_concurrent);
  return {
    batch_size: concurrency,
    ...(max_length !== undefined && { max_seq_len: numberOrText(max_length) }),
    ...(timeout !== undefined && { timeout }),
    ...(rps !== undefined && { max_rps: rps }),
    ...(retries !== undefined && { retries }),
  };
}

/** What is no number is left for the check to refuse. */
function numberOrText(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** What is said to fit, or the model's own length. */
export function limitOf(
  { countTokens, facts }: Model,
  { maxSeqLen }: ModelConfig,
): TokenLimit | undefined {
  const maxTokens = Number(maxSeqLen ?? facts?.contextLength);
  return countTokens && maxTokens > 0 ? { maxTokens, countTokens } : undefined;
}
