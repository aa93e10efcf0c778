import { ConfigError, type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { TextWeight, WeighedText } from '../model/weigh.ts';
import { formatValue, type Prompt } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';
import type { Choice, SingleInference } from './inference.ts';
import type { LabelPrompt, PromptTask, TaskPrompts } from './prompt-task.ts';

/** Mean negative log-likelihood of a token: what the field's harnesses compare as perplexity. */
export function meanNll({ logprob, tokens }: TextWeight): number {
  return tokens === 0 ? Number.POSITIVE_INFINITY : -logprob / tokens;
}

/** Weighs the whole text of each label; the least surprising one wins. */
export function pplInference(task: PromptTask, prompts: TaskPrompts): SingleInference {
  const { normalizingStr } = task.inferencer;
  return {
    type: 'single',
    ask(query) {
      const { labels, dropped } = prompts.labelPromptsOf(query);
      if (normalizingStr !== undefined) {
        const pairs = labels.flatMap((entry) => contrast(task, entry, normalizingStr));
        return {
          dropped,
          request: { type: 'weigh', texts: pairs, choose: chooseContrast(labels) },
        };
      }
      const texts = labels.map(({ prompt }) => ({ text: textOf(task, prompt), from: 0 }));
      const choose = (weights: readonly TextWeight[]) =>
        chooseBy(labels, weights.map(meanNll), 'least');
      return { dropped, request: { type: 'weigh', texts, choose } };
    },
  };
}

/** The answer after its own context, and after a text that says nothing of it. */
function contrast(
  task: PromptTask,
  { prompt, answerStart }: LabelPrompt,
  norm: string,
): WeighedText[] {
  const text = textOf(task, prompt);
  return [
    { text, from: answerStart },
    { text: norm + text.slice(answerStart), from: norm.length },
  ];
}

function chooseContrast(labels: readonly LabelPrompt[]) {
  return (weights: readonly TextWeight[]): Choice => {
    const values = labels.map((_, index) => {
      const [own, neutral] = [weights[2 * index], weights[2 * index + 1]];
      return own && neutral ? meanNll(own) - meanNll(neutral) : Number.NaN;
    });
    const choice = chooseBy(labels, values, 'least');
    return { ...choice, labels: choice.labels.flatMap((label) => [label, { value: label.value }]) };
  };
}

/** Weighs each label's answer after what stands before it; the likeliest wins. */
export function llInference(task: PromptTask, prompts: TaskPrompts): SingleInference {
  return {
    type: 'single',
    ask(query) {
      const { labels, dropped } = prompts.labelPromptsOf(query);
      const continuation = query.row.cont;
      const texts = labels.map(({ prompt, answerStart }) => {
        const text = textOf(task, prompt);
        return continuation === undefined
          ? { text, from: answerStart }
          : { text: text + formatValue(continuation), from: text.length };
      });
      const choose = (weights: readonly TextWeight[]) =>
        chooseBy(
          labels,
          weights.map(({ logprob }) => logprob),
          'greatest',
        );
      return { dropped, request: { type: 'weigh', texts, choose } };
    },
  };
}

/** Weighs what may come next after a prompt; values are probabilities among the choices. */
export function clpInference(task: PromptTask, prompts: TaskPrompts): SingleInference {
  return {
    type: 'single',
    ask(query) {
      const { prompt, dropped } = prompts.promptOf(query);
      const context = textOf(task, prompt);
      const labels = choicesOf(task, query).map((label) => ({ label }));
      const texts = labels.map(({ label }) => ({
        text: context + formatValue(label),
        from: context.length,
      }));
      const choose = (weights: readonly TextWeight[]) =>
        chooseBy(labels, softmax(weights.map(({ logprob }) => logprob)), 'greatest');
      return { dropped, request: { type: 'weigh', texts, choose } };
    },
  };
}

function choicesOf(task: PromptTask, { id, row }: Query): readonly unknown[] {
  const choices = task.inferencer.labels ?? row.choices;
  if (Array.isArray(choices) && choices.length > 0) return choices;
  throw new DataError('data.choices_missing', `row ${id} has no list of choices`, {
    hint: 'Give rows a column `choices` with a list, or the inferencer `labels`.',
  });
}

/** Measures how surprising a text is. */
export function pplOnlyInference(task: PromptTask, prompts: TaskPrompts): SingleInference {
  return {
    type: 'single',
    ask(query) {
      const { prompt, dropped } = prompts.promptOf(query);
      const text = textOf(task, prompt);
      const bytes = Buffer.byteLength(text);
      const choose = ([weight]: readonly TextWeight[]): Choice => {
        const value = weight ? meanNll(weight) : Number.NaN;
        const bits = weight ? -weight.logprob / Math.LN2 : Number.NaN;
        return {
          labels: [{ value }],
          metrics: { nll: value, ppl: Math.exp(value), bits_per_byte: bits / bytes },
        };
      };
      return { dropped, request: { type: 'weigh', texts: [{ text, from: 0 }], choose } };
    },
  };
}

/** The first label with the best value. Nothing is chosen where every label is impossible. */
function chooseBy(
  labels: readonly { readonly label: unknown }[],
  values: readonly number[],
  wanted: 'least' | 'greatest',
): Choice {
  const weighed = labels.map(({ label }, index) => {
    const value = values[index] ?? Number.NaN;
    return { label, value, ...(wanted === 'least' && { log: -value }) };
  });
  let best: (typeof weighed)[number] | undefined;
  for (const entry of weighed) {
    if (!Number.isFinite(entry.value)) continue;
    const isBetter =
      !best || (wanted === 'least' ? entry.value < best.value : entry.value > best.value);
    if (isBetter) best = entry;
  }
  return best ? { label: best.label, labels: weighed } : { labels: weighed };
}

function softmax(logprobs: readonly number[]): number[] {
  const highest = Math.max(...logprobs);
  if (highest === Number.NEGATIVE_INFINITY) return logprobs.map(() => Number.NaN);
  const weights = logprobs.map((logprob) => Math.exp(logprob - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The text of a prompt that is weighed. */
export function textOf(
  { inferencer, model }: Pick<PromptTask, 'inferencer' | 'model'>,
  prompt: Prompt,
): string {
  if (prompt.type === 'text' && !prompt.pieces) return prompt.text;
  const path: ConfigPath = model.source ?? [];
  const kind = prompt.type === 'text' ? 'text with token ids' : 'chat messages';
  throw new ConfigError(
    'model.needs_text',
    `${formatPath(path)} takes ${kind}, but ${inferencer.type} weighs plain text`,
    {
      path,
      hint: 'Use a text model: `type: OpenAICompletions` or `type: Local`, with a `meta_template` or `chat_template` for dialogues.',
    },
  );
}
