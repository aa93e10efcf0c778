import type { HitCounts, StudyCounts } from '../cache-study/tally.ts';
import type { StudyResult } from './run-study.ts';

/** A study for machines. */
export function jsonStudy({ settings, encoder, layers, counts, ...result }: StudyResult) {
  const { prefixes } = result;
  return {
    experiment: settings.name,
    dataset: settings.dataset,
    chunk_source: settings.chunk_source,
    encoder,
    distinct_chunk_texts: result.distinct,
    ...jsonCounts(counts),
    layers: layers.map(({ source, threshold }) => ({
      source,
      ...(threshold !== undefined && { threshold }),
      ...shares(counts.bySource[source] ?? { hits: 0, judged: 0, wrong: 0 }, counts.samples),
    })),
    sweep: result.sweep.map(({ threshold, ...point }) => ({ threshold, ...jsonCounts(point) })),
    prefixes: {
      unit: prefixes.unit,
      total: prefixes.total,
      shared_in_run_order: prefixes.inRunOrder,
      shared_in_best_order: prefixes.inBestOrder,
    },
  };
}

function jsonCounts({ samples, bySource: _, ...counts }: StudyCounts) {
  return { samples, ...shares(counts, samples) };
}

function shares({ hits, judged, wrong }: HitCounts, samples: number) {
  return {
    hits,
    hit_rate: samples === 0 ? null : hits / samples,
    judged,
    wrong,
    wrong_rate: judged === 0 ? null : wrong / judged,
  };
}
