import { nearestName } from '../../../base/nearest-name.ts';
import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { defaultTemplate } from '../prompts/prompt-template.ts';
import type { GqaSettings } from './settings.ts';

/** Settings under a name. */
export interface GqaPreset {
  readonly description?: string;
  /** Where in a spec it stands. */
  readonly path?: ConfigPath;
  readonly settings: Partial<GqaSettings>;
}

const shared = {
  trust_remote_code: true,
  chunk_source: 'semantic',
  embedding_hook: 'prompt_vision',
  temperature: 0,
  max_tokens: 64,
} as const;

/** The presets that need no config. */
export const builtInPresets: Readonly<Record<string, GqaPreset>> = {
  'qwen3-vl-2b': {
    description: 'Qwen3-VL-2B-Instruct baseline used in initial cache sweeps.',
    settings: {
      ...shared,
      model: 'Qwen/Qwen3-VL-2B-Instruct',
      prompt_template: defaultTemplate,
      embedding_layers: ['prompt:384:0.82', 'vision:512:0.85'],
      similarity_threshold: 0.82,
      notes: 'Prompt + vision-id embeddings for Qwen3-VL-2B using sentence-transformers.',
    },
  },
  'internvl3.5-2b': {
    description: 'InternVL3.5-2B Instruct with prompt embeddings and remote code.',
    settings: {
      ...shared,
      model: 'OpenGVLab/InternVL3_5-2B-Instruct',
      prompt_template: `<image>\n${defaultTemplate.replace('based on', 'using')}`,
      embedding_layers: ['prompt:384:0.8', 'vision:512:0.82'],
      similarity_threshold: 0.8,
      notes:
        'Validated with InternVL3.5-2B Instruct; requires trust_remote_code and piggybacks on ' +
        'prompt + vision-id embeddings via sentence-transformers.',
    },
  },
};

/** A preset by its name. */
export function presetNamed(
  name: string,
  {
    presets,
    path,
  }: {
    readonly presets: Readonly<Record<string, GqaPreset>>;
    readonly path?: ConfigPath | undefined;
  },
): GqaPreset {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset) return preset;
  const names = Object.keys(presets);
  const near = nearestName(name, names) ?? names.find((known) => known.startsWith(name));
  throw new ConfigError('gqa.unknown_preset', `Unknown preset \`${name}\``, {
    path,
    hint: `${near ? `Did you mean \`${near}\`? ` : ''}Presets: ${names.join(', ')}.`,
  });
}
