import { hintForName } from '../../../base/nearest-name.ts';
import { ConfigError, type ConfigPath, formatPath } from '../../../errors.ts';
import { describeType, entriesOf, isMapping } from '../../../prompt/mapping.ts';
import { checkChunkSource } from '../prompts/chunk-text.ts';
import { compileTemplate } from '../prompts/prompt-template.ts';
import { parseEmbeddingLayer } from './embedding-layer.ts';
import { datasetNames, type GqaSetting, type GqaSettings, settingNames } from './settings.ts';

/** What a value must be, in words, and the value if it is that. */
type Check = readonly [expected: string, read: (value: unknown, path: ConfigPath) => unknown];

const text: Check = ['a string', (value) => (typeof value === 'string' ? value : undefined)];
const flag: Check = ['true or false', (value) => (typeof value === 'boolean' ? value : undefined)];
const number: Check = ['a number', (value) => (typeof value === 'number' ? value : undefined)];
const whole: Check = ['a whole number', (value) => (Number.isInteger(value) ? value : undefined)];
const orNull = ([expected, read]: Check): Check => [
  `${expected} or null`,
  (value, path) => (value === null ? null : read(value, path)),
];

const checks: Readonly<Record<GqaSetting, Check>> = {
  name: text,
  dataset: [`one of ${datasetNames.join(', ')}`, (value, path) => checkDataset(value, path)],
  data: orNull(text),
  image_root: orNull(text),
  model: text,
  dataset_config: text,
  split: text,
  max_samples: orNull(whole),
  shuffle_seed: orNull(whole),
  chunk_source: [
    'a string',
    (value, path) => onText(value, (source) => checkChunkSource(source, path)),
  ],
  prompt_template: [
    'a string',
    (value, path) => onText(value, (template) => checkTemplate(template, path)),
  ],
  similarity_threshold: number,
  embedding_layers: ['a list of NAME:DIM[:THRESHOLD]', checkLayers],
  embedding_hook: text,
  max_cached_blocks: orNull(whole),
  cache_dir: text,
  index_encoder: text,
  index_encoder_device: text,
  temperature: number,
  max_tokens: whole,
  trust_remote_code: flag,
  notes: orNull(text),
  tensor_parallel_size: whole,
  gpu_memory_utilization: number,
  enable_fusion_cache: flag,
  fusion_cache_dir: text,
  enable_semantic_text_cache: flag,
  enable_exact_text_cache: flag,
  preset: orNull(text),
  cache_max_size_gb: orNull(number),
};

/** Refuses settings that there are not, and values that do not fit. */
export function checkSettings(
  value: unknown,
  { path, otherKeys = [] }: { readonly path: ConfigPath; readonly otherKeys?: readonly string[] },
): Partial<GqaSettings> {
  if (!isMapping(value)) throw wrongType(value, { path, expected: 'a mapping of settings' });
  const settings: Record<string, unknown> = {};
  for (const [key, item] of entriesOf(value)) {
    const name = String(key);
    if (otherKeys.includes(name)) continue;
    const at = [...path, name];
    if (!Object.hasOwn(checks, name))
      throw unknownKey(name, { path, known: [...settingNames, ...otherKeys] });
    const [expected, read] = checks[name as GqaSetting];
    const checked = read(item, at);
    if (checked === undefined) throw wrongType(item, { path: at, expected });
    settings[name] = checked;
  }
  return settings;
}

export function unknownKey(
  key: string,
  { path, known }: { readonly path: ConfigPath; readonly known: readonly string[] },
): ConfigError {
  const where = path.length === 0 ? 'The spec' : formatPath(path);
  return new ConfigError('config.unknown_key', `${where} has the unknown key \`${key}\``, {
    path: [...path, key],
    hint: hintForName(key, { names: known, kind: 'Known keys' }),
  });
}

export function wrongType(
  value: unknown,
  { path, expected }: { readonly path: ConfigPath; readonly expected: string },
): ConfigError {
  const where = path.length === 0 ? 'The spec' : formatPath(path);
  return new ConfigError(
    'config.wrong_type',
    `${where} must be ${expected}, not ${describeType(value)}`,
    { path },
  );
}

function onText(value: unknown, check: (text: string) => unknown): unknown {
  return typeof value === 'string' ? check(value) : undefined;
}

function checkTemplate(template: string, path: ConfigPath): string {
  compileTemplate(template, { path });
  return template;
}

function checkDataset(value: unknown, path: ConfigPath): unknown {
  if (typeof value !== 'string' || (datasetNames as readonly string[]).includes(value))
    return value;
  throw new ConfigError('config.unknown_value', `Unknown dataset \`${value}\``, {
    path,
    hint: hintForName(value, { names: datasetNames, kind: 'Datasets' }),
  });
}

/** One layer may stand without a list. */
function checkLayers(value: unknown, path: ConfigPath): readonly string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return checkLayers([value], path);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
  for (const [index, layer] of value.entries()) parseEmbeddingLayer(layer, [...path, index]);
  return value;
}
