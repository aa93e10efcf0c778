import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { embeddedModel } from '../../config/local-folder.ts';
import { UsageError } from '../usage-error.ts';
import type { RunOptions } from './run-options.ts';

/** Whether the model of the command line is an endpoint, and not on this machine. */
export function isEndpoint(model: string): boolean {
  return /^https?:/i.test(model);
}

/** Refuses what is neither a folder nor a model that can be brought here. */
export function checkLocalModel(model: string): void {
  if (/^hf:/.test(model) || model === embeddedModel || existsSync(model)) return;
  throw new UsageError('usage.unknown_model', `there is no model \`${model}\``, {
    hint: `Give the address of an endpoint, such as \`http://127.0.0.1:8000/v1\`, the folder of a local model, or \`${embeddedModel}\`.`,
  });
}

/** The model of the command line in the spelling of configs: an endpoint, or a local folder. */
export function spellQuickModel(options: RunOptions, model: string) {
  const { modelName, completions, metaTemplate, maxOutLen, temperature, apiKeyEnv } = options;
  const settings = {
    ...(metaTemplate !== undefined && { meta_template: metaTemplate }),
    ...(maxOutLen !== undefined && { max_out_len: maxOutLen }),
    ...(temperature !== undefined && { generation_kwargs: { temperature } }),
  };
  if (isEndpoint(model)) {
    return {
      ...settings,
      abbr: modelName ?? new URL(model).host,
      type: completions ? 'OpenAICompletions' : 'OpenAI',
      base_url: model,
      ...(modelName !== undefined && { model: modelName }),
      ...(apiKeyEnv !== undefined && { api_key_env: apiKeyEnv }),
    };
  }
  checkLocalModel(model);
  return { ...settings, abbr: modelName ?? basename(model), type: 'Local', path: model };
}
