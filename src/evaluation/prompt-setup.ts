import type { MediaSettings } from '../data/media/read-media.ts';
import type { ConfigPath } from '../errors.ts';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { ModelFormat } from '../prompt/format.ts';
import type { Span } from '../prompt/origin.ts';
import { type Prompt, type TracedPrompt, untrace } from '../prompt/prompt.ts';
import type { PromptList } from '../prompt/prompt-list.ts';
import type { ShotsAs, TemplateConfig } from '../prompt/template.ts';
import type { ShotArrangement } from '../prompt/template-choice.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import type { Retriever, RetrieverSettings } from '../retrieve/retriever.ts';
import type { Thinking } from '../score/split-thought.ts';
import { hasNoSpaces } from '../score/text-matching.ts';
import type { ContextLimit, FittedPrompt, FittedShots } from './fit-context.ts';
import type { CompositeInference, TracedRequestText } from './inference.ts';

/** Everything that shapes the prompts of one model on one dataset. */
export interface PromptSetup {
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
  readonly promptTemplate?: LocatedTemplate | undefined;
  readonly iceTemplate?: LocatedTemplate | undefined;
  /** The form of the examples; as the templates have it by default. */
  readonly shotsAs?: ShotsAs | undefined;
  readonly arrangement?: ShotArrangement | undefined;
  readonly inputColumns: readonly string[];
  readonly outputColumn?: string | undefined;
  readonly retriever: RetrieverSettings & {
    readonly source: ConfigPath;
    readonly iceSeparator?: string | undefined;
    readonly iceEosToken?: string | undefined;
  };
  /** The model's own, for retrievers that choose examples by what the model makes of them. */
  readonly loglikelihoodModel?: LoglikelihoodModel | undefined;
  readonly inferencer: {
    readonly type: string;
    readonly source?: ConfigPath | undefined;
    readonly labels?: readonly unknown[] | undefined;
    readonly genFieldReplaceToken?: string | undefined;
    readonly keepTrailingSpaces?: boolean | undefined;
    readonly normalizingStr?: string | undefined;
    readonly scSize?: number | undefined;
    readonly inferMode?: 'every' | 'every_with_gt' | 'last' | undefined;
    /** The most tokens of each turn's answer; the last one holds for further turns. */
    readonly maxOutLens?: readonly number[] | undefined;
  };
  readonly model: ModelSide;
  /** What compat modes tell every row of its dataset. */
  readonly dataset?: DatasetNames | undefined;
  /** The `type` of the dataset, which may say in which form its rows have dialogues. */
  readonly rowType?: string | undefined;
  /** Where media are looked for, and how they are sent. */
  readonly media?: MediaSettings | undefined;
  /** What chooses the examples in place of the retriever. */
  readonly examplesOf?: Retriever | undefined;
  /** How much the model can take in; examples that do not fit are left out, last ones first. */
  readonly context?: ContextLimit | undefined;
}

export interface DatasetNames {
  readonly abbr: string;
  readonly testSplit: string;
  readonly trainSplit: string;
  /** Whether the config names one list of rows, without splits. */
  readonly isOneList: boolean;
}

export interface LocatedTemplate {
  readonly config: TemplateConfig;
  readonly source: ConfigPath;
}

export interface ModelSide {
  readonly takes: 'text' | 'messages';
  readonly format: ModelFormat;
  /** The meta template as it stands in the config, for compat modes. */
  readonly metaTemplate?: unknown;
  readonly source?: ConfigPath;
  /** How the model marks its thoughts. */
  readonly thinking?: Thinking | undefined;
}

/** Rows to ask about, and the pool that examples come from. */
export interface PromptData {
  readonly test: readonly NamedRow[];
  readonly train: readonly NamedRow[];
  /** Whether published data are one list of rows, without splits. */
  readonly isOneList?: boolean | undefined;
}

/** The prompts of a task, made row by row. */
export interface EvaluationPrompts {
  /** Whether the model is to answer (`gen`) or to tell the loglikelihood of the whole text (`ppl`). */
  readonly mode: 'gen' | 'ppl';
  readonly labels: readonly unknown[] | undefined;
  /** Findings of the templates and the columns as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gets ready for some rows, where the retriever has to: before anything is asked about them. */
  readonly prepare: Retriever['prepare'];
  /** The seed that examples are drawn by, where they are drawn. */
  readonly seed?: Retriever['seed'];
  /** The prompt for a row, with the examples that fit. */
  readonly promptOf: (row: PositionedRow) => FittedPrompt;
  /** The same prompt with the origin of every character. */
  readonly traceOf: (row: PositionedRow, shots: readonly number[]) => TracedRequestText;
  /** The prompts that tell the labels of a row apart. */
  readonly labelPromptsOf: (row: PositionedRow) => LabelPrompts;
  /** What the task says for a label, before any model's format. */
  readonly labelListOf: (row: PositionedRow, label: LabelPrompt) => PromptList;
  /** The examples at some places of the pool. */
  readonly examplesAt: (shots: readonly number[]) => readonly NamedRow[];
  readonly checkRow: (row: PositionedRow) => Diagnostic[];
  /** How a row is asked that is a dialogue of several turns. */
  readonly dialogue?: CompositeInference | undefined;
  /** Examples that give away the answer to a row. */
  readonly leaksOf: (row: PositionedRow, shots: readonly number[]) => Diagnostic[];
  /** What the model has to write before its answer to a row; left out where that is not known. */
  readonly leadOf?: ((row: PositionedRow) => string) | undefined;
  /** Spaces before the hidden answer that prompts leave out: labels put behind a prompt follow them. */
  readonly droppedSpaces?: ((row: PositionedRow, shots: readonly number[]) => string) | undefined;
  /** The prompts of all turns of a dialogue, before any of them is answered. */
  readonly turnsOf?: ((row: PositionedRow) => readonly Prompt[]) | undefined;
  /** What answers begin with, the same in every row; left out where nothing is sent of it. */
  readonly answerPrefix?: string | undefined;
  /** Whether the prompts may show media, so that the model has to see. */
  readonly showsMedia?: boolean | undefined;
}

/** One text for each label, all with the same examples. */
export interface LabelPrompts extends FittedShots {
  readonly labels: readonly LabelPrompt[];
}

export interface LabelPrompt {
  readonly label: unknown;
  /** Which of the labels it is. */
  readonly index: number;
  /** Its own examples: in compat modes a long label has fewer. */
  readonly shots: readonly number[];
  readonly prompt: Prompt;
  readonly traced: TracedPrompt;
  /** Where the label's answer begins in the text. */
  readonly answerStart: number;
}

/** How media are sent unless the config says otherwise. */
export const mediaDefaults: Omit<MediaSettings, 'folder'> = {
  inline: true,
  maxBytes: 20_000_000,
  allowOutside: false,
};

const labelInferencers = new Set(['PPLInferencer', 'LLInferencer']);

export function comparesLabels({
  inferencer,
}: {
  readonly inferencer: Pick<PromptSetup['inferencer'], 'type'>;
}): boolean {
  return labelInferencers.has(inferencer.type);
}

/** As many examples are looked at for the columns that rows have. */
const sampledExamples = 250;

/** The columns of the rows that are known from the start. */
export function columnsOf({ test, train }: Pick<PromptData, 'test' | 'train'>): string[] {
  const columns = new Set<string>();
  for (const rows of [test, train.slice(0, sampledExamples)]) {
    for (const { row } of rows) for (const column of Object.keys(row)) columns.add(column);
  }
  return [...columns];
}

/** The values that the output column takes, in the order in which they first occur. */
export function labelsInData({ test }: PromptData, column: string | undefined): unknown[] {
  const labels = new Map<string, unknown>();
  for (const { row } of column === undefined ? [] : test) {
    const label = row[column as string];
    if (label !== undefined && !labels.has(formatValue(label)))
      labels.set(formatValue(label), label);
  }
  return [...labels.values()];
}

/** A label prompt, and where its answer begins if that is known. */
interface UnplacedLabel extends Pick<LabelPrompt, 'label' | 'traced' | 'shots'> {
  readonly answerStart?: number | undefined;
}

/** Label prompts with the places where their answers begin. */
export function placeAnswers(traced: readonly UnplacedLabel[]): LabelPrompt[] {
  const prompts = traced.map((label) => untrace(label.traced));
  const texts = prompts.map((prompt) => (prompt.type === 'text' ? prompt.text : ''));
  return traced.map((label, index) => ({
    ...label,
    index,
    prompt: prompts[index] ?? { type: 'text', text: '' },
    answerStart: label.answerStart ?? markedStart(label.traced) ?? differingStart(texts),
  }));
}

/**
 * Where the part of a label's text begins that is its answer: at the mark of a `sep_token`, or
 * where the label is filled in. Nothing where neither is there.
 */
function markedStart(prompt: TracedPrompt): number | undefined {
  if (prompt.type !== 'text') return undefined;
  const start = startOf(prompt.spans, isSeparator) ?? startOf(prompt.spans, isLabel);
  return start;
}

function isSeparator({ origin }: Span): boolean {
  return origin.type === 'separator' && origin.name === 'sep_token';
}

function isLabel({ origin }: Span): boolean {
  return origin.type === 'label';
}

function startOf(spans: readonly Span[], matches: (span: Span) => boolean): number | undefined {
  let start = 0;
  for (const span of spans) {
    if (matches(span)) return start;
    start += span.text.length;
  }
  return undefined;
}

/** Where texts begin to differ, moved back to the start of the word. */
function differingStart(texts: readonly string[]): number {
  const [first = '', ...others] = texts;
  let start = 0;
  while (start < first.length && others.every((text) => text[start] === first[start])) start++;
  while (start > 0 && !endsWord(first[start - 1] ?? '')) start--;
  return start;
}

/** Where words are not set apart, each character may be one, and wide punctuation ends it. */
function endsWord(character: string): boolean {
  return /[\s\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]/.test(character) || hasNoSpaces(character);
}
