import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../integration/build-cli.ts';
import { report } from './table.ts';

const requests = 100_000;
const clients = 50;

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

test(`serve-model takes no more memory after ${requests} requests than after a tenth of them`, async () => {
  const child = spawn(process.execPath, [cli, 'serve-model', 'typecase-tiny', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  while (!said.includes('Ctrl-C')) said += (await once(child.stdout, 'data'))[0];
  const [, url] = / at (http:\S+)/.exec(said) ?? [];
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ask = async (number: number) => {
    const sent = request(`${url}/completions`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${number}` },
    });
    sent.end(JSON.stringify({ prompt: `${number}+7=`, max_tokens: 1, temperature: 0 }));
    const [response] = await once(sent, 'response');
    const body = await text(response);
    if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body}`);
  };
  const memory: number[] = [];
  let next = 0;
  for (const part of Array.from({ length: 10 }, (_, index) => (requests / 10) * (index + 1))) {
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < part) await ask(next++);
      }),
    );
    memory.push(residentMb(child.pid ?? 0));
  }
  agent.destroy();
  report(`serve-model, ${requests} requests`, { 'MB after each tenth': memory.join(' ') });
  expect(Math.max(...memory.slice(5))).toBeLessThan(1.15 * Math.max(...memory.slice(0, 5)));
});
