import type { ConfigInput } from '../../src/config/config-input.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import type { PositionedRow } from '../../src/prompt/trace.ts';
import { refusal } from './lines.ts';
import { timeless } from './timeless.ts';

/** A config of one dataset with what it has differently; nothing of it is asked. */
export interface Look {
  readonly rows?: readonly object[] | Readonly<Record<string, readonly object[]>>;
  readonly model?: object;
  readonly infer: object;
  readonly dataset?: object;
  readonly reader?: object;
  readonly config?: object;
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
  infer,
  dataset,
  reader,
  config,
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
      },
    ],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['q', 'kind', 'text'], output_column: 'a', ...reader },
        infer_cfg: infer,
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      },
    ],
  };
  try {
    return timeless(JSON.parse(JSON.stringify(await openAll(whole))), []);
  } catch (error) {
    return refusal(error);
  }
}

/** Without what a look leaves out. */
function known(model: object): object {
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== null));
}

async function openAll(config: object): Promise<unknown> {
  await using evaluations = await openEvaluations(config as ConfigInput);
  const found: unknown[] = [];
  for (const evaluation of evaluations) {
    const { task, diagnostics, shape, answerLimit, type, scorer, scoringNotes } = evaluation;
    const rows: PositionedRow[] = [];
    for await (const batch of evaluation.rows.batches()) rows.push(...batch);
    const shown: unknown[] = [];
    for (const row of rows.slice(0, 3)) {
      shown.push([
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
      identity: [evaluation.modelIdentity, evaluation.scorerIdentity].map((text) => text.length),
      scorer: { metric, direction, range, judge, columns },
      scoringNotes,
      shown,
    });
  }
  return found;
}

async function attempt(step: () => unknown): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    return refusal(error);
  }
}
