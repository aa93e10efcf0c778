import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../base/usage-error.ts';

/** Options of the original programs that have another name here, or none. */
export interface OriginalOptions {
  readonly maxSamples?: number;
  readonly specs?: string;
  readonly logFile?: string;
  readonly samplesDir?: string;
  readonly llavaDataUrl?: string;
  readonly videoFramesData?: string;
  readonly videoFramesRoot?: string;
  readonly gqaImageDir?: string;
  readonly embeddingHook?: string;
  readonly cacheBackend?: 'semantic-kv' | 'model-router';
  readonly cacheMode?: 'dry-run' | 'live';
  readonly useHf?: boolean;
  readonly indexEncoder?: string;
  readonly indexEncoderDevice?: string;
  readonly reportLimit?: number;
  readonly model?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly tensorParallelSize?: number;
  readonly gpuMemoryUtilization?: number;
  readonly maxCachedBlocks?: number;
  readonly cacheDir?: string;
  readonly cacheMaxSizeGb?: number;
  readonly fusionCacheDir?: string;
  readonly enableFusionCache?: boolean;
  readonly trustRemoteCode?: boolean;
}

interface OriginalOption {
  readonly flags: string;
  /** What to write without `--compat`. */
  readonly instead: string;
  readonly read?: (text: string) => unknown;
  readonly choices?: readonly string[];
}

const inSpec = (key: string) => `Write \`${key}\` in a spec.`;
const emptyCache = 'Omit it: every experiment starts with an empty cache.';
const noModel = 'Omit it: no model is loaded.';

const options: readonly OriginalOption[] = [
  {
    flags: '--max-samples <n>',
    instead: 'Use `--limit N`; all samples are the default.',
    read: wholeValue,
  },
  { flags: '--specs <file>', instead: 'Use `--spec FILE`.' },
  { flags: '--log-file <file>', instead: 'Use `--summary-log FILE`.' },
  { flags: '--samples-dir <folder>', instead: 'Use `--samples-jsonl FILE`.' },
  { flags: '--llava-data-url <address>', instead: 'Use `--data ADDRESS`.' },
  { flags: '--video-frames-data <file>', instead: 'Use `--data FILE`.' },
  { flags: '--video-frames-root <folder>', instead: 'Use `--image-root FOLDER`.' },
  { flags: '--gqa-image-dir <folder>', instead: 'Use `--image-root FOLDER`.' },
  {
    flags: '--embedding-hook <name>',
    instead:
      'Omit it: `--embedding-layer` says what to compare, and `--vectors` provides other vectors.',
  },
  {
    flags: '--cache-backend <name>',
    instead: 'Omit it: hits return the stored answer.',
    choices: ['semantic-kv', 'model-router'],
  },
  {
    flags: '--cache-mode <mode>',
    instead: 'Omit it: nothing is injected.',
    choices: ['dry-run', 'live'],
  },
  { flags: '--use-hf', instead: noModel },
  { flags: '--index-encoder <name>', instead: 'Use `--encoder NAME`.' },
  { flags: '--index-encoder-device <name>', instead: 'Leave it out.' },
  { flags: '--report-limit <n>', instead: 'Use `--pairs FILE` for all hits.', read: wholeValue },
  { flags: '--model <name>', instead: inSpec('model') },
  { flags: '--temperature <n>', instead: inSpec('temperature'), read: numberValue },
  { flags: '--max-tokens <n>', instead: inSpec('max_tokens'), read: wholeValue },
  {
    flags: '--tensor-parallel-size <n>',
    instead: inSpec('tensor_parallel_size'),
    read: wholeValue,
  },
  {
    flags: '--gpu-memory-utilization <n>',
    instead: inSpec('gpu_memory_utilization'),
    read: numberValue,
  },
  { flags: '--max-cached-blocks <n>', instead: inSpec('max_cached_blocks'), read: wholeValue },
  { flags: '--cache-dir <folder>', instead: inSpec('cache_dir') },
  { flags: '--cache-max-size-gb <n>', instead: inSpec('cache_max_size_gb'), read: numberValue },
  { flags: '--fusion-cache-dir <folder>', instead: inSpec('fusion_cache_dir') },
  { flags: '--enable-fusion-cache', instead: inSpec('enable_fusion_cache') },
  { flags: '--trust-remote-code', instead: inSpec('trust_remote_code') },
  { flags: '--keep-cache-dirs', instead: emptyCache },
  { flags: '--purge-cache-between-runs', instead: emptyCache },
  { flags: '--max-model-len <n>', instead: noModel, read: wholeValue },
  { flags: '--disable-log-stats', instead: noModel },
];

/** Adds the original's options, which the help does not list. */
export function addOriginalOptions(command: Command): Command {
  for (const { flags, read, choices } of options) {
    const option = new Option(flags).hideHelp();
    if (read) option.argParser(read);
    if (choices) option.choices(choices);
    command.addOption(option);
  }
  return command;
}

/** Refuses the original's options where the original is not followed, with what to use. */
export function refuseOriginalOptions(given: object): void {
  for (const { flags, instead } of options) {
    const option = new Option(flags);
    if (!Object.hasOwn(given, option.attributeName())) continue;
    throw new UsageError(
      'gqa.original_option',
      `\`${option.long}\` is an option of the original program`,
      { hint: `${instead} With \`--compat 40a46a9\` or \`48bab23\` it is accepted as is.` },
    );
  }
}

function wholeValue(text: string): number {
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}

function numberValue(text: string): number {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  throw new InvalidArgumentError('It must be a number.');
}
