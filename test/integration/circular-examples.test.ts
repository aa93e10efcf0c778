import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const rows = ['red', 'blue', 'green', 'gold'].map((name, id) => ({
  question: `Which is ${name}?`,
  ...{ A: name, B: `not ${name}`, C: `never ${name}` },
  answer: 'ABC'[id % 3],
}));
const options = '{question}\nA {A}\nB {B}\nC {C}\n';

const sentWith = async (retriever: object, command: readonly string[] = []) => {
  await using server = await startRecordingServer();
  const config = {
    models: [{ abbr: 'm', type: 'OpenAICompletions', base_url: server.url, model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        path: { train: 'rows.jsonl', test: 'rows.jsonl' },
        reader_cfg: { input_columns: ['question', 'A', 'B', 'C'], output_column: 'answer' },
        infer_cfg: {
          ice_template: { template: `${options}{answer}` },
          prompt_template: { template: `</E>${options}{answer}`, ice_token: '</E>' },
          retriever,
        },
        eval_cfg: {
          circular: 'rotations',
          evaluator: { type: 'choice', text_columns: [...'ABC'] },
        },
      },
    ],
  };
  const folder = await writeFolder({
    'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    'c.json': JSON.stringify(config),
  });
  const run = ['run', join(folder, 'c.json'), '--out', join(folder, 'out'), ...command];
  const { code, stderr } = await callCommand([...run, '--allow-failed', '100']);
  return { code, stderr, prompts: server.requests.map(({ body }) => JSON.parse(body).prompt) };
};

test.each([
  ['RandomRetriever', { ice_num: 3 }],
  ['BM25Retriever', { ice_num: 3 }],
  ['SlidingWindowRetriever', { k: 3 }],
])('no order of a row has the row among its examples: %s', async (type, more) => {
  const { code, prompts } = await sentWith({ type, ...more });
  expect([code, prompts.length]).toEqual([0, 3 * rows.length]);
  for (const prompt of prompts) {
    const asked: string[] = prompt.match(/Which is \w+\?/g);
    expect(new Set(asked).size).toBe(4);
  }
});

test('a row that is shown as an example of its own orders is told', async () => {
  const { stderr } = await sentWith({ type: 'FixKRetriever', fix_id_list: [0] });
  expect(stderr).toContain('the examples give away the answers of 1 of 4 rows');
});
