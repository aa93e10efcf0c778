import { defaultTemplate } from '../prompts/prompt-template.ts';

/** The datasets of the family. */
export const datasetNames = ['gqa', 'llava', 'video', 'synthetic'] as const;

export type DatasetName = (typeof datasetNames)[number];

/** What an experiment does. Keys are spelled as in spec files and in the log of summaries. */
export interface GqaSettings {
  readonly name: string | null;
  readonly dataset: DatasetName;
  /** File or address of the data; the hub's, if it is null and there is one. */
  readonly data: string | null;
  /** Folder in which images are looked for. */
  readonly image_root: string | null;
  readonly model: string;
  readonly dataset_config: string;
  readonly split: string;
  /** All samples if it is null or below 0. */
  readonly max_samples: number | null;
  /** The order of the data if it is null or below 0. */
  readonly shuffle_seed: number | null;
  readonly chunk_source: string;
  readonly prompt_template: string;
  readonly similarity_threshold: number;
  readonly embedding_layers: readonly string[];
  readonly embedding_hook: string;
  readonly max_cached_blocks: number | null;
  readonly cache_dir: string;
  readonly index_encoder: string;
  readonly index_encoder_device: string;
  readonly temperature: number;
  readonly max_tokens: number;
  readonly trust_remote_code: boolean;
  readonly notes: string | null;
  readonly tensor_parallel_size: number;
  readonly gpu_memory_utilization: number;
  readonly enable_fusion_cache: boolean;
  readonly fusion_cache_dir: string;
  readonly enable_semantic_text_cache: boolean;
  readonly enable_exact_text_cache: boolean;
  readonly preset: string | null;
  readonly cache_max_size_gb: number | null;
}

export type GqaSetting = keyof GqaSettings;

/** What holds where nothing is given in the original program. */
export const originalSettings: GqaSettings = {
  name: null,
  dataset: 'gqa',
  data: null,
  image_root: null,
  model: 'Qwen/Qwen3-VL-2B-Instruct',
  dataset_config: 'val_balanced_instructions',
  split: 'val',
  max_samples: 128,
  shuffle_seed: 7,
  chunk_source: 'semantic',
  prompt_template: defaultTemplate,
  similarity_threshold: 0.8,
  embedding_layers: [],
  embedding_hook: 'none',
  max_cached_blocks: null,
  cache_dir: 'experiment2/kv_chunks',
  index_encoder: 'sentence-transformers/all-MiniLM-L6-v2',
  index_encoder_device: 'cuda',
  temperature: 0,
  max_tokens: 64,
  trust_remote_code: false,
  notes: null,
  tensor_parallel_size: 1,
  gpu_memory_utilization: 0.9,
  enable_fusion_cache: false,
  fusion_cache_dir: 'experiment2/fusion_chunks',
  enable_semantic_text_cache: true,
  enable_exact_text_cache: true,
  preset: null,
  cache_max_size_gb: null,
};

/** What holds here: all samples, in the order of the data. */
export const defaultSettings: GqaSettings = {
  ...originalSettings,
  max_samples: null,
  shuffle_seed: null,
};

export const settingNames = Object.keys(originalSettings) as readonly GqaSetting[];
