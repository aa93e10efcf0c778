import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../../src/index.ts';

const rowCount = 1_200;
const padding = 'x'.repeat(6_000);

/** Rows whose answers are right for one word only. */
const rowsWith = (word: string) =>
  Array.from({ length: rowCount }, (_, id) =>
    JSON.stringify({ q: `${id} ${word} ${padding}`, a: word }),
  )
    .join('\n')
    .concat('\n');

async function startServer() {
  let asked = 0;
  let onAsked = (_count: number): unknown => undefined;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    await onAsked(++asked);
    const [, word = ''] = /\d+ (\w+) x/.exec(body) ?? [];
    const message = { role: 'assistant', content: word };
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    set onAsked(listener: typeof onAsked) {
      onAsked = listener;
    },
  };
}

test('rows of two states of a file are never summed up together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-changed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, rowsWith('old'));
  const server = await startServer();
  const out = join(folder, 'run');
  const run = () =>
    evaluate(
      {
        models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }],
        datasets: [
          {
            abbr: 'd',
            path,
            reader_cfg: { input_columns: ['q'], output_column: 'a' },
            infer_cfg: {
              prompt_template: { template: '{q}' },
              inferencer: { type: 'GenInferencer' },
            },
            eval_cfg: { evaluator: { type: 'exact' } },
          },
        ],
      },
      { out },
    );
  server.onAsked = (count) => count === 200 && writeFile(path, rowsWith('new'));
  await expect(run()).rejects.toMatchObject({ code: 'data.changed' });
  expect((await readdir(out)).filter((name) => /^(summary|report|junit)/.test(name))).toEqual([]);

  const { summary, rows } = await run();
  const golds = new Set<unknown>();
  for await (const { gold } of rows()) golds.add(gold);
  const [result] = summary.results;
  expect([summary.complete, result?.rows.scored, result?.score?.value]).toEqual([
    true,
    rowCount,
    1,
  ]);
  expect([...golds]).toEqual(['new']);
});
