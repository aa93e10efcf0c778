import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type ConfigInput, evaluate } from '../../src/index.ts';

test.each([
  ['tells tokens', { prompt_tokens: 11, completion_tokens: 3 }, { input: 11, output: 3 }],
  ['tells none', undefined, { input: null, output: null }],
])(
  'a function is given what was sent and what came back, of a server that %s',
  async (_, usage, tokens) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        const message = { role: 'assistant', content: 'four' };
        response.end(JSON.stringify({ choices: [{ message, finish_reason: 'length' }], usage }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const given: unknown[] = [];
    const progress: unknown[] = [];
    const { port } = server.address() as AddressInfo;
    const config = {
      models: [{ abbr: 'm', type: 'OpenAI', base_url: `http://127.0.0.1:${port}`, model: 'x' }],
      datasets: [
        {
          abbr: 'd',
          rows: [{ q: 'two and two', a: 'four' }],
          reader_cfg: { input_columns: ['q'], output_column: 'a' },
          infer_cfg: { prompt_template: { template: 'What is {q}?' } },
          eval_cfg: {
            evaluator: {
              type: 'function',
              score: (answer: string, input: object) => given.push({ answer, ...input }) > 0,
            },
          },
        },
      ],
    } as unknown as ConfigInput;
    const { summary } = await evaluate(config, { onProgress: (now) => progress.push(now) });
    server.close();
    expect(given).toEqual([
      expect.objectContaining({
        answer: 'four',
        messages: [{ role: 'user', content: 'What is two and two?' }],
        finish: 'length',
        tokens,
        gold: 'four',
      }),
    ]);
    expect(progress.at(-1)).toMatchObject({
      sent: 1,
      inputTokens: tokens.input ?? 0,
      outputTokens: tokens.output ?? 0,
      untold: usage ? 0 : 1,
    });
    expect(summary.results[0]?.tokens).toMatchObject({ input: tokens.input ?? 0 });
  },
);
