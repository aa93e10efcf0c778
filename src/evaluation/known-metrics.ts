import type { MetricTraits } from '../score/metrics/metric.ts';
import { isMeasured, rowTraits } from '../score/row-score.ts';
import type { ScorerMetrics } from '../score/scorer.ts';
import { turnsAsked } from './multi-turn/combine-turns.ts';
import { type RepeatedDataset, repeatMetrics } from './repeats.ts';

interface AskedDataset {
  readonly dataset: RepeatedDataset;
  /** Whether a row takes several requests that are scored together. */
  readonly isComposite: boolean;
}

/** The metrics that results will have, the first one first, as far as rows have them. */
export function knownMetrics(
  scorer: ScorerMetrics,
  { dataset, isComposite }: AskedDataset,
): readonly MetricTraits[] {
  const { metric: name, direction, range, datasetMetrics = [], traits = [], by } = scorer;
  const ofRows = rowTraits(scorer);
  const share = { direction: 'higher', range: [0, 1] } as const;
  const repeats = repeatMetrics(dataset);
  const isDialogue = isComposite && repeats.length === 0;
  const isWhole = isDialogue && turnsAsked(dataset.inferCfg?.inferencer ?? {}) === 'every';
  const ofTurns = [...(isDialogue ? ['turn_1'] : []), ...(isWhole ? ['all_turns'] : [])];
  return [
    { name, direction, range },
    ...[ofRows, ...datasetMetrics, ...traits].filter((metric) => metric.name !== name),
    ...[...repeats, ...ofTurns]
      .filter((measure) => isMeasured(measure, scorer))
      .map((measure) => ({
        ...(/^(?:avg|cons)@|^turn_|^perf_/.test(measure) ? ofRows : share),
        name: measure,
      })),
    ...(by === undefined ? [] : [{ ...ofRows, name: `${by}=…` }]),
  ];
}

/** The one of this name; all turns of a dialogue are like the first, all values of a column like any. */
export function metricNamed(
  name: string,
  metrics: readonly MetricTraits[],
): MetricTraits | undefined {
  const sought = name.replace(/^turn_\d+$/, 'turn_1').replace(/=.*$/s, '=…');
  return metrics.find((metric) => metric.name === sought);
}
