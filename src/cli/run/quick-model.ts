import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { embeddedModel } from '../../config/local-folder.ts';
import { UsageError } from '../usage-error.ts';
import type { RunOptions } from './run-options.ts';

/** The model of the command line in the spelling of configs: an endpoint, or a local folder. */
export function spellQuickModel(options: RunOptions, model: string) {
  const { modelName, completions, metaTemplate, maxOutLen, temperature, apiKeyEnv } = options;
  const settings = {
    ...(metaTemplate !== undefined && { meta_template: metaTemplate }),
    ...(maxOutLen !== undefined && { max_out_len: maxOutLen }),
    ...(temperature !== undefined && { generation_kwargs: { temperature } }),
  };
  if (/^https?:/i.test(model)) {
    return {
      ...settings,
      abbr: modelName ?? new URL(model).host,
      type: completions ? 'OpenAICompletions' : 'OpenAI',
      base_url: model,
      ...(modelName !== undefined && { model: modelName }),
      ...(apiKeyEnv !== undefined && { api_key_env: apiKeyEnv }),
    };
  }
  if (!/^hf:/.test(model) && model !== embeddedModel && !existsSync(model)) {
    throw new UsageError('usage.unknown_model', `there is no model \`${model}\``, {
      hint: `Give the address of an endpoint, the folder of a local model, or \`${embeddedModel}\`.`,
    });
  }
  return { ...settings, abbr: modelName ?? basename(model), type: 'Local', path: model };
}
