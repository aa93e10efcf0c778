import type { Pair } from '../../config/task-of-config.ts';
import { ConfigError } from '../../errors.ts';
import type { Model } from '../../model/index.ts';
import { openUnasked } from './request-maker.ts';

/** The model that has to choose the examples of a pair, if one has to: only one on this machine is asked. */
export async function openWeighing(pair: Pair): Promise<Model | undefined> {
  const { dataset, model } = pair;
  const { type, source } = dataset.inferCfg.retriever;
  if (type !== 'MDLRetriever' || !model) return undefined;
  if (model.type === 'Local') return openUnasked(pair, model);
  throw new ConfigError(
    'view.examples_weighed',
    `${type} lets \`${model.abbr}\` choose the examples, and a view sends nothing`,
    {
      path: source,
      hint: 'See the prompts with a model of type Local, or in the report of a run.',
    },
  );
}
