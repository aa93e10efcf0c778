import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { evaluate } from './evaluate.ts';

const completion = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: '72' }, finish_reason: 'stop' }],
});

/** Refuses what comes while so many requests are being answered. */
async function startLimitedServer(most: number) {
  const counts = { answering: 0, asked: 0 };
  const server = createServer(async (request, response) => {
    counts.asked++;
    request.resume();
    if (counts.answering >= most) {
      response.writeHead(429).end('{"error": {"message": "too many requests at once"}}');
      return;
    }
    counts.answering++;
    await wait(5);
    counts.answering--;
    response.setHeader('content-type', 'application/json').end(completion);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, counts };
}

it.each([1, 4, 20])(
  'a server that takes %d requests at once is sent few that it refuses',
  async (most) => {
    const { url, counts } = await startLimitedServer(most);
    const out = await mkdtemp(join(tmpdir(), 'typecase-limited-'));
    onTestFinished(() => rm(out, { recursive: true }));
    const rows = Array.from({ length: 500 }, (_, index) => ({
      question: `${index}?`,
      answer: '72',
    }));
    const { summary } = await evaluate(
      {
        models: [{ abbr: 'm', type: 'OpenAI', base_url: url, model: 'm', batch_size: 64 }],
        datasets: [
          {
            abbr: 'd',
            rows,
            reader_cfg: { input_columns: ['question'], output_column: 'answer' },
            infer_cfg: {
              prompt_template: { template: '{question}' },
              inferencer: { type: 'GenInferencer' },
            },
            eval_cfg: { evaluator: { type: 'exact' } },
          },
        ],
      },
      { out },
    );
    expect(summary.results[0]?.rows).toMatchObject({ scored: 500, failed: 0 });
    expect(counts.asked).toBeLessThanOrEqual(550);
  },
);
