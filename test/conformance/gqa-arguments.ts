import { CompatError } from '../../src/python/compat-error.ts';
import { parseFloatText, parseIntegerText } from '../../src/python/parse-number.ts';
import type { GqaCompat } from '../../src/suites/gqa/compat.ts';
import { chunkSources } from '../../src/suites/gqa/prompts/chunk-text.ts';
import { originalFlags } from '../../src/suites/gqa/settings/experiment2-settings.ts';
import { builtInPresets } from '../../src/suites/gqa/settings/presets.ts';
import { type GqaSettings, originalSettings } from '../../src/suites/gqa/settings/settings.ts';
import type { Json, JsonObject } from './json.ts';

/** Options of the original's command line that are no settings of an experiment. */
const otherOptions: Readonly<Record<string, Json>> = {
  dataset: 'gqa',
  cache_backend: 'semantic-kv',
  cache_mode: 'dry-run',
  report_limit: 5,
  log_csv: null,
  summary_log: null,
  samples_jsonl: null,
  experiment_name: null,
  max_model_len: null,
  llava_data_url:
    'https://huggingface.co/datasets/liuhaotian/LLaVA-Instruct-150K/resolve/main/llava_instruct_150k.json?download=1',
  disable_log_stats: false,
  disable_semantic_cache: false,
  disable_exact_cache: false,
  keep_cache_dirs: false,
};

const headOptions: Readonly<Record<string, Json>> = {
  use_hf: false,
  gqa_image_dir: 'experiment2/gqa_images',
  video_frames_data: 'dataset_custom/video_frames_labels.json',
  video_frames_root: null,
};

/** Settings that the command line has under another name, or not at all. */
const renamed: Readonly<Record<string, string | undefined>> = {
  name: undefined,
  data: undefined,
  image_root: undefined,
  notes: undefined,
  enable_semantic_text_cache: undefined,
  enable_exact_text_cache: undefined,
  embedding_layers: 'embedding_layer',
};

const integers = [
  ...['max_samples', 'shuffle_seed', 'max_tokens', 'report_limit', 'tensor_parallel_size'],
  ...['max_cached_blocks', 'max_model_len'],
];
const floats = [
  ...['similarity_threshold', 'temperature', 'gpu_memory_utilization', 'cache_max_size_gb'],
];

const choices: Readonly<Record<string, readonly string[]>> = {
  preset: Object.keys(builtInPresets),
  chunk_source: chunkSources,
  cache_backend: ['semantic-kv', 'model-router'],
  cache_mode: ['dry-run', 'live'],
  dataset: ['gqa', 'llava150k', 'synthetic', 'video_frames'],
};

/** What the original's `parse_args` makes of a command line. */
export function parseOriginalArguments(argv: readonly string[], compat: GqaCompat): JsonObject {
  const given = readArguments(argv, defaultsOf(originalSettings, compat));
  const flags = Object.fromEntries(
    Object.keys(originalSettings).flatMap((key) => {
      const option = optionName(key);
      return option !== undefined && option in given ? [[key, given[option]]] : [];
    }),
  );
  const resolved: Record<string, Json> = { ...defaultsOf(originalFlags(flags), compat) };
  for (const [key, value] of Object.entries(given)) {
    if (key in otherOptions || key in headOptions) resolved[key] = value;
  }
  if (resolved.use_hf === true) resolved.cache_backend = 'model-router';
  return resolved;
}

function defaultsOf(settings: GqaSettings, compat: GqaCompat): JsonObject {
  const own = Object.entries(settings).flatMap(([key, value]) => {
    const option = optionName(key);
    if (option === undefined || (key === 'cache_max_size_gb' && compat === '40a46a9')) return [];
    return [[option, value as Json]];
  });
  const head = compat === '48bab23' ? headOptions : {};
  return { ...Object.fromEntries(own), ...otherOptions, ...head };
}

function optionName(setting: string): string | undefined {
  return setting in renamed ? renamed[setting] : setting;
}

function readArguments(argv: readonly string[], known: JsonObject): JsonObject {
  const given: Record<string, Json> = {};
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [flag = '', attached] = word.split(/=(.*)/s);
    const written = flag.replace(/^--/, '').replaceAll('-', '_');
    const begun = Object.keys(known).filter((option) => option.startsWith(written));
    const key = written in known ? written : begun[0];
    if (!flag.startsWith('--') || key === undefined || (key !== written && begun.length > 1)) {
      throw exit(`unrecognized: ${word}`);
    }
    if (typeof known[key] === 'boolean') given[key] = true;
    else given[key] = readValue(key, attached ?? rest.shift(), given[key]);
  }
  return given;
}

function readValue(key: string, text: string | undefined, before: Json | undefined): Json {
  if (text === undefined) throw exit(`--${key} expects a value`);
  if (key === 'embedding_layer') return [...(Array.isArray(before) ? before : []), text];
  if (choices[key] && !choices[key].includes(text)) throw exit(`--${key}: no choice ${text}`);
  try {
    if (integers.includes(key)) return parseIntegerText(text);
    return floats.includes(key) ? parseFloatText(text) : text;
  } catch {
    throw exit(`--${key}: no number ${text}`);
  }
}

function exit(message: string): CompatError {
  return new CompatError({ type: 'SystemExit', message, what: message });
}
