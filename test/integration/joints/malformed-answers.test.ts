import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../../src/index.ts';

/** A server that gives the first of these bodies once, and the last one from then on. */
async function serve(bodies: readonly (string | Buffer)[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const body = bodies[Math.min(asked++, bodies.length - 1)];
      const isStream = String(body).startsWith('data:');
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, asked: () => asked };
}

async function ask(bodies: readonly (string | Buffer)[], model: object = {}) {
  const { url, asked } = await serve(bodies);
  const folder = await mkdtemp(join(tmpdir(), 'typecase-malformed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { summary, rows } = await evaluate(
    {
      models: [{ abbr: 'm', type: 'OpenAI', base_url: url, model: 'm', ...model }],
      datasets: [
        {
          abbr: 'd',
          rows: [{ q: 'x', a: '7' }],
          reader_cfg: { input_columns: ['q'], output_column: 'a' },
          infer_cfg: {
            prompt_template: { template: '{q}' },
            inferencer: { type: 'GenInferencer' },
          },
          eval_cfg: { evaluator: { type: 'exact' } },
        },
      ],
    },
    { out: join(folder, 'run') },
  );
  expect(summary.results[0]?.rows.total).toBe(1);
  for await (const record of rows()) return { record, asked: asked() };
  throw new Error('no row');
}

const chat = (message: unknown, rest: object = {}) =>
  JSON.stringify({ choices: [{ message, ...rest }] });
const right = chat({ content: '7' }, { finish_reason: 'stop' });
const piece = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
const garble = (text: string) => Buffer.from(text.replace('7', '\xff'), 'latin1');

test.each<[string, string | Buffer]>([
  ['an empty choice', '{"choices":[{}]}'],
  ['no message', chat(null, { finish_reason: 'stop' })],
  ['a number for a text', chat({ content: 42 })],
  ['lists in a list', chat({ content: [['7']] })],
  ['an error beside an answer', `${right.slice(0, -1)},"error":{"message":"melted"}}`],
  ['a response that is not UTF-8', garble(right)],
  ['a stream of empty choices', 'data: {"choices":[{}]}\n\ndata: [DONE]\n\n'],
  ['a stream of numbers', piece({ content: 42 }, 'stop')],
  ['a stream that is not UTF-8', garble(piece({ content: '7' }, 'stop'))],
])('%s is asked again', async (_name, body) => {
  const { record, asked } = await ask([body, right]);
  expect([record?.outcome, record?.score, record?.answer, asked]).toEqual(['scored', 1, '7', 2]);
});

test.each<[string, string, string]>([
  ['an empty text', chat({ content: '' }, { finish_reason: 'stop' }), 'empty answer'],
  ['no text', chat({ content: null }, { finish_reason: 'stop' }), 'empty answer'],
  ['a call', chat({ content: null, tool_calls: [{ id: '1' }] }), 'empty answer'],
])('%s is an answer', async (_name, body, reason) => {
  const { record, asked } = await ask([body]);
  expect([record?.outcome, record?.reason, asked]).toEqual(['unscored', reason, 1]);
});

test('what stays malformed is a failed row with its reason', async () => {
  const failing = ask(['{"choices":[{}]}'], { retries: 1 });
  await expect(failing).rejects.toMatchObject({ code: 'model.unreadable_answer' });
});
