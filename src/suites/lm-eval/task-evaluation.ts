import { contentHash } from '../../base/content-hash.ts';
import type { DatasetConfig, ModelConfig } from '../../config/config.ts';
import { heldRows, positionRows, type RowStream } from '../../data/row-stream.ts';
import { createEvaluation } from '../../evaluation/create-evaluation.ts';
import { type TokenLimit, uncountedLength, unitsToCut } from '../../evaluation/cut-context.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type {
  AskedRow,
  Inference,
  LabelRequest,
  RepeatRequest,
  RowRequest,
  SingleInference,
  Traced,
  TracedRequestText,
} from '../../evaluation/inference.ts';
import { tiesAt } from '../../evaluation/loglikelihood-inference.ts';
import { paceOf } from '../../evaluation/open-model.ts';
import type { Loglikelihood } from '../../model/loglikelihood.ts';
import type { Model } from '../../model/model.ts';
import { type Origin, type Span, spansFrom } from '../../prompt/origin.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { NamedRow, PositionedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import { trailingSpace } from '../../python/text.ts';
import { leakDiagnostics } from '../../retrieve/leak.ts';
import { measureText } from '../../score/perplexity-scorer.ts';
import { addHarnessResults } from '../harness-results.ts';
import type { OpenedTask } from './open-task.ts';
import { printed } from './prompts/document-texts.ts';
import { type RenderSettings, renderPrompts, tracePrompts } from './prompts/render-prompt.ts';
import { largest } from './scoring/process-results.ts';
import { measuredCounts } from './scoring/task-scorer.ts';

export interface EvaluationParts {
  readonly dataset: DatasetConfig;
  readonly model: Model;
  readonly modelConfig: ModelConfig | undefined;
  readonly settings: RenderSettings;
  readonly limit: TokenLimit | undefined;
  readonly select: (rows: RowStream<PositionedRow>) => RowStream<PositionedRow>;
}

/** What a row of a task is asked: contexts, and what may follow them. */
export interface RowPrompt {
  readonly contexts: readonly Prompt[];
  /** Left out where the model writes. */
  readonly continuations: readonly string[];
  /** Of those, how many stand after nothing, at the end. */
  readonly unconditional: number;
  readonly choices: readonly string[] | undefined;
  readonly shots: readonly number[];
}

/** A task on a model, and what its results are made of. */
export interface TaskEvaluation {
  readonly evaluation: Evaluation;
  readonly opened: OpenedTask;
  readonly promptOf: (row: PositionedRow) => RowPrompt;
  /** Numbers of the rows whose contexts were cut to fit. */
  readonly cut: ReadonlySet<number>;
}

const known = new WeakMap<Evaluation, TaskEvaluation>();

/** What an evaluation of these tasks is made of. */
export function taskOf(evaluation: Evaluation): TaskEvaluation | undefined {
  return known.get(evaluation);
}

export function taskEvaluation(opened: OpenedTask, parts: EvaluationParts): TaskEvaluation {
  const { dataset, model, modelConfig, select } = parts;
  const { task, data, scorer, generationKwargs } = opened;
  const asker = new RowAsker(opened, parts);
  const examplesAt = (shots: readonly number[]) => shots.flatMap((index) => data.pool[index] ?? []);
  const { maxOutLen, stop, settings } = wireSettings(generationKwargs);
  const isWritten = task.outputType === 'generate_until';
  const held = positionRows(heldRows(data.rows));
  const evaluation = createEvaluation({
    model,
    modelName: modelConfig?.abbr ?? model.name,
    modelConfig,
    task: {
      name: dataset.abbr,
      inferencer: dataset.inferCfg.inferencer.type,
      mode: isWritten ? 'gen' : 'ppl',
      clusterBy: dataset.readerCfg.clusterBy,
      dataset,
    },
    rows: select({ ...held, describe: data.describe }),
    inference: inferenceOf(asker, opened),
    examplesAt,
    leaksOf: (row, shots) =>
      leakDiagnostics(row, examplesAt(shots), { columns: data.columns, path: dataset.source }),
    shape: {
      ...(opened.numFewshot > 0 && { pool: data.pool }),
      ...(opened.numFewshot > 0 && task.fewshot.sampler === 'default' && { seed: opened.seed }),
    },
    ...(isWritten && { maxOutLenOf: () => maxOutLen, stop, settings }),
    diagnostics: modelConfig ? uncountedLength(model, modelConfig) : [],
    scorer,
    scorerIdentity: contentHash([
      'lm-eval',
      task.outputType,
      [task.metrics, task.filters, task.processResults ?? null],
      [task.docToTarget, task.docToChoice ?? null, printed(task.docToText)],
      modelConfig?.thinking ?? null,
    ]),
    isUnversioned: false,
    pace: paceOf(modelConfig),
  });
  const result = { evaluation, opened, promptOf: asker.promptOf, cut: asker.cut };
  known.set(evaluation, result);
  addHarnessResults(evaluation, async (options) => {
    const { taskResults } = await import('./command/task-results.ts');
    return taskResults(result, options);
  });
  return result;
}

/** What names of the original mean on the wire. */
export function wireSettings(kwargs: Readonly<Record<string, unknown>>) {
  const { until, max_gen_toks, max_new_tokens, max_tokens, max_length, do_sample, ...rest } =
    kwargs;
  const longest = [max_gen_toks, max_new_tokens, max_tokens].find(
    (limit) => typeof limit === 'number',
  );
  const stop = [until ?? []].flat().map(String);
  return {
    maxOutLen: typeof longest === 'number' ? longest : 256,
    stop: stop.length > 0 ? stop.filter((text) => text !== '') : undefined,
    settings: { temperature: 0, ...rest },
  };
}

/** Makes requests of rows. */
class RowAsker {
  readonly #opened: OpenedTask;
  readonly #parts: EvaluationParts;
  readonly cut = new Set<number>();

  constructor(opened: OpenedTask, parts: EvaluationParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  readonly promptOf = ({ row, position }: PositionedRow): RowPrompt => {
    const { shotsOf, data, builder } = this.#opened;
    const shots = shotsOf(row, position);
    const built = builder.build(
      row,
      shots.map((index) => data.pool[index]?.row ?? {}),
    );
    const contexts = renderPrompts(built, this.#parts.settings);
    return { contexts, shots, choices: built.choices, ...this.#continuations(row, built.choices) };
  };

  #continuations(row: Row, choices: readonly string[] = []) {
    const { task, hasSeveralInputs, targetOf } = this.#opened;
    switch (task.outputType) {
      case 'generate_until':
        return { continuations: [], unconditional: 0 };
      case 'loglikelihood':
      case 'loglikelihood_rolling':
        return { continuations: [printed(targetOf(row))], unconditional: 0 };
      case 'multiple_choice': {
        const before = this.#targetDelimiter();
        const target = hasSeveralInputs ? before + printed(targetOf(row)) : undefined;
        const alone = task.metrics.some(({ metric }) => metric === 'acc_mutual_info')
          ? choices.map((choice) => before + choice)
          : [];
        const own = choices.map((choice) => target ?? before + choice);
        return { continuations: [...own, ...alone], unconditional: alone.length };
      }
    }
  }

  /** In a chat format answers begin without it, unless something stands before them. */
  #targetDelimiter(): string {
    const { targetDelimiter, genPrefix = '' } = this.#opened.task;
    if (!this.#parts.settings.chat) return targetDelimiter;
    return genPrefix !== '' && trailingSpace(genPrefix) === genPrefix.length ? targetDelimiter : '';
  }

  ask(row: PositionedRow): AskedRow {
    const prompt = this.promptOf(row);
    const { request } = this.#request(row, prompt);
    const [leak] = this.#leaks(row, prompt);
    return { request, shots: prompt.shots, dropped: 0, ...(leak && { leak: leak.code }) };
  }

  #leaks(row: PositionedRow, { shots }: RowPrompt) {
    const { data } = this.#opened;
    const examples = shots.flatMap((index) => data.pool[index] ?? []);
    const path = this.#parts.dataset.source;
    return leakDiagnostics(row, examples, { columns: data.columns, path });
  }

  #request(row: PositionedRow, prompt: RowPrompt) {
    const { task } = this.#opened;
    const [first] = prompt.contexts;
    if (task.outputType === 'loglikelihood_rolling') {
      const [text = ''] = prompt.continuations;
      return { request: measuring(text), units: [0] };
    }
    if (task.outputType === 'generate_until') {
      const units = this.#unitsCut(row, first, []);
      const request: RowRequest = { type: 'generate', prompt: cutPrompt(first as Prompt, units) };
      return { request, units: [units] };
    }
    const units = prompt.contexts.map((context, index) =>
      this.#unitsCut(row, context, continuationsOf(prompt, index)),
    );
    const texts = textsOf(prompt, units);
    const request =
      task.outputType === 'loglikelihood' ? targeting(texts) : choosing(texts, prompt);
    return { request, units };
  }

  #unitsCut(
    { id }: PositionedRow,
    context: Prompt | undefined,
    continuations: readonly string[],
  ): number {
    const { limit } = this.#parts;
    if (!limit || context?.type !== 'text') return 0;
    const isWritten = this.#opened.task.outputType === 'generate_until';
    const { maxOutLen } = wireSettings(this.#opened.generationKwargs);
    const maxTokens = limit.maxTokens - (isWritten ? maxOutLen : 0);
    // Nothing fits: the model says so.
    if (maxTokens <= 1) return 0;
    const units = unitsToCut(context.text, isWritten ? [''] : continuations, {
      ...limit,
      maxTokens,
    });
    if (units > 0) this.cut.add(Number(id));
    return units;
  }

  trace(row: PositionedRow): Traced<AskedRow> {
    const { task, data, builder } = this.#opened;
    const prompt = this.promptOf(row);
    const examples = prompt.shots.flatMap((index): NamedRow | never[] => data.pool[index] ?? []);
    const { request, units } = this.#request(row, prompt);
    const built = builder.build(
      row.row,
      examples.map((example) => example.row),
      'traced',
    );
    const rows = { row: row.id, shots: examples.map(({ id }) => id) };
    const contexts = tracePrompts(built, rows, this.#parts.settings).map((traced, index) =>
      traced.prompt.type === 'text'
        ? {
            ...traced,
            prompt: { ...traced.prompt, spans: spansFrom(traced.prompt.spans, units[index] ?? 0) },
          }
        : traced,
    );
    const texts =
      task.outputType === 'generate_until' ? contexts : this.#traceTexts(prompt, contexts);
    return { ...this.ask(row), request, texts, examples };
  }

  #traceTexts(
    prompt: RowPrompt,
    contexts: readonly TracedRequestText[],
  ): readonly TracedRequestText[] {
    const { continuations, unconditional, choices } = prompt;
    const { task } = this.#opened;
    const path = [...this.#parts.dataset.source, 'lm_eval', 'config'];
    const key = task.outputType === 'multiple_choice' ? 'doc_to_choice' : 'doc_to_target';
    const origin: Origin = { type: 'label', field: key, at: { path: [...path, key], start: 0 } };
    const own = continuations.length - unconditional;
    return continuations.map((text, index): TracedRequestText => {
      const span: Span = { text, origin };
      const isAlone = index >= own || task.outputType === 'loglikelihood_rolling';
      const context = isAlone ? undefined : (contexts[index] ?? contexts[0]);
      const before = context?.prompt.type === 'text' ? context.prompt.spans : [];
      const spans = [...before, span];
      return {
        ...(choices && index < own && { label: choices[index] }),
        list: context?.list ?? { type: 'text', spans },
        prompt: { type: 'text', spans },
      };
    });
  }
}

function cutPrompt(prompt: Prompt, units: number): Prompt {
  return prompt.type === 'text' && units > 0
    ? { ...prompt, text: prompt.text.slice(units) }
    : prompt;
}

function contextText(prompt: Prompt | undefined): string {
  if (prompt?.type === 'text') return prompt.text;
  throw new TypeError('loglikelihoods are taken of texts');
}

function continuationsOf(
  { contexts, continuations, unconditional }: RowPrompt,
  index: number,
): readonly string[] {
  const own = continuations.slice(0, continuations.length - unconditional);
  return contexts.length === 1 ? own : [own[index] ?? ''];
}

/** The texts of a row: each continuation after its context, and then those that stand alone. */
function textsOf(prompt: RowPrompt, units: readonly number[]): LabelRequest['texts'] {
  const { contexts, continuations, unconditional } = prompt;
  const own = continuations.length - unconditional;
  return continuations.map((continuation, index) => {
    if (index >= own) return { text: continuation, from: 0 };
    const at = contexts.length === 1 ? 0 : index;
    const context = contextText(contexts[at]).slice(units[at] ?? 0);
    // White space at the end of a context belongs to what follows it.
    return { text: context + continuation, from: trailingSpace(context) };
  });
}

/** Asks how surprising a text is. */
function measuring(text: string): LabelRequest {
  return {
    type: 'loglikelihood',
    texts: [{ text, from: 0 }],
    choose: ([measured]) => {
      if (!measured) return { labels: [] };
      const nll = -measured.logprob / measured.tokens;
      const counted = text.slice(measured.skipped ?? 0);
      const measures = measureText({ ...measured, nll, text: counted });
      return { labels: [{ value: nll }], measures };
    },
  };
}

/** Asks how likely a target is. */
function targeting(texts: LabelRequest['texts']): LabelRequest {
  return {
    type: 'loglikelihood',
    texts,
    choose: ([measured]) => {
      if (!measured) return { labels: [] };
      const { logprob, tokens, isGreedy } = measured;
      const counts = isGreedy === undefined ? [] : measuredCounts([isGreedy], []);
      return { labels: [{ value: -logprob }], measures: { nll: -logprob, tokens, counts } };
    },
  };
}

/** Asks how likely each choice is. */
function choosing(
  texts: LabelRequest['texts'],
  { choices = [], unconditional }: RowPrompt,
): LabelRequest {
  return {
    type: 'loglikelihood',
    texts,
    choose: (all) => {
      const own = all.slice(0, all.length - unconditional);
      const alone = all.slice(own.length);
      const values = own.map(({ logprob }) => logprob);
      const labels = [
        ...values.map((value, index) => ({ label: choices[index], value })),
        ...alone.map(({ logprob }) => ({ value: logprob })),
      ];
      if (own.some(({ tokens }) => tokens === 0)) return { labels };
      const best = largest(values);
      const counts = measuredCounts(
        own.map(({ isGreedy }) => isGreedy),
        alone.map(aloneValue),
      );
      return {
        label: choices[best],
        labels,
        ...tiesAt(values[best] ?? 0, labels.slice(0, own.length)),
        measures: { nll: -(values[best] ?? 0), counts },
      };
    },
  };
}

/** A text whose first token has no probability is not measured as a whole. */
function aloneValue({ logprob, tokens, skipped = 0 }: Loglikelihood): number {
  return tokens === 0 || skipped > 0 ? Number.NaN : logprob;
}

/** Rows are asked once, or as often as the task says, and filters see all answers. */
function inferenceOf(asker: RowAsker, { task, scorer }: OpenedTask): Inference {
  const single: SingleInference = {
    type: 'single',
    ask: (row) => asker.ask(row),
    trace: (row) => asker.trace(row),
  };
  if (task.repeats === 1 || task.outputType !== 'generate_until') return single;
  const rows = new Map<PositionedRow['id'], Row>();
  const repeated = <Asked extends AskedRow>(asked: Asked, { id, row }: PositionedRow) => {
    rows.set(id, row);
    return Array.from({ length: task.repeats }, (_, seed): Asked & RepeatRequest => ({
      ...asked,
      kind: 'sample',
      name: seed + 1,
      followsAnswers: false,
      request: asked.request.type === 'generate' ? { ...asked.request, seed } : asked.request,
      row,
      gold: undefined,
    }));
  };
  return {
    type: 'composite',
    identityOf: (row) => {
      const { request } = asker.ask(row);
      const asked = request.type === 'generate' ? request.prompt : request.texts;
      return JSON.stringify({ samples: task.repeats, asked });
    },
    next: (row, answers) => (answers.length === 0 ? repeated(asker.ask(row), row) : []),
    traceNext: (row, answers) => (answers.length === 0 ? repeated(asker.trace(row), row) : []),
    combine: (answered, { id }) => ({
      score: scorer.scoreAnswers(
        rows.get(id) ?? {},
        answered.map(({ text }) => text),
      ),
      text: answered[0]?.text ?? '',
    }),
  };
}
