import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { ConfigInput } from '../config/config-input.ts';
import { evaluate } from './evaluate.ts';

test('names that servers gave stay with their models when a run goes on', async () => {
  const server = createServer(async (request, response) => {
    const { model } = (await json(request)) as { readonly model: string };
    response.setHeader('content-type', 'application/json');
    const choices = [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }];
    response.end(JSON.stringify({ choices, model: `served-${model}` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'typecase-served-'));
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const config = {
    models: ['a', 'b'].map((model) => ({
      abbr: model,
      type: 'OpenAI',
      base_url: `http://127.0.0.1:${port}`,
      model,
    })),
    datasets: [
      {
        abbr: 'd',
        rows: [0, 1, 2, 3].map((id) => ({ q: `row ${id}`, a: 'x' })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  } as unknown as ConfigInput;
  const out = join(folder, 'twice');
  await evaluate(config, { out, limit: 2 });
  const twice = await evaluate(config, { out });
  const whole = await evaluate(config, { out: join(folder, 'once') });
  expect(twice.summary.served).toEqual(whole.summary.served);
  expect(JSON.stringify(twice.summary.served)).toContain('served-b');
});
