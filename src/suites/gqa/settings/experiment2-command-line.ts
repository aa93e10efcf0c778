import { Float } from '../../../prompt/values.ts';
import { pyStr } from '../../../python/repr.ts';
import type { GqaCompat } from '../compat.ts';
import { defaultTemplate } from '../prompts/prompt-template.ts';
import { originalDatasetName } from './experiment2-names.ts';
import type { GqaSettings } from './settings.ts';

export interface CommandOptions {
  readonly compat: GqaCompat;
  readonly cacheMode: 'dry-run' | 'live';
  /** The log of summaries; the log of samples goes beside it. */
  readonly logFile?: string | null | undefined;
  readonly samplesFolder?: string | null | undefined;
}

const scripts: Readonly<Record<GqaCompat, string>> = {
  '40a46a9': 'experiment2/test_vllm.py',
  '48bab23': 'experiment2/run_benchmark.py',
};

/** The command that runs an experiment with the original program, for a comparison. */
export function originalCommand(settings: GqaSettings, options: CommandOptions): string {
  const folders = [...new Set([settings.cache_dir, settings.fusion_cache_dir])].filter(Boolean);
  const parts = ['python', scripts[options.compat], ...commandArguments(settings, options)];
  return [
    ...folders.map((folder) => `rm -rf ${quote(folder)}`),
    `echo "=== ${settings.name} ==="`,
    `CUDA_LAUNCH_BLOCKING=1 ${parts.map(quote).join(' ')}`,
  ].join(' && ');
}

function commandArguments(settings: GqaSettings, options: CommandOptions): string[] {
  const { name, logFile, samplesFolder } = { ...settings, ...options };
  const logFolder = logFile ? parentOf(logFile) : 'experiment2/experiment_logs/';
  return [
    ...option('experiment-name', name),
    ...option('model', settings.model),
    ...option('dataset', originalDatasetName(settings.dataset)),
    ...option('dataset-config', settings.dataset_config),
    ...option('split', settings.split),
    ...option('max-samples', settings.max_samples ?? -1),
    ...option('shuffle-seed', settings.shuffle_seed ?? -1),
    ...option('chunk-source', settings.chunk_source),
    ...(settings.prompt_template === defaultTemplate
      ? []
      : option('prompt-template', settings.prompt_template)),
    ...option('similarity-threshold', floatText(settings.similarity_threshold)),
    ...settings.embedding_layers.flatMap((layer) => option('embedding-layer', layer)),
    ...option('embedding-hook', settings.embedding_hook),
    ...option('max-cached-blocks', settings.max_cached_blocks),
    ...option('cache-dir', settings.cache_dir),
    ...(settings.cache_max_size_gb === null
      ? []
      : option('cache-max-size-gb', floatText(settings.cache_max_size_gb))),
    ...option('index-encoder', settings.index_encoder),
    ...option('index-encoder-device', settings.index_encoder_device),
    ...option('fusion-cache-dir', settings.fusion_cache_dir),
    ...flag('enable-fusion-cache', settings.enable_fusion_cache),
    ...option('temperature', floatText(settings.temperature)),
    ...option('max-tokens', settings.max_tokens),
    ...option('tensor-parallel-size', settings.tensor_parallel_size),
    ...option('gpu-memory-utilization', floatText(settings.gpu_memory_utilization)),
    ...option('cache-mode', options.cacheMode),
    ...flag('disable-semantic-cache', !settings.enable_semantic_text_cache),
    ...flag('disable-exact-cache', !settings.enable_exact_text_cache),
    ...flag('trust-remote-code', settings.trust_remote_code),
    ...(logFile ? option('summary-log', logFile) : []),
    ...option('log-csv', `${logFolder}${name}.csv`),
    ...(samplesFolder ? option('samples-jsonl', `${samplesFolder}/${name}.jsonl`) : []),
  ];
}

function option(name: string, value: string | number | null): string[] {
  return value === null ? [] : [`--${name}`, String(value)];
}

function flag(name: string, isSet: boolean): string[] {
  return isSet ? [`--${name}`] : [];
}

function floatText(value: number): string {
  return pyStr(new Float(value));
}

function parentOf(file: string): string {
  return file.replace(/[^/]*$/, '').replace(/^\.\//, '');
}

/** Quotes a word for a POSIX shell, where it needs to be. */
function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
