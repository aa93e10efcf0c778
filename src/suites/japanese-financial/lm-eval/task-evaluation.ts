import { contentHash } from '../../../base/content-hash.ts';
import type { DatasetConfig, ModelConfig } from '../../../config/config.ts';
import { heldRows, positionRows, type RowStream } from '../../../data/row-stream.ts';
import { createEvaluation, type EvaluationParts } from '../../../evaluation/create-evaluation.ts';
import { type TokenLimit, unitsToCut } from '../../../evaluation/cut-context.ts';
import type { Evaluation, Task } from '../../../evaluation/evaluation.ts';
import type {
  AskedRow,
  RowRequest,
  SingleInference,
  TracedRequestText,
} from '../../../evaluation/inference.ts';
import { tiesAt } from '../../../evaluation/loglikelihood-inference.ts';
import { paceOf } from '../../../evaluation/open-model.ts';
import type { Model } from '../../../model/model.ts';
import { type Span, spansFrom } from '../../../prompt/origin.ts';
import type { PositionedRow } from '../../../prompt/trace.ts';
import type { Row } from '../../../prompt/values.ts';
import { stripText } from '../../../python/text.ts';
import { addHarnessResults } from '../../harness-results.ts';
import { answerColumn } from '../data/documents.ts';
import { judgeRow } from '../scoring/judge-row.ts';
import { rulesOf } from '../templates/dialects.ts';
import { type TaskPrompt, traceTaskPrompt } from '../templates/task-prompts.ts';
import type { Template } from '../templates/template.ts';
import { choiceScorer, type JudgeOptions } from './judge-reply.ts';
import type { PlannedTask } from './plan-task.ts';

/** A model with how its choices are found out. */
export interface OpenedModel extends JudgeOptions {
  readonly model: Model;
  readonly config: ModelConfig;
  /** `ppl`: choices by their likelihood. `gen`: choices by where an answer mentions them. */
  readonly mode: Task['mode'];
  /** What fits into the model, where that is known. */
  readonly limit: TokenLimit | undefined;
}

/** A task on a model. Its rows are documents, named by their positions in the data. */
export interface TaskEvaluation extends JudgeOptions {
  readonly task: PlannedTask;
  readonly evaluation: Evaluation;
  readonly limit: TokenLimit | undefined;
  /** Places of the documents whose contexts were cut to fit; full once all are asked. */
  readonly cut: ReadonlySet<number>;
}

const known = new WeakMap<Evaluation, TaskEvaluation>();

/** What an evaluation of these tasks is made of. */
export function taskOf(evaluation: Evaluation): TaskEvaluation | undefined {
  return known.get(evaluation);
}

const longestAnswer = 256;

/** What a dataset of a config says beside its task. */
export interface TaskSettings extends Pick<EvaluationParts, 'diagnostics' | 'stop' | 'settings'> {
  readonly dataset?: DatasetConfig | undefined;
  /** The rows that are asked about, of all. */
  readonly select?: ((rows: RowStream<PositionedRow>) => RowStream<PositionedRow>) | undefined;
  /** Maximum tokens per answer. */
  readonly maxOutLen?: number | undefined;
}

export function taskEvaluation(
  task: PlannedTask,
  opened: OpenedModel,
  settings: TaskSettings = {},
): TaskEvaluation {
  const { template, prompts } = task;
  const {
    dataset,
    select = (rows) => rows,
    maxOutLen = longestAnswer,
    stop,
    settings: sent,
    diagnostics = [],
  } = settings;
  const { model, config, mode, alsoNormalized, limit } = opened;
  const promptsByRow = new Map<Row, TaskPrompt>(
    prompts.map((prompt) => [{ ...prompt.document }, prompt]),
  );
  const promptOf = (row: Row) => promptsByRow.get(row) as TaskPrompt;
  const rows = [...promptsByRow].map(([row, { docIndex }]) => ({ id: docIndex, row }));
  const cut = new Set<number>();
  const showTo = (row: Row): ShownPrompt => {
    const prompt = promptOf(row);
    const units = unitsCut(prompt, opened);
    if (units > 0) cut.add(prompt.docIndex);
    return { prompt, units };
  };
  const made = {
    ...{ task, cut, alsoNormalized, limit },
    evaluation: createEvaluation({
      model,
      modelName: config.abbr,
      modelConfig: config,
      task: {
        name: dataset?.abbr ?? template.name,
        inferencer: mode === 'ppl' ? 'LLInferencer' : 'GenInferencer',
        mode,
        outputColumn: answerColumn((prompts[0] as TaskPrompt).document),
        dataset,
      },
      rows: select(describedRows(rows, task)),
      inference: inferenceOf(task, { mode, showTo }),
      examplesAt: (shots) => shots.map((id) => ({ id, row: { ...task.documents[id] } })),
      maxOutLenOf: () => maxOutLen,
      stop,
      ...(sent && { settings: sent }),
      diagnostics,
      scorer: choiceScorer({ template, promptOf, alsoNormalized }),
      // A choice that is likely and one that is mentioned first are not scored alike.
      scorerIdentity: contentHash([
        ...[template.task, template.dialect, template.hash, alsoNormalized],
        ...(mode === 'gen' ? [mode] : []),
      ]),
      pace: paceOf(config),
    }),
  };
  known.set(made.evaluation, made);
  addHarnessResults(made.evaluation, async ({ files }) => {
    const { readHarnessResults } = await import('./read-harness-results.ts');
    return readHarnessResults(made, files);
  });
  return made;
}

function describedRows(
  rows: Parameters<typeof heldRows>[0],
  { data: { hash, size, isSynthetic } }: PlannedTask,
): RowStream<PositionedRow> {
  const held = positionRows(heldRows(rows));
  const documents = { hash, documents: size, synthetic: isSynthetic };
  return { ...held, describe: async () => ({ ...(await held.describe()), ...documents }) };
}

/** A prompt, and how much of its context has to go, from the beginning. */
interface ShownPrompt {
  readonly prompt: TaskPrompt;
  readonly units: number;
}

function unitsCut({ context, continuations }: TaskPrompt, { mode, limit }: OpenedModel): number {
  return limit && mode === 'ppl' ? unitsToCut(context, continuations, limit) : 0;
}

interface InferenceParts extends Pick<OpenedModel, 'mode'> {
  readonly showTo: (row: Row) => ShownPrompt;
}

function inferenceOf(
  { template, documents }: PlannedTask,
  { mode, showTo }: InferenceParts,
): SingleInference {
  const ask = ({ prompt, units }: ShownPrompt): AskedRow => {
    const context = prompt.context.slice(units);
    const request = mode === 'ppl' ? choosing({ ...prompt, context }, template) : writing(context);
    return { request, shots: prompt.shots, dropped: 0 };
  };
  return {
    type: 'single',
    ask: ({ row }) => ask(showTo(row)),
    trace({ row }) {
      const shown = showTo(row);
      const { shots, choices } = shown.prompt;
      const { context, continuations } = traceTaskPrompt(template, documents, shown.prompt);
      const kept = spansFrom(context, shown.units);
      return {
        ...ask(shown),
        texts:
          mode === 'ppl'
            ? continuations.map((spans, index) => ({
                label: choices[index],
                ...tracedText([...kept, ...spans]),
              }))
            : [tracedText(kept)],
        examples: shots.map((id) => ({ id, row: { ...documents[id] } })),
      };
    },
  };
}

function tracedText(spans: readonly Span[]): TracedRequestText {
  return { list: { type: 'text', spans }, prompt: { type: 'text', spans } };
}

/** Asks how likely each choice is. */
function choosing(prompt: TaskPrompt, { dialect }: Template): RowRequest {
  const { context, continuations, choices, target } = prompt;
  const from = rulesOf[dialect].movesTrailingSpace ? contentEnd(context) : context.length;
  return {
    type: 'loglikelihood',
    texts: continuations.map((continuation) => ({ text: context + continuation, from })),
    choose: (loglikelihoods) => {
      const values = loglikelihoods.map(({ logprob }) => logprob);
      const labels = values.map((value, index) => ({ label: choices[index], value }));
      const { predicted } = judgeRow({ logLikelihoods: values, choices, target });
      return { label: choices[predicted], labels, ...tiesAt(values[predicted] ?? 0, labels) };
    },
  };
}

/** Where white space at the end of a text begins. */
function contentEnd(text: string): number {
  return stripText(`.${text}`).length - 1;
}

function writing(text: string): RowRequest {
  return { type: 'generate', prompt: { type: 'text', text } };
}
