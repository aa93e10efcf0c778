import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

// What `typecase run` is measured against: the same bodies through a bare HTTP client, nothing kept.
const [, , origin = '', file = '', concurrency = '64'] = process.argv;
const pool = new Pool(origin, { connections: Number(concurrency), pipelining: 1 });
const bodies: unknown[] = [];
for await (const line of createInterface({ input: createReadStream(file) })) {
  bodies.push(JSON.parse(line));
}

let next = 0;
let right = 0;

async function work(): Promise<void> {
  while (next < bodies.length) {
    const { body } = await pool.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodies[next++]),
    });
    const answer = (await body.json()) as { choices: { message: { content: string } }[] };
    if (answer.choices[0]?.message.content === '72') right++;
  }
}

const cpu = process.cpuUsage();
const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(concurrency) }, work));
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpu);
await pool.close();
process.stdout.write(JSON.stringify({ seconds, cpuMicroseconds: user + system, right }));
