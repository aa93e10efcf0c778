import type { ConfigInput } from '../../src/config/config-input.ts';
import { type Evaluation, untracePlan } from '../../src/evaluation/evaluation.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import type { Loglikelihood } from '../../src/model/loglikelihood.ts';
import { untrace } from '../../src/prompt/prompt.ts';
import type { PositionedRow } from '../../src/prompt/trace.ts';
import type { RowScore } from '../../src/score/scorer.ts';
import { splitAnswer } from '../../src/score/split-thought.ts';
import { refusal, short } from './lines.ts';
import { timeless } from './timeless.ts';

/** A config of one dataset with what it has differently; nothing of it is asked. */
export interface Look {
  readonly rows?: readonly object[] | Readonly<Record<string, readonly object[]>>;
  readonly model?: object;
  /** What the model that judges has differently. */
  readonly judge?: object;
  readonly infer: object;
  readonly dataset?: object;
  readonly reader?: object;
  readonly config?: object;
  /** What prompts are made for: to be sent, planned or shown; and of which rows. */
  readonly options?: object;
  /** A template that is a function, which gives this, with the columns of the row filled in. */
  readonly prompt?: unknown;
}

const usualRows = [
  { q: '1+1?', a: '2', kind: 'sum', text: 'one' },
  { q: '2+2?', a: '4', kind: 'sum', text: '' },
  { q: '3*3?', a: '2', kind: 'product', text: 'three' },
];

/** What is shown of it: warnings, and what each row would be sent; or what refuses it. */
export async function lookAt({
  rows = usualRows,
  model,
  judge,
  infer,
  dataset,
  reader,
  config,
  options,
  prompt,
}: Look): Promise<unknown> {
  const whole = {
    ...config,
    models: [
      known({ abbr: 'm', type: 'OpenAI', path: 'm', base_url: 'http://127.0.0.1:9/v1', ...model }),
      {
        abbr: 'strong',
        type: 'OpenAI',
        path: 's',
        base_url: 'http://127.0.0.1:9/v1',
        judge: true,
        ...judge,
      },
    ],
    datasets: [
      known({
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['q', 'kind', 'text'], output_column: 'a', ...reader },
        infer_cfg:
          prompt === undefined
            ? infer
            : { ...infer, prompt_template: { template: giving(prompt) } },
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      }),
    ],
  };
  try {
    return timeless(JSON.parse(JSON.stringify(await openAll(whole, options))), []);
  } catch (error) {
    return refusal(error);
  }
}

/** Without what a look leaves out. */
function known(model: object): object {
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== null));
}

/** Gives the value with texts in which columns stand for what the row has. */
function giving(value: unknown) {
  return ({ row, examples }: { readonly row: object; readonly examples: readonly object[] }) => {
    if (value === 'throw') throw new Error('no prompt for this row');
    const columns = { ...row, shots: JSON.stringify(examples) };
    const text = JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (whole, name) => {
      const found = (columns as Record<string, unknown>)[name];
      return found === undefined ? whole : JSON.stringify(String(found)).slice(1, -1);
    });
    return JSON.parse(text);
  };
}

async function openAll(config: object, options: object = {}): Promise<unknown> {
  await using evaluations = await openEvaluations(config as ConfigInput, options);
  const found: unknown[] = [];
  for (const evaluation of evaluations) {
    const { task, diagnostics, shape, answerLimit, type, scorer, scoringNotes } = evaluation;
    const rows: PositionedRow[] = [];
    for await (const batch of evaluation.rows.batches()) rows.push(...batch);
    const shown: unknown[] = [];
    await evaluation.prepare?.(rows.slice(0, 3)).catch((error) => shown.push(refusal(error)));
    for (const row of rows.slice(0, 3)) {
      shown.push([
        await attempt(() => planOf(evaluation, row)),
        evaluation.checkRow(row),
        await attempt(() => evaluation.trace(row)),
        ...(type === 'composite'
          ? [await attempt(() => evaluation.trace(row, ['first said', 'then said']))]
          : []),
        await attempt(() => evaluation.leaksOf(row, [0])),
      ]);
    }
    const { metric, direction, range, judge, columns } = scorer;
    found.push({
      task: { name: task.name, mode: task.mode, outputColumn: task.outputColumn },
      diagnostics,
      shape: { seed: shape.seed, estimatesLengths: shape.estimatesLengths },
      answerLimit,
      type,
      identity: [evaluation.modelIdentity, evaluation.scorerIdentity].map((text) =>
        text.slice(0, 12),
      ),
      pace: evaluation.pace,
      unversioned: evaluation.isUnversioned,
      scorer: { metric, direction, range, judge, columns },
      scoringNotes,
      shown,
    });
  }
  return found;
}

/** What a row is asked, and what would come of some answers. */
async function planOf(evaluation: Evaluation, row: PositionedRow): Promise<unknown> {
  const plan = await evaluation.plan(row);
  const traced = untracePlan(await evaluation.trace(row));
  const requests = plan.requests.map(({ asked, encoded, part, request }) => [
    part,
    { ...request, body: typeof Object(request).body },
    short(encoded, 400),
    asked.type === 'loglikelihood' && measured(asked.texts.length).map(asked.choose),
  ]);
  const said = plan.requests.map((_, index) => `said ${index}`);
  const next = await evaluation.plan(plan, [...said, 'and more'].slice(0, said.length));
  const parts = plan.requests.map(({ part }, index) => ({ name: part?.name ?? 1, index }));
  const combined =
    evaluation.type === 'composite' &&
    [0, 1, 2, 3].map((turn) =>
      evaluation.combine(
        parts.map(({ name, index }) => ({
          name,
          text: `answer ${index}`,
          score: partScore(turn, index),
        })),
        row,
      ),
    );
  const judged = await attempt(async () => {
    const { gold, dialogue } = plan.requests[0] ?? {};
    const answer = splitAnswer('the answer is 2');
    const asked = await evaluation.planScoring({ answer, gold, row: row.row, dialogue });
    return asked.map(({ judge, prompt, trace }) => [judge, prompt, untrace(trace(row.id))]);
  });
  const keys = [plan, ...plan.requests].map(({ key, promptHash }) => [
    key.slice(0, 12),
    promptHash,
  ]);
  const isSame = JSON.stringify(plan) === JSON.stringify(traced);
  return [isSame, keys, requests, next.requests.length, combined, judged];
}

/** Some likelihoods of so many texts. */
function measured(texts: number): Loglikelihood[][] {
  const lists = [
    [-1, -2, -3],
    [-2, -2, -0.5],
    [-3, -1.5, -1.5],
    [Number.NEGATIVE_INFINITY, -4],
    [Number.NEGATIVE_INFINITY],
    [0, -0.25],
  ];
  const values = lists.map((list) =>
    Array.from({ length: texts }, (_, index) => ({
      logprob: list[index % list.length] ?? 0,
      tokens: 3 - (index % 3),
    })),
  );
  const [first = []] = values;
  const untold = first.map((one, index) => (index === 0 ? { ...one, logprob: 0, tokens: 0 } : one));
  return [...values, untold, first.slice(0, -1), []] as Loglikelihood[][];
}

/** Scores of parts that are right, wrong or missing in turn. */
function partScore(turn: number, index: number): RowScore {
  if (turn === 3 && index === 1) return { type: 'unscored', reason: 'no answer' };
  const value = turn === 0 ? 1 : turn === 1 ? index % 2 : 0;
  const got = `${turn === 2 ? index : value}`;
  const metrics = { length: index + 1 };
  return { type: 'scored', value, extracted: got, compared: { got, want: '1' }, metrics };
}

async function attempt(step: () => unknown): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    return refusal(error);
  }
}
