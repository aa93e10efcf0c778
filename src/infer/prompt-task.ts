import type { ConfigPath } from '../errors.ts';
import {
  type Diagnostic,
  formatValue,
  type ModelFormat,
  type NamedRow,
  type Prompt,
  type PromptList,
  type TemplateConfig,
  type TracedPrompt,
} from '../prompt/index.ts';
import type { Query, RetrieverSettings } from '../retrieve/index.ts';

/** Everything that shapes the prompts of one model on one data set. */
export interface PromptTask {
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
  readonly promptTemplate?: PlacedTemplate | undefined;
  readonly iceTemplate?: PlacedTemplate | undefined;
  readonly inputColumns: readonly string[];
  readonly outputColumn?: string | undefined;
  readonly retriever: RetrieverSettings & {
    readonly source: ConfigPath;
    readonly iceSeparator?: string | undefined;
    readonly iceEosToken?: string | undefined;
  };
  readonly inferencer: {
    readonly type: string;
    readonly labels?: readonly unknown[] | undefined;
    readonly genFieldReplaceToken?: string | undefined;
  };
  readonly model: ModelSide;
  /** How much the model can take in; examples that do not fit are left out, last ones first. */
  readonly context?: ContextLimit | undefined;
}

export interface ContextLimit {
  readonly maxTokens: number;
  readonly countTokens: (prompt: Prompt) => number;
}

export interface PlacedTemplate {
  readonly config: TemplateConfig;
  readonly source: ConfigPath;
}

export interface ModelSide {
  readonly takes: 'text' | 'messages';
  readonly format: ModelFormat;
  /** The meta template as it stands in the config, for compat modes. */
  readonly metaTemplate?: unknown;
  readonly source?: ConfigPath;
}

/** Rows to ask about, and the pool that examples come from. */
export interface TaskData {
  readonly test: readonly NamedRow[];
  readonly train: readonly NamedRow[];
}

/** One prompt of a row; tasks that compare labels have one for each. */
export interface TaskPrompt {
  readonly label?: unknown;
  readonly list: PromptList;
  readonly prompt: TracedPrompt;
}

/** The prompts of a task, made row by row. The viewer and the runner both use this. */
export interface TaskPrompts {
  /** Whether the model is to answer (`gen`) or to weigh the whole text (`ppl`). */
  readonly mode: 'gen' | 'ppl';
  readonly labels: readonly unknown[] | undefined;
  /** What can be said of the templates and the columns as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  readonly shotsOf: (index: number) => readonly NamedRow[];
  /** The prompt for any row, and how many examples had to be left out for it to fit. */
  readonly promptOf: (query: Query) => FittedPrompt;
  /** The prompts of a test row as they are sent, one for each label. */
  readonly fill: (index: number) => Prompt[];
  /** The same with the origin of every character. */
  readonly trace: (index: number) => TaskPrompt[];
  readonly checkRow: (index: number) => Diagnostic[];
}

export interface FittedPrompt {
  readonly prompt: Prompt;
  readonly dropped: number;
}

const labelInferencers = new Set(['PPLInferencer', 'LLInferencer']);

export function comparesLabels(task: PromptTask): boolean {
  return labelInferencers.has(task.inferencer.type);
}

/** The values that the output column takes, in the order in which they first occur. */
export function labelsInData({ test }: TaskData, column: string | undefined): unknown[] {
  const labels = new Map<string, unknown>();
  for (const { row } of column === undefined ? [] : test) {
    const label = row[column as string];
    if (label !== undefined && !labels.has(formatValue(label)))
      labels.set(formatValue(label), label);
  }
  return [...labels.values()];
}

export function rowAt(data: TaskData, index: number): NamedRow {
  const named = data.test[index];
  if (named) return named;
  throw new RangeError(`there is no row ${index}; the data set has ${data.test.length}`);
}

/** Leaves out examples from the end until the prompt fits. */
export function fitPrompt(
  shotIds: readonly number[],
  fill: (shotIds: readonly number[]) => Prompt,
  context: ContextLimit | undefined,
): FittedPrompt {
  let kept = shotIds;
  let prompt = fill(kept);
  while (context && kept.length > 0 && context.countTokens(prompt) > context.maxTokens) {
    kept = kept.slice(0, -1);
    prompt = fill(kept);
  }
  return { prompt, dropped: shotIds.length - kept.length };
}
