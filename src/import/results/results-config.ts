import { besideRow } from '../../evaluation/key.ts';
import { formatValue } from '../../prompt/values.ts';
import { openScorer } from '../../score/open-scorer.ts';
import type { ForeignEvaluation, ForeignRow } from './foreign-results.ts';
import { answerColumn } from './recorded-model.ts';

/** How the rows of an evaluation are scored here. */
export type Scoring =
  | { readonly type: 'task' }
  | { readonly type: 'evaluator'; readonly evaluator: string }
  | { readonly type: 'recorded' };

export interface SpelledResults {
  readonly scoring: Scoring;
  /** The dataset in the words of a config. */
  readonly dataset: Readonly<Record<string, unknown>>;
}

const contextColumn = `${besideRow}context`;
const scoreColumn = `${besideRow}score`;
const repeatedColumn = `${besideRow}row`;

/** Evaluators that may be what another harness did. */
const candidates = ['exact', 'number', 'choice', 'contains', 'math'];

/** An evaluation of another harness as a dataset; as a task of its own where that is known. */
export async function spellResults(
  evaluation: ForeignEvaluation,
  { asTask }: { readonly asTask: boolean },
): Promise<SpelledResults> {
  if (asTask && evaluation.task)
    return { scoring: { type: 'task' }, dataset: taskDataset(evaluation) };
  const labels = labelsOf(evaluation);
  if (labels)
    return {
      scoring: { type: 'evaluator', evaluator: 'exact' },
      dataset: labelDataset(evaluation, labels),
    };
  const evaluator = await agreeing(evaluation);
  const isRepeated = areRepeated(evaluation.rows);
  const times = Math.max(1, ...evaluation.rows.map(({ sampleScores = [] }) => sampleScores.length));
  const scored =
    evaluator === undefined
      ? { type: 'function', score: recordedScore, metric: evaluation.recorded?.metric ?? 'score' }
      : { type: evaluator };
  return {
    scoring: evaluator === undefined ? { type: 'recorded' } : { type: 'evaluator', evaluator },
    dataset: {
      abbr: evaluation.dataset,
      rows: evaluation.rows.map((row) => ({
        ...row.columns,
        prompt: row.prompt,
        gold: plain(row.gold),
        [answerColumn]: times > 1 ? timesOver(row.samples ?? [row.answer], times) : row.answer,
        [scoreColumn]: answeredScores(row),
        ...(isRepeated && { [repeatedColumn]: repeatedPart(row) }),
      })),
      reader_cfg: {
        ...{ input_columns: ['prompt'], output_column: 'gold' },
        ...(isRepeated && { cluster_by: repeatedColumn }),
      },
      infer_cfg: {
        prompt_template: { template: '{prompt}' },
        inferencer: { type: 'GenInferencer' },
      },
      eval_cfg: { evaluator: scored },
      ...(times > 1 && { n: times, k: [] }),
    },
  };
}

/** As many answers as other rows have; those that are missing are empty. */
function timesOver(answers: readonly string[], times: number): readonly string[] {
  return Array.from({ length: times }, (_, index) => answers[index] ?? '');
}

/** Answers with their scores. */
function answeredScores({ answer, score, samples = [answer], sampleScores = [score] }: ForeignRow) {
  return samples.map((text, index) => [text, sampleScores[index] ?? null] as const);
}

/** What rows share that are one row asked several times. */
function repeatedPart({ prompt, gold, columns }: ForeignRow): string {
  return JSON.stringify([prompt, gold, columns]);
}

/** Whether every row was asked equally often, and more than once. */
function areRepeated(rows: readonly ForeignRow[]): boolean {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const part = repeatedPart(row);
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const [times = 1, ...others] = new Set(counts.values());
  return times > 1 && others.length === 0;
}

/** Answers of the same text share what they are given: all of a row come to the same. */
function recordedScore(
  answer: string,
  { row }: { readonly row: Readonly<Record<string, unknown>> },
) {
  const all = row[scoreColumn] as ReturnType<typeof answeredScores>;
  const same = all.filter(([text]) => text === answer || text.trim() === answer.trim());
  const scores = same.flatMap(([, score]) => score ?? []);
  return scores.length > 0 ? scores.reduce((sum, one) => sum + one, 0) / scores.length : null;
}

/** The evaluator that gives every row the score that is recorded, if one does. */
async function agreeing(evaluation: ForeignEvaluation): Promise<string | undefined> {
  const { recorded } = evaluation;
  const rows = evaluation.rows.flatMap((row) =>
    answeredScores(row).map(([answer, score]) => ({ ...row, answer, score: score ?? undefined })),
  );
  for (const type of candidates) {
    const scorer = await openScorer({ evaluator: { type } });
    const scores = rows.map((row) => scoreOf(scorer, row));
    const known = rows.filter(({ score }) => score !== undefined);
    const agrees = rows.every(({ score }, index) => score === undefined || score === scores[index]);
    const mean = scores.reduce<number>((sum, score) => sum + (score ?? 0), 0) / rows.length;
    const isSame =
      recorded !== undefined &&
      Math.abs(mean * recorded.scale - recorded.value) < 1e-6 * recorded.scale;
    if (scores.includes(undefined)) continue;
    if (known.length === rows.length ? agrees : agrees && isSame) return type;
  }
  return undefined;
}

function scoreOf(
  scorer: Awaited<ReturnType<typeof openScorer>>,
  row: ForeignRow,
): number | undefined {
  const score = scorer.score({
    answer: { raw: row.answer, answer: row.answer },
    gold: plain(row.gold),
    row: { ...row.columns, prompt: row.prompt },
  });
  return score.type === 'scored' ? score.value : undefined;
}

function plain(gold: unknown): unknown {
  return typeof gold === 'object' && gold !== null && !Array.isArray(gold)
    ? formatValue(gold)
    : (gold ?? null);
}

/** The labels whose texts were measured, where all rows have the same. */
function labelsOf({ rows }: ForeignEvaluation): readonly string[] | undefined {
  const all = rows.map((row) => (row.measured ?? []).flatMap(({ label }) => label ?? []));
  const [first = []] = all;
  const isSame = first.length > 0 && all.every((labels) => labels.join('\n') === first.join('\n'));
  return isSame ? first : undefined;
}

function labelDataset({ dataset, rows }: ForeignEvaluation, labels: readonly string[]) {
  const columns = labels.map((_, index) => `text_${index}`);
  return {
    abbr: dataset,
    rows: rows.map((row) => ({
      gold: plain(row.gold),
      ...Object.fromEntries(
        columns.map((column, index) => [column, row.measured?.[index]?.text ?? '']),
      ),
    })),
    reader_cfg: { input_columns: columns, output_column: 'gold' },
    infer_cfg: {
      prompt_template: {
        template: Object.fromEntries(labels.map((label, index) => [label, `{${columns[index]}}`])),
      },
      inferencer: { type: 'PPLInferencer' },
    },
    eval_cfg: { evaluator: { type: 'exact' } },
  };
}

/** What makes prompts, which are known. */
const made = [
  ...[
    'doc_to_text',
    'description',
    'fewshot_config',
    'fewshot_split',
    'gen_prefix',
    'process_docs',
  ],
  ...['training_split', 'validation_split', 'test_split', 'num_fewshot', 'dataset_kwargs'],
  ...[
    'custom_dataset',
    'use_prompt',
    'doc_to_image',
    'doc_to_audio',
    'tag',
    'group',
    'unsafe_code',
  ],
  ...['should_decontaminate', 'doc_to_decontamination_query', 'metadata', 'fewshot_delimiter'],
];

/** Of these, what belongs to each choice where choices are what is asked. */
const questionKeys = ['doc_to_text', 'gen_prefix'];

/** The task with the prompts that were recorded, so that nothing but the scoring is its own. */
function taskDataset({ dataset, rows, task = {}, hasSeveralInputs }: ForeignEvaluation) {
  const isKept = (key: string) =>
    !made.includes(key) || (hasSeveralInputs && questionKeys.includes(key));
  const kept = Object.entries(task).filter(([key, value]) => isKept(key) && value !== null);
  const isWritten = (task.output_type ?? 'generate_until') === 'generate_until';
  return {
    abbr: dataset,
    type: 'LmEval',
    rows: {
      test: rows.map((row) => ({
        ...row.columns,
        [contextColumn]: row.prompt,
        ...(isWritten && { [answerColumn]: row.samples ?? row.answer }),
      })),
    },
    reader_cfg: { input_columns: [], output_column: null },
    infer_cfg: {
      prompt_template: { template: contextColumn },
      inferencer: { type: isWritten ? 'GenInferencer' : 'LLInferencer' },
    },
    lm_eval: {
      config: {
        ...Object.fromEntries(kept),
        task: dataset,
        test_split: 'test',
        // Where choices are what is asked, the context is what stands before them.
        ...(hasSeveralInputs
          ? { description: contextColumn }
          : { doc_to_text: task.output_type === 'loglikelihood_rolling' ? '' : contextColumn }),
        num_fewshot: 0,
      },
    },
  };
}
