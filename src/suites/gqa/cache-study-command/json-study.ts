import type { Advice } from '../cache-study/advise-threshold.ts';
import type { HitCounts, StudyCounts } from '../cache-study/tally.ts';
import { jsonPrefixes } from './json-prefixes.ts';
import type { StudyResult, ThresholdGrid } from './run-study.ts';

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
    ...(result.advice && { advice: jsonAdvice(result.advice) }),
    ...(result.grid && { grid: jsonGrid(result.grid) }),
    prefix_cache: jsonPrefixes(prefixes, prefixes.partOrders),
  };
}

function jsonCounts({ samples, wrongShare, bySource: _, ...counts }: StudyCounts) {
  const interval = wrongShare && { wrong_interval: [wrongShare.low, wrongShare.high] };
  return { samples, ...shares(counts, samples), ...interval };
}

function jsonAdvice({ type, maxWrong, point }: Advice) {
  return {
    max_wrong: maxWrong,
    ...(type === 'keeps' ? { threshold: point.threshold } : { threshold: null, reason: type }),
  };
}

function jsonGrid({ rowLayer, columnLayer, thresholds, rows }: ThresholdGrid) {
  return {
    layers: [rowLayer, columnLayer],
    thresholds,
    counts: rows.map((counts) => counts.map(jsonCounts)),
  };
}

function shares({ hits, judged, wrong }: HitCounts, samples: number) {
  return {
    hits,
    hit_rate: samples === 0 ? null : hits / samples,
    judged,
    not_judged: hits - judged,
    wrong,
    wrong_rate: judged === 0 ? null : wrong / judged,
  };
}
