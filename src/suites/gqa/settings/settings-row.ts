import type { GqaCompat } from '../compat.ts';
import type { GqaSettings } from './settings.ts';

/** The settings of an experiment as the columns of a log have them. */
export function settingsRow(
  settings: GqaSettings,
  compat?: GqaCompat,
): Record<string, string | number | boolean> {
  const { name, max_samples, shuffle_seed, prompt_template, embedding_layers } = settings;
  return {
    experiment: name ?? '',
    model: settings.model,
    dataset_config: settings.dataset_config,
    split: settings.split,
    max_samples: max_samples ?? -1,
    shuffle_seed: shuffle_seed ?? '',
    chunk_source: settings.chunk_source,
    prompt_template: prompt_template.replaceAll('\n', '\\n'),
    similarity_threshold: settings.similarity_threshold,
    embedding_layers: embedding_layers.join(','),
    embedding_hook: settings.embedding_hook,
    max_cached_blocks: settings.max_cached_blocks ?? '',
    cache_dir: settings.cache_dir,
    index_encoder: settings.index_encoder,
    index_encoder_device: settings.index_encoder_device,
    temperature: settings.temperature,
    max_tokens: settings.max_tokens,
    trust_remote_code: settings.trust_remote_code,
    notes: settings.notes ?? '',
    tensor_parallel_size: settings.tensor_parallel_size,
    gpu_memory_utilization: settings.gpu_memory_utilization,
    enable_fusion_cache: settings.enable_fusion_cache,
    fusion_cache_dir: settings.fusion_cache_dir,
    enable_semantic_text_cache: settings.enable_semantic_text_cache,
    enable_exact_text_cache: settings.enable_exact_text_cache,
    preset: settings.preset ?? '',
    ...(compat === '48bab23' && { cache_max_size_gb: settings.cache_max_size_gb ?? '' }),
  };
}
