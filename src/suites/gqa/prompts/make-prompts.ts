import { dirname } from 'node:path';
import { CompatError } from '../../../python/compat-error.ts';
import { pyStr } from '../../../python/repr.ts';
import type { GqaCompat } from '../compat.ts';
import { checkImageRoot, findImage, givenImagePath } from '../samples/image-files.ts';
import { readSamples } from '../samples/read-samples.ts';
import { type GqaSample, valueAt } from '../samples/sample.ts';
import type { Experiment } from '../settings/open-experiments.ts';
import { buildPrompt, type GqaPrompt } from './build-prompt.ts';
import { imagePlaceholder, withImagePlaceholder } from './image-placeholder.ts';
import { compileTemplate } from './prompt-template.ts';

export interface NumberedPrompt extends GqaPrompt {
  /** The number of the row in the data that the prompt is made of. */
  readonly row: number;
}

export interface PromptOptions {
  readonly compat?: GqaCompat | undefined;
  readonly imagePlaceholder?: boolean | undefined;
}

/** Makes the prompts of an experiment, one after the other. */
export async function* makePrompts(
  { settings, paths }: Experiment,
  options: PromptOptions,
): AsyncGenerator<NumberedPrompt> {
  const { compat } = options;
  const { data, dataset, image_root: root, chunk_source: chunkSource } = settings;
  if (root !== null) {
    checkImageRoot(root, { config: settings.dataset_config, path: paths.get('image_root') });
  }
  const fill = compileTemplate(settings.prompt_template, {
    compat,
    path: paths.get('prompt_template'),
  });
  const folder = data === null ? '.' : dirname(data);
  const imageIndexes = { root: root ?? (dataset === 'video' ? folder : undefined), folder };
  const mark = imagePlaceholder(settings.model);
  for await (const { row, sample } of readSamples(settings)) {
    const found = findImage(sample, imageIndexes);
    const image = compat ? (found ?? givenImagePath(sample)) : found;
    const made = inSample(sample, () => buildPrompt(sample, { fill, chunkSource, image, compat }));
    const prompt = options.imagePlaceholder ? withImagePlaceholder(made.prompt, mark) : made.prompt;
    yield { ...made, prompt, row };
  }
}

/** Names the sample in errors of the original. */
function inSample<Result>(sample: GqaSample, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CompatError)) throw error;
    const { pythonType: type, message, hint, path } = error;
    const what = `${message}, in sample \`${pyStr(valueAt(sample, 'id'))}\``;
    throw new CompatError({ type, message: error.pythonMessage, what, hint, path });
  }
}
