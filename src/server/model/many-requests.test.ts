import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openLocal } from '../../model/local/open-local.ts';
import { startModelServer } from './start-model-server.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapMb(): number {
  for (let times = 0; times < 3; times++) collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test('what is kept in memory does not grow with the number of requests', async () => {
  const parts = await openLocal({ path: 'models/typecase-tiny' });
  const server = await startModelServer(parts, { host: '127.0.0.1', port: 0, name: 'tiny' });
  let number = 0;
  const ask = async () => {
    number++;
    const response = await fetch(`${server.url}/v1/completions`, {
      method: 'POST',
      // Each from a client of its own, as far as the server can tell.
      headers: { 'content-type': 'application/json', authorization: `Bearer ${number}` },
      body: JSON.stringify({ prompt: `${number}+1=`, max_tokens: 1, logprobs: 2 }),
    });
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
  };
  const askMany = async (count: number) => {
    for (let done = 0; done < count; done += 20) {
      await Promise.all(Array.from({ length: 20 }, ask));
    }
  };
  await askMany(400);
  const sizes = [heapMb()];
  for (let times = 0; times < 3; times++) {
    await askMany(700);
    sizes.push(heapMb());
  }
  // Two kilobytes kept of each would be more, each time; what other tests leave behind comes and goes.
  const growth = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0));
  expect(Math.min(...growth)).toBeLessThan(1);
  await server.close();
}, 120_000);
