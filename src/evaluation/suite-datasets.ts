import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import type { RowStream } from '../data/row-stream.ts';
import type { Model } from '../model/model.ts';
import type { ModelFormat } from '../prompt/format.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { ScorerMetrics } from '../score/scorer.ts';
import type { Evaluation } from './evaluation.ts';

/** Datasets whose prompts and scores follow the rules of another project. */
export interface SuiteDatasets {
  /** The set of rules that texts are put together by. */
  readonly dialect: string;
  /** Whether a model is asked how likely answers are; else it writes them. */
  readonly takesLoglikelihoods: (dataset: DatasetConfig, model: ModelConfig | undefined) => boolean;
  readonly open: (dataset: DatasetConfig, parts: SuiteParts) => Promise<Evaluation>;
  /** How a task is measured, whatever the model. */
  readonly metricsOf: (recorded: RecordedSuiteTask) => ScorerMetrics;
}

/** What a run recorded of a suite's task. */
export interface RecordedSuiteTask {
  /** Its name, where it has a version. */
  readonly task?: string | undefined;
  readonly lmEval?: unknown;
}

export interface SuiteParts {
  /** Relative paths are relative to it. */
  readonly folder: string;
  readonly model: Model;
  readonly modelConfig: ModelConfig | undefined;
  /** How the model writes dialogues. */
  readonly readFormat: () => Promise<ModelFormat>;
  /** The rows that are asked about, of all. */
  readonly select: (rows: RowStream<PositionedRow>) => RowStream<PositionedRow>;
}

type LoadDatasets = () => Promise<SuiteDatasets>;

const loaders = new Map<string, LoadDatasets>();

/** Makes datasets of a `type` known: suites stand above this room. */
export function addSuiteDatasets(type: string, load: LoadDatasets): void {
  loaders.set(type, load);
}

/** What opens datasets of a type; nothing for those that configs describe. */
export async function suiteDatasetsOf(
  type: string | undefined,
): Promise<SuiteDatasets | undefined> {
  return type === undefined ? undefined : loaders.get(type)?.();
}
