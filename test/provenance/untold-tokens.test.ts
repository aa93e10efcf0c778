import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeAnswers, summaryMarkdown } from '../../src/exports/report.ts';
import { evaluate, openRun } from '../../src/index.ts';
import { startModelServer } from './model-server.ts';
import { runTask } from './small-task.ts';

const model = { price: { in: 1_000_000, out: 2_000_000 } };
const whole = { prompt_tokens: 5, completion_tokens: 2 };

/** What the server says of six answers, what is known of their cost, and what counts towards a limit. */
const usages: readonly (readonly [object | undefined, string, object])[] = [
  [whole, 'Cost: 54.00.', { input: 30, output: 12 }],
  [undefined, 'Cost: not known. 6 answers came without', { input: 0, output: 0, untold: 6 }],
  [{ prompt_tokens: 5 }, 'Cost: at least 30.00. 6 answers', { input: 30, output: 0, untold: 6 }],
  [
    { prompt_tokens: 5, completion_tokens: null },
    'Cost: at least 30.00. 6 answers',
    { input: 30, output: 0, untold: 6 },
  ],
  [{ completion_tokens: 2 }, 'Cost: at least 24.00', { input: 0, output: 12, untold: 6 }],
];

test.each(usages)('tokens %j are counted as far as they are told', async (usage, cost, tokens) => {
  const server = await startModelServer(() => ({ text: '4', ...(usage && { usage }) }));
  const { result, out, config } = await runTask(server.url, { model });
  expect(summaryMarkdown(result.summary)).toContain(cost);
  expect(result.summary.results[0]?.tokens).toEqual(tokens);
  // What the folder says is what was said.
  const { summary } = await evaluate(config, { out });
  expect(summary.results[0]?.tokens).toEqual(tokens);
  expect(summary.starts?.tokens).toEqual(tokens);
  const starts = describeAnswers(summary).at(-1) ?? '';
  expect(starts.includes('at least') || starts.includes('not known')).toBe('untold' in tokens);
});

test('samples of a row are told apart', async () => {
  let answers = 0;
  const server = await startModelServer(() => ({
    text: '4',
    ...(++answers % 3 === 0 ? {} : { usage: whole }),
  }));
  const { result } = await runTask(server.url, {
    model: { ...model, batch_size: 1 },
    dataset: { n: 3 },
  });
  expect(result.summary.results[0]?.tokens).toEqual({ input: 60, output: 24, untold: 6 });
});

test('what is not told counts towards a limit with the most that it can be, in later starts too', async () => {
  const server = await startModelServer(() => ({ text: '4', usage: { prompt_tokens: 5 } }));
  const { result, out, config } = await runTask(
    server.url,
    { model: { ...model, batch_size: 1 } },
    { maxCost: 1000, limit: 2 },
  );
  // Five tokens in, and four out at most.
  expect(result.summary.cost).toMatchObject({ spent: 26, estimated: 2, total: 10, untold: 2 });
  const { summary } = await evaluate(config, { out, maxCost: 1000 });
  expect(summary.cost).toMatchObject({ spent: 78, estimated: 4, total: 30, untold: 6 });
});

test('all starts have what judges took, too', async () => {
  const server = await startModelServer(({ messages }) => ({
    text: JSON.stringify(messages)?.includes('You grade') ? '{"verdict":"A"}' : '4',
    usage: whole,
  }));
  const { out, config, folder } = await runTask(server.url, {
    model,
    judge: model,
    dataset: { eval_cfg: { evaluator: { type: 'judge', model: 'j', question_column: 'q' } } },
  });
  const { summary } = await evaluate(config, { out });
  expect(summary.cost?.total).toBe(108);
  expect(summary.starts).toMatchObject({ sent: 12, tokens: { input: 60, output: 24 }, cost: 108 });
  const { file } = await openRun(join(folder, 'out'));
  expect(file.starts?.map(({ sent, cost }) => [sent, cost])).toEqual([
    [12, 108],
    [0, 0],
  ]);
});
