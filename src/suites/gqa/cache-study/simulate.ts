import type { GqaCompat } from '../compat.ts';
import { exactKey } from './exact-key.ts';
import { LayerSearch, type LayerVectors, type StoredMatch } from './layer-search.ts';
import { blockSize } from './search/vector-index.ts';

export interface CachedSample {
  readonly chunkText: string;
  readonly imageId: string;
}

/** The layers of a cache, in the order in which they are asked. */
export interface CacheLayers {
  readonly exact: boolean;
  readonly embedding: readonly LayerVectors[];
  readonly semantic?: LayerVectors | undefined;
  readonly compat?: GqaCompat | undefined;
  /** What the original keeps: answers, or the model's state, which it computes all the same. */
  readonly backend?: 'model-router' | 'semantic-kv' | undefined;
}

/** What a cache did for a sample. Samples are named by their number. */
export interface CacheStep {
  readonly sample: number;
  /** `text:exact`, `embedding:NAME`, `text`, or null for a miss. */
  readonly source: string | null;
  readonly from: number | null;
  readonly score: number | null;
  /** The layer whose match was for another image, which the newer original does not accept. */
  readonly rejected: string | null;
}

const miss = { source: null, from: null, score: null, rejected: null };

/** Asks a cache for one sample after the other, and stores those that it does not have. */
export class CacheSimulation {
  readonly #samples: readonly CachedSample[];
  readonly #layers: CacheLayers;
  readonly #embedding: readonly LayerSearch[];
  readonly #semantic: LayerSearch | undefined;
  readonly #keys = new Map<string, number>();
  /** What was stored in this block: it is in the index from the next one on. */
  #fresh: number[] = [];

  constructor(samples: readonly CachedSample[], layers: CacheLayers) {
    this.#samples = samples;
    this.#layers = layers;
    this.#embedding = layers.embedding.map((layer) => new LayerSearch(layer));
    this.#semantic = layers.semantic && new LayerSearch(layers.semantic);
  }

  /** Starts with an empty cache. A threshold stands for those of all layers, or of those named. */
  *run(
    threshold?: number | Readonly<Record<string, number>>,
  ): Generator<CacheStep, void, undefined> {
    this.#keys.clear();
    for (const layer of this.#allLayers()) {
      layer.reset(typeof threshold === 'object' ? threshold[layer.name] : threshold);
    }
    for (let start = 0; start < this.#samples.length; start += blockSize) {
      const length = Math.min(blockSize, this.#samples.length - start);
      yield* this.#runBlock(Array.from({ length }, (_, index) => start + index));
    }
  }

  *#runBlock(block: readonly number[]): Generator<CacheStep, void, undefined> {
    this.#fresh = [];
    const open = block.filter((sample) => !this.#keys.has(this.#keyOf(sample)));
    for (const layer of this.#embedding) layer.prepare(open);
    this.#semantic?.prepare(
      open.filter((sample) => this.#embedding.every((layer) => !layer.hasMatch(sample))),
    );
    for (const sample of block) {
      const step = { sample, ...this.#lookUp(sample) };
      if (step.source === null) this.#store(sample);
      yield step;
    }
    const stored = storesVectors(this.#layers) ? this.#allLayers() : [this.#semantic];
    for (const layer of stored) for (const sample of this.#fresh) layer?.add(sample);
  }

  #lookUp(sample: number): Omit<CacheStep, 'sample'> {
    const known = this.#keys.get(this.#keyOf(sample));
    if (known !== undefined) return { ...miss, source: 'text:exact', from: known, score: 1 };
    const near = this.#nearestOf(sample);
    if (near) {
      const isOther = this.#samples[near.from]?.imageId !== this.#samples[sample]?.imageId;
      if (isOther && refusesOtherImages(this.#layers)) return { ...miss, rejected: near.layer };
      return { ...miss, source: `embedding:${near.layer}`, from: near.from, score: near.score };
    }
    const alike = this.#semantic?.match(sample, this.#fresh);
    return alike ? { ...miss, source: 'text', ...alike } : miss;
  }

  /** The best match of all embedding layers; of equal ones that of the first layer. */
  #nearestOf(sample: number): (StoredMatch & { readonly layer: string }) | undefined {
    const fresh = storesVectors(this.#layers) ? this.#fresh : [];
    let best: (StoredMatch & { readonly layer: string }) | undefined;
    for (const layer of this.#embedding) {
      const match = layer.match(sample, fresh);
      if (match && (!best || match.score > best.score)) best = { ...match, layer: layer.name };
    }
    return best;
  }

  #store(sample: number): void {
    const key = this.#keyOf(sample);
    if (key !== '') this.#keys.set(key, sample);
    this.#fresh.push(sample);
  }

  /** Empty where texts are not compared, or where nothing of a text is left to compare. */
  #keyOf(sample: number): string {
    const { exact, compat } = this.#layers;
    return exact ? exactKey(this.#samples[sample]?.chunkText ?? '', compat) : '';
  }

  #allLayers(): LayerSearch[] {
    return this.#semantic ? [...this.#embedding, this.#semantic] : [...this.#embedding];
  }
}

function refusesOtherImages({ compat, backend }: CacheLayers): boolean {
  return compat === '48bab23' && backend !== 'semantic-kv';
}

/** The newer original forgets the vectors of its dry runs. */
function storesVectors({ compat, backend }: CacheLayers): boolean {
  return compat !== '48bab23' || backend !== 'semantic-kv';
}
