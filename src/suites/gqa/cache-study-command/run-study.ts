import type { Encode } from '../../../model/request-body.ts';
import { measureSharing, type PrefixSharing } from '../cache-study/prefix-sharing.ts';
import { type CacheLayers, CacheSimulation, type CacheStep } from '../cache-study/simulate.ts';
import { countHits, type StudyCounts } from '../cache-study/tally.ts';
import type { GqaSettings } from '../settings/settings.ts';
import type { StudySamples } from './collect-samples.ts';

/** What a cache would have done, and what the prompts have in common. */
export interface StudyResult {
  readonly settings: GqaSettings;
  readonly encoder: string;
  readonly layers: readonly StudiedLayer[];
  readonly counts: StudyCounts;
  /** Different chunk texts. */
  readonly distinct: number;
  readonly steps: readonly CacheStep[];
  readonly seconds: number;
  readonly sweep: readonly SweepPoint[];
  readonly prefixes: PrefixSharing & { readonly unit: 'tokens' | 'bytes' };
}

export interface StudiedLayer {
  readonly source: string;
  /** Left out for equal texts. */
  readonly threshold?: number;
}

/** The same with one threshold for all layers that have one. */
export interface SweepPoint extends StudyCounts {
  readonly threshold: number;
}

export interface StudyParts {
  readonly settings: GqaSettings;
  readonly encoder: string;
  readonly samples: StudySamples;
  readonly layers: CacheLayers;
  readonly sweep: readonly number[] | false;
  readonly encode?: Encode | undefined;
  readonly onProgress?: (text: string) => void;
}

const samplesBetweenReports = 4096;

/** Runs the cache over the samples, once as it is set and once for each threshold of the sweep. */
export function runStudy(parts: StudyParts): StudyResult {
  const { settings, encoder, samples, layers, sweep, encode } = parts;
  const { chunkTexts, imageIds, answers } = samples;
  const cached = chunkTexts.map((chunkText, index) => ({
    chunkText,
    imageId: imageIds[index] ?? '',
  }));
  const simulation = new CacheSimulation(cached, layers);
  const start = performance.now();
  const watch = (steps: Iterable<CacheStep>, name: string) =>
    watched(steps, (done) =>
      parts.onProgress?.(`${name}: ${done} of ${chunkTexts.length} samples`),
    );
  const steps = [...watch(simulation.run(), 'as set')];
  const seconds = (performance.now() - start) / 1000;
  const studied = studiedLayers(layers);
  const hasThresholds = studied.some(({ threshold }) => threshold !== undefined);
  const thresholds = hasThresholds && sweep ? sweep : [];
  return {
    settings,
    encoder,
    layers: studied,
    counts: countHits(steps, answers),
    distinct: new Set(chunkTexts).size,
    steps,
    seconds,
    sweep: thresholds.map((threshold) => ({
      threshold,
      ...countHits(watch(simulation.run(threshold), `threshold ${threshold}`), answers),
    })),
    prefixes: encode
      ? {
          unit: 'tokens',
          ...measureSharing(samples.prompts.map((text) => Uint32Array.from(encode(text)))),
        }
      : { unit: 'bytes', ...measureSharing(samples.prompts.map((text) => Buffer.from(text))) },
  };
}

function* watched(
  steps: Iterable<CacheStep>,
  report: (done: number) => void,
): Generator<CacheStep, void, undefined> {
  for (const step of steps) {
    if (step.sample % samplesBetweenReports === 0) report(step.sample);
    yield step;
  }
}

function studiedLayers({ exact, embedding, semantic }: CacheLayers): StudiedLayer[] {
  return [
    ...(exact ? [{ source: 'text:exact' }] : []),
    ...embedding.map(({ name, threshold }) => ({ source: `embedding:${name}`, threshold })),
    ...(semantic ? [{ source: 'text', threshold: semantic.threshold }] : []),
  ];
}
