import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/index.ts';

test('many requests to a judge may wait for their next attempt at once', async () => {
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (body.includes('"judge"') && !seen.has(body)) {
      seen.add(body);
      response.writeHead(503).end('{}');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        choices: [{ message: { content: '{"verdict": "correct"}' }, finish_reason: 'stop' }],
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base_url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  const warned: string[] = [];
  const note = (warning: Error) => warned.push(warning.name);
  process.on('warning', note);
  const out = join(await mkdtemp(join(tmpdir(), 'typecase-judge-')), 'run');
  const chat = { type: 'OpenAI', base_url, batch_size: 30 };
  const models = Array.from({ length: 3 }, (_, index) => ({
    ...chat,
    abbr: `m${index}`,
    model: `x${index}`,
  }));
  const rows = Array.from({ length: 30 }, (_, index) => ({ question: `q${index}`, a: '2' }));
  await evaluate(
    {
      models: [...models, { ...chat, abbr: 'j', model: 'judge', judge: true }],
      datasets: [
        {
          abbr: 'd',
          rows,
          reader_cfg: { input_columns: ['question'], output_column: 'a' },
          infer_cfg: { prompt_template: { template: '{question}' } },
          eval_cfg: { evaluator: { type: 'judge', model: 'j' } },
        },
      ],
    } as never,
    { out },
  );
  expect(seen.size).toBe(30);
  process.off('warning', note);
  server.closeAllConnections();
  server.close();
  expect(warned).toEqual([]);
});
