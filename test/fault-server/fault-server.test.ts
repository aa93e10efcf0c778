import { expect, test } from 'vitest';
import { type FaultServer, startFaultServer, startFaultServerProcess } from './index.ts';

async function post(
  { url }: FaultServer,
  prompt: string,
): Promise<{ status: number; text: string | undefined }> {
  const body = JSON.stringify({ model: 'm', prompt });
  const response = await fetch(`${url}/v1/completions`, { method: 'POST', body });
  const { choices } = (await response.json()) as { choices?: { text: string }[] };
  return { status: response.status, text: choices?.[0]?.text };
}

test.each([
  ['What is 17 + 25?', '42'],
  ['1 + 1 = 2\n6 * -7 =', '-42'],
  ['10 - 3', '7'],
  ['Hello', 'answer 185f8db32271'],
])('%j is answered with %j', async (prompt, answer) => {
  await using server = await startFaultServer();
  expect(await post(server, prompt)).toEqual({ status: 200, text: answer });
});

test('lists its model', async () => {
  await using server = await startFaultServer();
  const response = await fetch(`${server.url}/v1/models`);
  expect(await response.json()).toMatchObject({ data: [{ id: 'fault' }] });
});

test('counts requests, and faults hit the first of them for each prompt', async () => {
  await using server = await startFaultServer({
    record: true,
    rules: [{ prompt: 'a', times: 2, fault: { type: 'status', status: 503 } }],
  });
  const statuses: number[] = [];
  for (const prompt of ['a', 'b', 'a', 'a', 'ca'])
    statuses.push((await post(server, prompt)).status);
  expect(statuses).toEqual([503, 200, 503, 200, 503]);
  expect(await server.stats()).toMatchObject({
    requests: 5,
    byPrompt: { a: 3, b: 1, ca: 1 },
    maxConcurrency: 1,
  });
  expect((await server.stats()).recorded[3]).toMatchObject({
    path: '/v1/completions',
    body: { model: 'm', prompt: 'a' },
  });
});

test('seeded rates hit the same requests in any order', async () => {
  const statusesOf = async (seed: number, prompts: readonly string[]) => {
    await using server = await startFaultServer({
      seed,
      latencyMs: 5,
      rates: [
        { rate: 0.2, fault: { type: 'status', status: 429 } },
        { rate: 0.2, fault: { type: 'status', status: 500 } },
      ],
    });
    const answers = await Promise.all(prompts.map((prompt) => post(server, prompt)));
    expect((await server.stats()).maxConcurrency).toBeGreaterThan(1);
    return new Map(answers.map(({ status }, index) => [prompts[index], status]));
  };
  const prompts = Array.from({ length: 100 }, (_, index) => `row ${index}`);
  const first = await statusesOf(1, prompts);
  expect(await statusesOf(1, prompts.toReversed())).toEqual(first);
  expect(await statusesOf(2, prompts)).not.toEqual(first);
  for (const status of [429, 500]) {
    const hits = [...first.values()].filter((value) => value === status).length;
    expect(hits).toBeGreaterThan(8);
    expect(hits).toBeLessThan(35);
  }
});

test('runs in a process of its own', async () => {
  await using server = await startFaultServerProcess({
    rules: [{ prompt: 'trouble', fault: { type: 'status', status: 500 } }],
  });
  expect(await post(server, '20 + 22')).toEqual({ status: 200, text: '42' });
  expect(await post(server, 'trouble')).toMatchObject({ status: 500 });
  expect(await server.stats()).toMatchObject({ requests: 2, byPrompt: { trouble: 1 } });
});
