import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ConfigInput, compareRuns, evaluate, rescore } from '../../src/index.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const labelled = { good: 'Review: {t} Sentiment: good', bad: 'Review: {t} Sentiment: bad' };
const averagePpl = { evaluator: { type: 'AveragePPLEvaluator' } };
const accuracy = { evaluator: { type: 'AccEvaluator' } };

/** Inferencer, template, scorer, and what the scorer is said to differ by. */
const cases: [string, unknown, object | undefined, readonly string[]][] = [
  ['CLPInferencer', 'Review: {t}\nSentiment: {y}', accuracy, ['compat']],
  ['PPLInferencer', labelled, accuracy, ['compat', 'loss divided by']],
  ['PPLOnlyInferencer', 'Review: {t}', undefined, ['loss divided by']],
  ['PPLOnlyInferencer', 'Review: {t}', averagePpl, ['compat', 'loss divided by']],
];

function configOf(url: string, [inferencer, template, evalCfg]: (typeof cases)[number]) {
  const labels = inferencer === 'CLPInferencer' && { labels: ['good', 'bad'] };
  return {
    models: [{ abbr: 'm', type: 'OpenAICompletions', base_url: `${url}/v1`, model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        rows: ['fine', 'awful and long', 'dull'].map((t) => ({ t, y: 'good' })),
        reader_cfg: { input_columns: ['t'], output_column: 'y' },
        infer_cfg: {
          prompt_template: { template },
          inferencer: { type: inferencer, ...labels },
        },
        ...(evalCfg && { eval_cfg: evalCfg }),
      },
    ],
  };
}

test.each(cases)(
  '%s asks the same under compat: it is scored again and compared as such',
  async (...one) => {
    await using server = await startRecordingServer();
    const plain = configOf(server.url, one) as ConfigInput;
    const compat = { ...plain, compat: 'opencompass' } as ConfigInput;
    const folder = await writeFolder({});
    const [ours, theirs, again] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')];
    const first = await evaluate(plain, { out: ours });
    const second = await evaluate(compat, { out: theirs });
    const scoreOf = ({ summary }: typeof first) => summary.results[0]?.score?.value;
    await cp(ours, again, { recursive: true });
    expect(scoreOf(await rescore(again, { config: compat }))).toBe(scoreOf(second));
    // Its own record is enough from then on.
    expect(scoreOf(await rescore(again))).toBe(scoreOf(second));
    expect(scoreOf(await rescore(again, { config: plain }))).toBe(scoreOf(first));

    const { differences } = await compareRuns(ours, theirs);
    const found = (kind: string) => differences.find((difference) => difference.kind === kind);
    expect(found('prompts')).toMatchObject({ isSame: true, note: 'in 3 rows' });
    const paths = found('scorer')?.changes.map(({ path }) => path);
    expect(paths?.toSorted()).toEqual(one[3]);
    if (one[0] !== 'PPLOnlyInferencer') return;
    expect(first.summary.results[0]?.metric).toBe('nll');
    expect(scoreOf(first)).not.toBe(scoreOf(second));
    await expect(rescore(ours, { evaluator: 'exact' })).rejects.toThrow('measures texts');
  },
);
