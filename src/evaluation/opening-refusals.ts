import type { Config, DatasetConfig, ModelConfig } from '../config/config.ts';
import { ConfigError, ModelError } from '../errors.ts';
import { type Model, requireAbilities } from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { abilityFor } from './inference.ts';

interface Refused {
  readonly config: Config;
  readonly dataset: DatasetConfig;
  readonly modelConfig: ModelConfig | undefined;
  /** The rows that labels are known by, where the config does not name them. */
  readonly samples: () => Promise<readonly PositionedRow[]>;
}

/** Refuses a model that cannot do what an inferencer needs. */
export async function refuseModel(model: Model, refused: Refused): Promise<void> {
  const { type } = refused.dataset.inferCfg.inferencer;
  try {
    requireAbilities(model, [abilityFor(type)], type);
  } catch (error) {
    throw await withOffer(error, refused);
  }
}

/** The error of a model that tells no likelihoods, and what can be done with it instead. */
export async function withOffer(
  error: unknown,
  { config, dataset, modelConfig, samples }: Refused,
): Promise<unknown> {
  const isMissing =
    error instanceof ModelError && /^model\.(?:ability_missing|no_logprobs)$/.test(error.code);
  if (!isMissing) return error;
  const { offerGeneration } = await import('./generation-form/offer-generation.ts');
  return offerGeneration(error, { config, dataset, model: modelConfig, samples });
}

/** Refuses to let a model choose examples where nothing may be sent. */
export async function refuseToMeasure(
  { inferCfg: { retriever } }: DatasetConfig,
  { abbr }: ModelConfig,
): Promise<never> {
  throw new ConfigError(
    'view.examples_by_loglikelihood',
    `${retriever.type} lets \`${abbr}\` choose the examples, but this command sends nothing`,
    {
      path: retriever.source,
      hint: 'Show what a run sent with `--run FOLDER`, or view the prompts with a model of type Local.',
    },
  );
}
