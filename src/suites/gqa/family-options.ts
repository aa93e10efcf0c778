import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type GqaCompat, gqaCompats } from './compat.ts';
import {
  addOriginalOptions,
  type OriginalOptions,
  refuseOriginalOptions,
} from './original-options.ts';
import { originalDatasets } from './settings/experiment2-names.ts';
import { type DatasetName, datasetNames, type GqaSettings } from './settings/settings.ts';

/** What the commands of the GQA family have in common. */
export interface FamilyOptions extends OriginalOptions {
  readonly dataset?: string;
  readonly data?: string;
  readonly datasetConfig?: string;
  readonly split?: string;
  readonly promptTemplate?: string;
  readonly preset?: string;
  readonly spec?: string;
  readonly experiment?: string;
  readonly experimentName?: string;
  readonly chunkSource?: string;
  readonly imageRoot?: string;
  readonly limit?: number;
  readonly shuffleSeed?: number;
  readonly compat?: GqaCompat;
  readonly json?: boolean;
}

/** What is made of which data. */
export function addFamilyOptions(command: Command): Command {
  return addOriginalOptions(command)
    .optionsGroup('Input:')
    .option('--dataset <name>', `${datasetNames.join(', ')} (default: gqa)`)
    .option('--data <file>', 'data file or URL (default: from the hub)')
    .option('--dataset-config <name>', 'hub config (default: val_balanced_instructions)')
    .option('--split <name>', 'hub split (default: val)')
    .option('--prompt-template <text>', 'prompt template; \\n is a line break')
    .option('--preset <name>', 'settings for a model, such as qwen3-vl-2b')
    .option('--spec <file>', 'JSON file of experiments')
    .option('--experiment <name>', 'one experiment of the spec')
    .option('--experiment-name <name>', 'name of an experiment without a spec')
    .option('--chunk-source <name>', 'text that the cache compares (default: semantic)')
    .option('--image-root <folder>', 'folder with the images')
    .option('--limit <n>', 'use the first n samples', wholeValue)
    .option('--shuffle-seed <n>', 'shuffle the samples', wholeValue)
    .addOption(
      new Option(
        '--compat <commit>',
        'behave exactly as upstream did; takes its options too',
      ).choices(gqaCompats),
    );
}

/** Refuses what only the original takes, unless it is followed. */
export function checkFamilyOptions<Options extends FamilyOptions>(options: Options): Options {
  if (options.compat) return options;
  refuseOriginalOptions(options);
  const { limit, shuffleSeed, dataset = '' } = options;
  if (limit !== undefined && limit < 1) {
    throw new UsageError('usage.invalid_argument', '`--limit` must be a whole number, 1 or above', {
      hint: 'Leave it out for all samples.',
    });
  }
  if (shuffleSeed !== undefined && shuffleSeed < 0) {
    throw new UsageError(
      'usage.invalid_argument',
      '`--shuffle-seed` must be a whole number, 0 or above',
      { hint: 'Leave it out for the order of the data.' },
    );
  }
  const own = originalDatasets.get(dataset);
  if (own !== undefined && own !== dataset) {
    throw new UsageError('config.unknown_value', `Unknown dataset \`${dataset}\``, {
      hint: `It is called \`${own}\` here.`,
    });
  }
  return options;
}

/** The settings that the command line gives; what it leaves out is left out here. */
export function givenSettings(options: FamilyOptions): Partial<GqaSettings> {
  const { promptTemplate, compat } = options;
  const given = {
    name: options.experimentName,
    dataset: options.dataset,
    data: options.data,
    dataset_config: options.datasetConfig,
    split: options.split,
    prompt_template: compat ? promptTemplate : promptTemplate && unescapeText(promptTemplate),
    preset: options.preset,
    chunk_source: options.chunkSource,
    image_root: options.imageRoot,
    max_samples: options.limit,
    shuffle_seed: options.shuffleSeed,
    ...(compat && originalGiven(options)),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The same for the options of the original, and for the folder that its environment names. */
function originalGiven(options: FamilyOptions) {
  const { env } = process;
  const dataset = originalDataset(options.dataset ?? 'gqa');
  const isVideo = dataset === 'video';
  const labels = options.videoFramesData ?? 'dataset_custom/video_frames_labels.json';
  const sources = { llava: options.llavaDataUrl, video: labels };
  const data = options.data ?? sources[dataset as keyof typeof sources];
  const roots = isVideo
    ? [options.videoFramesRoot, env.GQA_IMAGE_ROOT]
    : [
        options.gqaImageDir,
        env.SEMANTIC_CACHE_IMAGE_ROOT,
        env.GQA_IMAGE_ROOT,
        env.LLAVA_IMAGE_ROOT,
      ];
  return {
    dataset: options.dataset === undefined ? undefined : dataset,
    data,
    // the original writes the name of the file into its log
    dataset_config: isVideo && data !== undefined ? basename(data) : options.datasetConfig,
    image_root: options.imageRoot ?? roots.find((root) => root && isFolder(root)),
    max_samples: options.maxSamples ?? options.limit,
    embedding_hook: options.embeddingHook,
    index_encoder: options.indexEncoder,
    index_encoder_device: options.indexEncoderDevice,
    model: options.model,
    temperature: options.temperature,
    max_tokens: options.maxTokens,
    tensor_parallel_size: options.tensorParallelSize,
    gpu_memory_utilization: options.gpuMemoryUtilization,
    max_cached_blocks: options.maxCachedBlocks,
    cache_dir: options.cacheDir,
    cache_max_size_gb: options.cacheMaxSizeGb,
    fusion_cache_dir: options.fusionCacheDir,
    enable_fusion_cache: options.enableFusionCache,
    trust_remote_code: options.trustRemoteCode,
  };
}

function originalDataset(name: string): DatasetName {
  const own = originalDatasets.get(name) ?? datasetNames.find((known) => known === name);
  if (own !== undefined) return own;
  throw new UsageError('config.unknown_value', `Unknown dataset \`${name}\``, {
    hint: hintForName(name, { names: [...originalDatasets.keys()], kind: 'Datasets' }),
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function unescapeText(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
  return text.replaceAll(/\\([nt\\])/g, (_, letter: string) => letters[letter] ?? '\\');
}

function wholeValue(value: string): number {
  if (/^-?\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected a whole number.');
}
