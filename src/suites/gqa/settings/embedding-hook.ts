import { UsageError } from '../../../base/usage-error.ts';
import { fail } from '../../../python/compat-error.ts';
import { layerNames } from './embedding-layer.ts';

const both = ['prompt_vision', 'prompt+vision', 'prompt-image', 'prompt_image'];
const hooksOfLayers = {
  prompt: ['prompt', ...both],
  vision: ['vision', 'image', 'image_id', ...both],
};
const emptyHooks = ['', 'none', 'disable'];

/** The layers that a hook of the original makes vectors for; others have none. */
export function hookedLayers(hook: string): readonly string[] {
  const name = hook.toLowerCase();
  const layers = layerNames.filter((layer) => hooksOfLayers[layer].includes(name));
  if (layers.length > 0 || emptyHooks.includes(name)) return layers;
  if (/[:.]|^native|^encoder|^decoder|^text/i.test(hook)) {
    throw new UsageError(
      'gqa.not_simulated',
      `The hook \`${hook}\` is code of the original program`,
      {
        hint: 'Provide the vectors that it computes: `--vectors LAYER=FILE`.',
      },
    );
  }
  return fail('ValueError', `unknown embedding hook \`${hook}\``);
}
