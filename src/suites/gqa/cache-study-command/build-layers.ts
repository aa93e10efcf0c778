import { hintForName, nearestName } from '../../../base/nearest-name.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { ConfigError, DataError } from '../../../errors.ts';
import { embedTexts, type SampleVectors } from '../cache-study/embed-texts.ts';
import { embedImages } from '../cache-study/images/embed-images.ts';
import type { ImageEncoder } from '../cache-study/images/image-encoder.ts';
import type { LayerVectors } from '../cache-study/layer-search.ts';
import { readVectors } from '../cache-study/read-vectors.ts';
import {
  type NormalizeOptions,
  normalizeVectors,
  type Precision,
} from '../cache-study/search/vector-table.ts';
import type { CacheLayers } from '../cache-study/simulate.ts';
import { hookedLayers } from '../settings/embedding-hook.ts';
import {
  type EmbeddingLayer,
  layerNames,
  parseEmbeddingLayer,
  parseOriginalLayer,
} from '../settings/embedding-layer.ts';
import type { Experiment } from '../settings/open-experiments.ts';
import type { StudySamples } from './collect-samples.ts';
import type { Encoder } from './open-encoder.ts';
import { backendOf, type StudyOptions } from './study-options.ts';

export interface LayerParts {
  readonly experiment: Experiment;
  readonly samples: StudySamples;
  readonly encoder: Encoder;
  readonly imageEncoder?: ImageEncoder | undefined;
  readonly options: StudyOptions;
  readonly signal: AbortSignal;
}

const semanticName = 'semantic';
const defaultDims = 384;

/** The layers of an experiment's cache, with a vector for each sample. */
export async function buildLayers(parts: LayerParts): Promise<CacheLayers> {
  const { options } = parts;
  const { settings } = parts.experiment;
  const { compat } = options;
  const layers = settings.embedding_layers.map((text) =>
    compat ? parseOriginalLayer(text) : parseEmbeddingLayer(text),
  );
  // the original asks prompts before images, in whatever order the layers are given
  if (compat) layers.sort((left, right) => rankOf(left) - rankOf(right));
  checkVectorNames(options, layers);
  const embedding: LayerVectors[] = [];
  for (const layer of layers) embedding.push({ ...layer, ...(await vectorsOf(layer, parts)) });
  const semantic = settings.enable_semantic_text_cache
    ? {
        name: semanticName,
        threshold: settings.similarity_threshold,
        ...(await semanticVectors(parts)),
      }
    : undefined;
  const backend = backendOf(options);
  return { exact: settings.enable_exact_text_cache, embedding, semantic, compat, backend };
}

function rankOf({ name }: EmbeddingLayer): number {
  return (layerNames as readonly string[]).indexOf(name);
}

function checkVectorNames({ vectors }: StudyOptions, layers: readonly EmbeddingLayer[]): void {
  const known = [...layers.map(({ name }) => name), semanticName];
  const unknown = [...vectors.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError('gqa.unknown_layer', `Unknown layer \`${unknown}\` for these vectors`, {
    hint: hintForName(unknown, { names: known, kind: 'Layers' }),
  });
}

async function vectorsOf(layer: EmbeddingLayer, parts: LayerParts): Promise<SampleVectors> {
  const { samples, encoder, options, signal } = parts;
  const { name, dims } = layer;
  const precision = precisionOf(options);
  const file = options.vectors.get(name);
  if (file !== undefined) return givenVectors(file, { samples, dims, precision });
  if (options.compat && !hookedLayers(parts.experiment.settings.embedding_hook).includes(name)) {
    return noVectors(samples, dims);
  }
  if (name === 'vision' && parts.imageEncoder) {
    return embedImages(samples.images, { encoder: parts.imageEncoder, dims, precision });
  }
  const texts = name === 'prompt' ? samples.prompts : samples.imageIds;
  const isKnown = name === 'prompt' || (name === 'vision' && encoder.isHashing);
  if (isKnown) {
    return embedTexts(texts, { embedder: encoder.embedder(dims), dims, precision, signal });
  }
  const near = nearestName(name, layerNames);
  throw new ConfigError('gqa.unknown_layer', `The layer \`${name}\` needs its own vectors`, {
    path: parts.experiment.paths.get('embedding_layers'),
    hint: `${near && near !== name ? `Did you mean \`${near}\`? ` : ''}${name === 'vision' ? 'Add `--image-encoder FOLDER`, or ' : 'Add '}\`--vectors ${name}=FILE\`.`,
  });
}

/** The original compares in single precision. */
function precisionOf({ compat }: StudyOptions): Precision {
  return compat ? 'float32' : 'rounded';
}

/** A layer that no sample has a vector for. */
function noVectors({ rows }: StudySamples, dims: number): SampleVectors {
  return {
    table: normalizeVectors(new Float32Array(), dims),
    rows: new Int32Array(rows.length).fill(-1),
  };
}

async function semanticVectors(parts: LayerParts): Promise<SampleVectors> {
  const { samples, encoder, options, signal } = parts;
  const file = options.vectors.get(semanticName);
  // the original takes the vectors of texts as its encoder gives them, which is with the length 1
  const normalizing = { precision: precisionOf(options), isUnit: options.compat !== undefined };
  if (file !== undefined) return givenVectors(file, { samples, ...normalizing });
  const embedder = encoder.embedder(defaultDims);
  return embedTexts(samples.chunkTexts, { embedder, ...normalizing, signal });
}

async function givenVectors(
  file: string,
  {
    samples,
    ...shape
  }: {
    readonly samples: StudySamples;
    readonly dims?: number;
  } & NormalizeOptions,
): Promise<SampleVectors> {
  const { table, absent } = await readVectors(file, shape);
  const rows = Int32Array.from(samples.rows, (row) => (absent.has(row) ? -1 : row));
  const last = samples.rows.reduce((most, row) => Math.max(most, row), -1);
  if (last < table.count) return { table, rows };
  throw new DataError(
    'gqa.bad_vectors',
    `${file} has ${table.count} vectors, but the data has a row ${last}`,
    { hint: 'There must be one vector per row of the data, in the same order.' },
  );
}
