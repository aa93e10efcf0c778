import type { Encode } from '../../../model/request-body.ts';
import {
  type Advice,
  adviseThreshold,
  type ThresholdCounts,
} from '../cache-study/advise-threshold.ts';
import { type SamplePrefixes, samplePrefixes } from '../cache-study/sample-prefixes.ts';
import { type CacheLayers, CacheSimulation, type CacheStep } from '../cache-study/simulate.ts';
import { countHits, type StudyCounts } from '../cache-study/tally.ts';
import type { GqaSettings } from '../settings/settings.ts';
import type { StudySamples } from './collect-samples.ts';
import type { PrefixSettings } from './prefix-options.ts';

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
  /** Nothing without a sweep. */
  readonly advice?: Advice | undefined;
  /** Nothing unless the cache has two layers of vectors. */
  readonly grid?: ThresholdGrid | undefined;
  readonly prefixes: SamplePrefixes;
}

export interface StudiedLayer {
  readonly source: string;
  /** Left out for equal texts. */
  readonly threshold?: number;
}

/** The same one threshold for all layers that use one. */
export type SweepPoint = ThresholdCounts;

/** The same with each pair of thresholds for the first two layers of vectors. */
export interface ThresholdGrid {
  readonly rowLayer: string;
  readonly columnLayer: string;
  readonly thresholds: readonly number[];
  /** For each threshold of the first layer, the counts for each of the second. */
  readonly rows: readonly (readonly StudyCounts[])[];
}

export interface StudyParts {
  readonly settings: GqaSettings;
  readonly encoder: string;
  readonly samples: StudySamples;
  readonly layers: CacheLayers;
  readonly sweep: readonly number[] | false;
  /** Thresholds of the grid; left out for the usual ones where that is quick. */
  readonly grid?: readonly number[] | false | undefined;
  /** The share of wrong answers that a threshold is to keep under. */
  readonly maxWrong: number;
  readonly encode?: Encode | undefined;
  readonly prefixSettings: PrefixSettings;
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
  const swept = thresholds.map((threshold) => ({
    threshold,
    ...countHits(watch(simulation.run(threshold), `threshold ${threshold}`), answers),
  }));
  return {
    settings,
    encoder,
    layers: studied,
    counts: countHits(steps, answers),
    distinct: new Set(chunkTexts).size,
    steps,
    seconds,
    sweep: swept,
    advice: swept.length > 0 ? adviseThreshold(swept, parts.maxWrong) : undefined,
    grid: thresholdGrid(parts, (pair, name) =>
      countHits(watch(simulation.run(pair), name), answers),
    ),
    prefixes: samplePrefixes(samples, { ...parts.prefixSettings, tokenize: encode }),
  };
}

const usualGrid = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
/** With more samples than this a grid takes long, and must be asked for. */
const maxUsualSamples = 2000;

/** Runs the cache with each pair of thresholds for the first two layers of vectors. */
function thresholdGrid(
  { layers, samples, grid, sweep }: StudyParts,
  count: (thresholds: Readonly<Record<string, number>>, name: string) => StudyCounts,
): ThresholdGrid | undefined {
  const [first, second] = layers.embedding;
  const isQuick = sweep !== false && samples.prompts.length <= maxUsualSamples;
  const thresholds = grid ?? (isQuick ? usualGrid : false);
  if (!first || !second || first.name === second.name || thresholds === false) return undefined;
  const rows = thresholds.map((row) =>
    thresholds.map((column) =>
      count({ [first.name]: row, [second.name]: column }, `thresholds ${row} and ${column}`),
    ),
  );
  return { rowLayer: first.name, columnLayer: second.name, thresholds, rows };
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
