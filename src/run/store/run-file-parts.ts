import type { ModelConfig, Price } from '../../config/config.ts';
import type { ConfigOverrides } from '../../config/override-config.ts';
import { rowTraits } from '../../score/row-score.ts';
import type { ScorerMetrics } from '../../score/scorer.ts';
import type { Thinking } from '../../score/split-thought.ts';
import { priceOf as configuredPrice } from '../cost.ts';
import type { ScoreRange } from './record-fault.ts';
import type {
  RecordedData,
  RecordedDataset,
  RecordedMetric,
  RecordedTemplate,
  RunFile,
} from './run-file.ts';

/** How a model marks its thoughts, by its config. */
export function thinkingOf({ models }: RunFile, name: string): Thinking | undefined {
  const { thinking } = models.find((model) => model.name === name)?.config ?? {};
  if (typeof thinking !== 'object' || thinking === null) return undefined;
  const { begin, end, opened, keep } = thinking as Readonly<Record<string, unknown>>;
  return {
    ...(typeof begin === 'string' && typeof end === 'string' && { begin, end }),
    opened: opened === true,
    keep: keep === true,
  };
}

/** What the tokens of a model cost, by its config. */
export function priceOf({ models }: RunFile, name: string): Price {
  const { config = {} } = models.find((model) => model.name === name) ?? {};
  return configuredPrice(config as Partial<ModelConfig> as ModelConfig);
}

export function datasetOf({ datasets }: RunFile, name: string): RecordedDataset | undefined {
  return datasets.find(({ abbr }) => abbr === name);
}

/** The columns that prompts of a dataset are made of. */
export function inputColumnsOf(file: RunFile, name: string): string[] {
  const reader = (datasetOf(file, name)?.readerCfg ?? {}) as { readonly inputColumns?: unknown };
  return [reader.inputColumns ?? []].flat().map(String);
}

/** The `type` of a dataset that a suite opens; runs of `lm-eval` did not always record it. */
export function suiteTypeOf(file: RunFile, dataset: string): string | undefined {
  if (file.command === 'lm-eval') return 'JapaneseFinancial';
  const type = datasetOf(file, dataset)?.type;
  return typeof type === 'string' ? type : undefined;
}

/** What a dataset was read from. */
export function dataOf({ data }: RunFile, dataset: string): RecordedData | undefined {
  return data.find((entry) => entry.dataset === dataset);
}

/** The hashes of the files that a dataset was read from, and of documents that a suite read. */
export function dataHashes(file: RunFile, dataset: string): readonly string[] {
  const { files = [], hash } = dataOf(file, dataset) ?? {};
  return [...files.map(({ sha256 }) => sha256), ...(hash === undefined ? [] : [hash])];
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

/** By what answers are compared: the evaluator, and what is done to answers before. */
export interface Rule {
  readonly evaluator: string;
  readonly postprocessors: string[];
  /** What labels are compared by, and which value wins. */
  readonly labels?: string;
}

/** The rule of a task, as the file of a run describes it. */
export function ruleOf(file: RunFile, { model, dataset }: TaskName): Rule {
  const { evalCfg } = (datasetOf(file, dataset) ?? {}) as {
    readonly evalCfg?: {
      readonly evaluator?: { readonly type?: string };
      readonly predPostprocessor?: unknown;
    };
  };
  const postprocessors = [evalCfg?.predPostprocessor ?? []].flat() as { readonly type?: string }[];
  return {
    evaluator: evalCfg?.evaluator?.type ?? 'exact',
    postprocessors: postprocessors.map(({ type }) => String(type)),
    ...labelRule(file, { model, dataset }),
  };
}

interface TaskName {
  readonly model: string;
  readonly dataset: string;
}

function labelRule(file: RunFile, { model, dataset }: TaskName): Pick<Rule, 'labels'> {
  const { type: suite, inferCfg }: Partial<RecordedDataset> = datasetOf(file, dataset) ?? {};
  const { type, normalizingStr } = (inferCfg as RecordedInference | undefined)?.inferencer ?? {};
  // Tasks of other harnesses have rules of their own.
  if (type === undefined || suite !== undefined) return {};
  const { compat } = file.models.find(({ name }) => name === model) ?? {};
  const divided = compat === 'opencompass' ? ', divided as OpenCompass does' : '';
  const labels = labelRules[type]?.(divided, normalizingStr);
  return labels === undefined ? {} : { labels };
}

interface RecordedInference {
  readonly inferencer?: { readonly type?: string; readonly normalizingStr?: string };
}

const mean = 'mean negative loglikelihood of a token';
type LabelRule = (divided: string, normalizingStr: string | undefined) => string;
const labelRules: Readonly<Record<string, LabelRule>> = {
  PPLInferencer: (divided, normalizingStr) =>
    normalizingStr === undefined
      ? `${mean} of the whole text${divided}; the lowest wins`
      : `${mean} of the answer after its prompt, less that after ${JSON.stringify(normalizingStr)}${divided}; the lowest wins`,
  LLInferencer: () => 'loglikelihood of the answer after what stands before it; the highest wins',
  CLPInferencer: () => 'probability among the choices; the highest wins',
  PPLOnlyInferencer: (divided) => `${mean}${divided}; nothing is chosen`,
};
