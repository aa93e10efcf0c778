import { type MeanLoss, meanLossOf } from '../compat/scoring/mean-loss.ts';
import { ConfigError, type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { Loglikelihood, LoglikelihoodText } from '../model/loglikelihood.ts';
import { joinSpans, type Origin, type Span, spansFrom } from '../prompt/origin.ts';
import type { Prompt, TracedPrompt } from '../prompt/prompt.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { formatValue } from '../prompt/values.ts';
import { measureText } from '../score/perplexity-scorer.ts';
import type { FittedPrompt } from './fit-context.ts';
import type {
  AskedRow,
  Choice,
  LabelRequest,
  MeasuredLabel,
  SingleInference,
} from './inference.ts';
import type { EvaluationPrompts, LabelPrompt, LabelPrompts, PromptSetup } from './prompt-setup.ts';

/** Compares the whole text of each label; the one with the lowest perplexity wins. */
export function pplInference(task: PromptSetup, prompts: EvaluationPrompts): SingleInference {
  const { normalizingStr } = task.inferencer;
  const loss = meanLossOf(task.compat);
  const askLabels = ({ labels, shots, dropped, tooLong }: LabelPrompts): AskedRow => {
    if (normalizingStr !== undefined) {
      const pairs = labels.flatMap((entry) => contrast(task, entry, normalizingStr));
      return {
        shots,
        dropped,
        tooLong,
        request: labelRequest(labels, pairs, chooseContrast(labels, loss)),
      };
    }
    const texts = labels.map(({ prompt }) => ({ text: textOf(task, prompt), from: 0 }));
    const choose = (loglikelihoods: readonly Loglikelihood[]) =>
      chooseBy(
        labels,
        loglikelihoods.map((measured) => lossOf(measured, loss.ofText)),
        'least',
      );
    return { shots, dropped, tooLong, request: labelRequest(labels, texts, choose) };
  };
  return labelInference(prompts, {
    ask: (_row, found) => askLabels(found),
    traceLabel: ({ traced, answerStart }) => {
      if (normalizingStr === undefined || traced.type !== 'text') return [traced];
      const at = { path: [...(task.inferencer.source ?? []), 'normalizing_str'], start: 0 };
      const neutral: Span = { text: normalizingStr, origin: { type: 'literal', at } };
      return [traced, { type: 'text', spans: [neutral, ...spansFrom(traced.spans, answerStart)] }];
    },
  });
}

function labelRequest(
  labels: readonly { readonly label: unknown }[],
  texts: LabelRequest['texts'],
  choose: LabelRequest['choose'],
): LabelRequest {
  return { type: 'loglikelihood', texts, labels: labels.map(({ label }) => label), choose };
}

interface LabelSteps {
  readonly ask: (row: PositionedRow, found: LabelPrompts) => AskedRow;
  /** The texts of one label, in the order of the request. */
  readonly traceLabel: (label: LabelPrompt, row: PositionedRow) => readonly TracedPrompt[];
}

/** Asks about the labels of a row by prompts that tell them apart. */
function labelInference(
  prompts: EvaluationPrompts,
  { ask, traceLabel }: LabelSteps,
): SingleInference {
  return {
    type: 'single',
    ask: (row) => ask(row, prompts.labelPromptsOf(row)),
    trace(row) {
      const found = prompts.labelPromptsOf(row);
      const { shots } = found;
      return {
        ...ask(row, found),
        examples: prompts.examplesAt(shots),
        texts: found.labels.flatMap((label) => {
          const list = prompts.labelListOf(row, label);
          return traceLabel(label, row).map((prompt) => ({ label: label.label, list, prompt }));
        }),
      };
    },
  };
}

/** The answer after its own context, and after a text that says nothing of it. */
function contrast(
  task: PromptSetup,
  { prompt, answerStart }: LabelPrompt,
  norm: string,
): LoglikelihoodText[] {
  const text = textOf(task, prompt);
  return [
    { text, from: answerStart },
    { text: norm + text.slice(answerStart), from: norm.length },
  ];
}

function chooseContrast(labels: readonly LabelPrompt[], { ofPart }: MeanLoss) {
  return (loglikelihoods: readonly Loglikelihood[]): Choice => {
    const values = labels.map((_, index) => {
      const [own, neutral] = [loglikelihoods[2 * index], loglikelihoods[2 * index + 1]];
      if (!own || !neutral) return Number.NaN;
      return lossOf(own, ofPart) - lossOf(neutral, ofPart);
    });
    const choice = chooseBy(labels, values, 'least');
    return { ...choice, labels: choice.labels.flatMap((label) => [label, { value: label.value }]) };
  };
}

/** Compares each label's answer after what stands before it; the likeliest wins. */
export function llInference(task: PromptSetup, prompts: EvaluationPrompts): SingleInference {
  return labelInference(prompts, {
    ask({ row }, { labels, shots, dropped, tooLong }) {
      const continuation = row.cont;
      const texts = labels.map(({ prompt, answerStart }) => {
        const text = textOf(task, prompt);
        if (continuation === undefined) return { text, from: answerStart };
        return continued(text, formatValue(continuation));
      });
      const choose = (loglikelihoods: readonly Loglikelihood[]) =>
        chooseBy(labels, loglikelihoods.map(logprobOf), 'greatest');
      return { shots, dropped, tooLong, request: labelRequest(labels, texts, choose) };
    },
    traceLabel({ traced }, { id, row }) {
      if (row.cont === undefined || traced.type !== 'text') return [traced];
      if (joinSpans(traced.spans).endsWith(formatValue(row.cont))) return [traced];
      const at = { path: task.inferencer.source ?? [], start: 0 };
      const origin = { type: 'field', field: 'cont', row: id, at } as const;
      const continuation: Span = { text: formatValue(row.cont), origin };
      return [{ type: 'text', spans: [...traced.spans, continuation] }];
    },
  });
}

/** A text with its continuation, which it may end with already. */
function continued(text: string, continuation: string): LoglikelihoodText {
  return text.endsWith(continuation)
    ? { text, from: text.length - continuation.length }
    : { text: text + continuation, from: text.length };
}

/**
 * Compares what may come next after a prompt; values are probabilities among the choices. Spaces
 * that the template has before the hidden answer belong to a choice that has none of its own.
 */
export function clpInference(task: PromptSetup, prompts: EvaluationPrompts): SingleInference {
  const spacesFor = (row: PositionedRow, shots: readonly number[]) => {
    const dropped = prompts.droppedSpaces?.(row, shots) ?? '';
    return (choice: string) => (/^\s/.test(choice) ? '' : dropped);
  };
  const ask = (row: PositionedRow, fitted: FittedPrompt): AskedRow => {
    const { prompt, shots, dropped, tooLong } = fitted;
    const context = textOf(task, prompt);
    const spacesBefore = spacesFor(row, shots);
    const labels = choicesOf(task, row).map((label) => ({ label }));
    const texts = labels.map(({ label }) => {
      const choice = formatValue(label);
      return { text: context + spacesBefore(choice) + choice, from: context.length };
    });
    const choose = (loglikelihoods: readonly Loglikelihood[]) =>
      chooseBy(labels, softmax(loglikelihoods.map(logprobOf)), 'greatest');
    return { shots, dropped, tooLong, request: labelRequest(labels, texts, choose) };
  };
  return {
    type: 'single',
    ask: (row) => ask(row, prompts.promptOf(row)),
    trace(row) {
      const fitted = prompts.promptOf(row);
      const context = prompts.traceOf(row, fitted.shots);
      const spans = context.prompt.type === 'text' ? context.prompt.spans : [];
      const spacesBefore = spacesFor(row, fitted.shots);
      const { labels, source = [] } = task.inferencer;
      return {
        ...ask(row, fitted),
        examples: prompts.examplesAt(fitted.shots),
        texts: choicesOf(task, row).map((label, index) => {
          const origin: Origin = labels
            ? {
                type: 'label',
                field: 'labels',
                at: { path: [...source, 'labels', index], start: 0 },
              }
            : { type: 'field', field: 'choices', row: row.id, at: { path: source, start: 0 } };
          const text = formatValue(label);
          const before = spans.map((span) => withSpaces(span, spacesBefore(text)));
          const traced = { type: 'text' as const, spans: [...before, { text, origin }] };
          return { label, list: context.list, prompt: traced };
        }),
      };
    },
  };
}

/** The place of the hidden answer with the spaces that stand there. */
function withSpaces(span: Span, text: string): Span {
  if (text === '' || span.origin.type !== 'mask' || !span.origin.dropped) return span;
  const { dropped, ...origin } = span.origin;
  return { ...span, text: span.text + text, origin };
}

function choicesOf(task: PromptSetup, { id, row }: PositionedRow): readonly unknown[] {
  const choices = task.inferencer.labels ?? row.choices;
  if (Array.isArray(choices) && choices.length > 0) return choices;
  throw new DataError('data.choices_missing', `row ${id} has no list of choices`, {
    hint: 'Add a column `choices` with a list, or set `labels` on the inferencer.',
  });
}

/** Measures how surprising a text is. */
export function pplOnlyInference(task: PromptSetup, prompts: EvaluationPrompts): SingleInference {
  const loss = meanLossOf(task.compat);
  const ask = ({ prompt, shots, dropped, tooLong }: FittedPrompt): AskedRow => {
    const text = textOf(task, prompt);
    const choose = ([measured]: readonly Loglikelihood[]): Choice => {
      if (!measured) return { labels: [] };
      const counted = text.slice(measured.skipped ?? 0);
      const nll = loss.ofText(measured);
      const measures = measureText({ ...measured, nll, text: counted });
      return { labels: [{ value: measures.nll }], measures };
    };
    return {
      shots,
      dropped,
      tooLong,
      request: { type: 'loglikelihood', texts: [{ text, from: 0 }], choose },
    };
  };
  return {
    type: 'single',
    ask: (row) => ask(prompts.promptOf(row)),
    trace(row) {
      const fitted = prompts.promptOf(row);
      return {
        ...ask(fitted),
        examples: prompts.examplesAt(fitted.shots),
        texts: [prompts.traceOf(row, fitted.shots)],
      };
    },
  };
}

// A part without a token has nothing to be compared by: it is neither certain nor impossible.

function lossOf(measured: Loglikelihood, loss: (measured: Loglikelihood) => number): number {
  const value = loss(measured);
  return measured.tokens === 0 && value === Number.POSITIVE_INFINITY ? Number.NaN : value;
}

function logprobOf({ logprob, tokens }: Loglikelihood): number {
  return tokens === 0 ? Number.NaN : logprob;
}

/**
 * The first label with the best value. Nothing is chosen where every label is impossible, or where
 * one was not measured.
 */
function chooseBy(
  labels: readonly { readonly label: unknown }[],
  values: readonly number[],
  wanted: 'least' | 'greatest',
): Choice {
  const measured = labels.map(({ label }, index) => {
    const value = values[index] ?? Number.NaN;
    return { label, value, ...(wanted === 'least' && { log: -value }) };
  });
  let best: (typeof measured)[number] | undefined;
  for (const entry of measured) {
    if (!Number.isFinite(entry.value)) continue;
    const isBetter =
      !best || (wanted === 'least' ? entry.value < best.value : entry.value > best.value);
    if (isBetter) best = entry;
  }
  if (!best || values.some(Number.isNaN)) return { labels: measured };
  return { label: best.label, labels: measured, ...tiesAt(best.value, measured) };
}

/** The labels that have the value of the one that was taken, if it is not the only one. */
export function tiesAt(value: number, labels: readonly MeasuredLabel[]): Pick<Choice, 'ties'> {
  const ties = labels.filter((label) => label.value === value).map(({ label }) => label);
  return ties.length > 1 ? { ties } : {};
}

function softmax(logprobs: readonly number[]): number[] {
  const highest = Math.max(...logprobs);
  if (highest === Number.NEGATIVE_INFINITY) return logprobs.map(() => Number.NaN);
  const chances = logprobs.map((logprob) => Math.exp(logprob - highest));
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return chances.map((chance) => chance / sum);
}

/** The text of a prompt whose loglikelihood is asked for. */
export function textOf(
  { inferencer, model }: Pick<PromptSetup, 'inferencer' | 'model'>,
  prompt: Prompt,
): string {
  if (prompt.type === 'text' && !prompt.pieces) return prompt.text;
  const path: ConfigPath = model.source ?? [];
  const kind = prompt.type === 'text' ? 'text with token ids' : 'chat messages';
  throw new ConfigError(
    'model.needs_text',
    `${formatPath(path)} takes ${kind}, but ${inferencer.type} computes the loglikelihood of plain text`,
    {
      path,
      hint: 'Use a text model: `type: OpenAICompletions` or `type: Local`, with a `meta_template` or `chat_template` for dialogues.',
    },
  );
}
