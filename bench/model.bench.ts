import { strictEqual } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { openAiModel } from '../src/model/openai-model.ts';
import { median } from './measure.ts';

const concurrency = 64;
const requestsPerSlice = 4_000;
const slices = 11;
const question =
  'Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. ' +
  'How many clips did Natalia sell altogether in April and May? Give the number only.';
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: '72' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 61, completion_tokens: 1, total_tokens: 62 },
};

const serverFile = fileURLToPath(new URL('loopback-server.ts', import.meta.url));
const server = fork(serverFile, [JSON.stringify(completion)]);
const [{ port }] = (await once(server, 'message')) as [AddressInfo];
const origin = `http://127.0.0.1:${port}`;
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
const model = openAiModel({
  takes: 'messages',
  baseUrl: origin,
  model: 'bench',
  maxOutLen: 16,
  generationKwargs: { temperature: 0 },
  connections: concurrency,
  source: [],
});
const { signal } = new AbortController();

async function askPool(index: number): Promise<string> {
  const { body } = await pool.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'bench',
      messages: [{ role: 'user', content: `${index}. ${question}` }],
      max_tokens: 16,
      temperature: 0,
    }),
  });
  const answer = (await body.json()) as typeof completion;
  return answer.choices[0]?.message.content ?? '';
}

async function askModel(index: number): Promise<string> {
  const prompt = { type: 'text', text: `${index}. ${question}` } as const;
  return (await model.generate({ prompt }, { signal })).text;
}

interface Slice {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function measureSlice(send: (index: number) => Promise<string>): Promise<Slice> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let sent = 0;
  const work = async () => {
    while (sent < requestsPerSlice) strictEqual(await send(sent++), '72');
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: (requestsPerSlice / (performance.now() - start)) * 1000,
    cpuMicroseconds: (user + system) / requestsPerSlice,
  };
}

const bare: Slice[] = [];
const typecase: Slice[] = [];
for (let slice = -2; slice < slices; slice++) {
  const pair = [await measureSlice(askPool), await measureSlice(askModel)] as const;
  if (slice < 0) continue;
  bare.push(pair[0]);
  typecase.push(pair[1]);
}
await Promise.all([pool.close(), model.close()]);
server.disconnect();

const rate = (values: Slice[]) => median(values.map(({ perSecond }) => perSecond));
const cpu = (values: Slice[]) => median(values.map(({ cpuMicroseconds }) => cpuMicroseconds));
const results = [
  { way: 'bare undici Pool', ...figures(bare) },
  { way: 'model.generate', ...figures(typecase) },
];

function figures(values: Slice[]) {
  return {
    requestsPerSecond: Math.round(rate(values)),
    cpuMicrosecondsPerRequest: Number(cpu(values).toFixed(1)),
    ofBare: Number((rate(values) / rate(bare)).toFixed(2)),
    cpuOfBare: Number((cpu(values) / cpu(bare)).toFixed(2)),
  };
}

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else console.table(results);
