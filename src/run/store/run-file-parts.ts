import type { ConfigOverrides } from '../../config/override-config.ts';
import { rowTraits, type ScorerMetrics } from '../../score/scorer.ts';
import type { ScoreRange } from './record-fault.ts';
import type { RecordedDataset, RecordedMetric, RecordedTemplate, RunFile } from './run-file.ts';

export function datasetOf({ datasets }: RunFile, name: string): RecordedDataset | undefined {
  return datasets.find(({ abbr }) => abbr === name);
}

/** The hashes of the files that a dataset was read from. */
export function dataHashes({ data }: RunFile, dataset: string): readonly string[] {
  return data.find((entry) => entry.dataset === dataset)?.files.map(({ sha256 }) => sha256) ?? [];
}

/** The named template that a dataset was asked with, if it has a name. */
export function stampOf({ templates }: RunFile, dataset: string): RecordedTemplate | undefined {
  return templates.find((template) => template.dataset === dataset);
}

/** What the options of a run replaced in its config, as far as requests depend on it. */
export function overridesOf({ settings }: RunFile): ConfigOverrides {
  const { maxOutLen, temperature, compat } = settings;
  return {
    maxOutLen,
    ...(typeof temperature === 'number' && { temperature }),
    ...((compat === 'opencompass' || compat === 'aisbench' || compat === 'none') && { compat }),
  };
}

/** What the record of a run says of how rows are scored. */
export function recordedMetric(dataset: string, scorer: ScorerMetrics): RecordedMetric {
  const { name, direction, range } = rowTraits(scorer);
  const bound = (value: number) => (Number.isFinite(value) ? value : null);
  const { metric: headline } = scorer;
  return { dataset, headline, name, direction, range: [bound(range[0]), bound(range[1])] };
}

/** The scores that rows of a dataset can have; nothing if an older version did not record it. */
export function rangeOf({ metrics }: RunFile, dataset: string): ScoreRange | undefined {
  const found = metrics.find((metric) => metric.dataset === dataset);
  return found && boundsOf(found);
}

export function boundsOf({ range: [lowest, highest] }: Pick<RecordedMetric, 'range'>): ScoreRange {
  return [lowest ?? Number.NEGATIVE_INFINITY, highest ?? Number.POSITIVE_INFINITY];
}
