import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const contenders = 8;
const rounds = 50;

it(`lets exactly one of ${contenders} processes take over a lock that was left behind, ${rounds} times`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-lock-'));
  const script = join(import.meta.dirname, 'lock-contender.ts');
  const options = { execArgv: ['--import', 'tsx'] };
  const children = Array.from({ length: contenders }, () => fork(script, options));
  onTestFinished(async () => {
    for (const child of children) child.kill();
    await rm(folder, { recursive: true });
  });
  await Promise.all(children.map(answerOf));
  const ended = spawnSync(process.execPath, ['--version']).pid;
  for (let round = 0; round < rounds; round++) {
    await writeFile(join(folder, '.lock'), String(ended));
    const answers = await Promise.all(children.map((child) => ask(child, { lock: folder })));
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'run.in_use')).toHaveLength(contenders - 1);
    await Promise.all(children.map((child) => ask(child, {})));
    expect(await readdir(folder)).toEqual([]);
  }
}, 120_000);

function ask(child: ChildProcess, message: object): Promise<unknown> {
  child.send(message);
  return answerOf(child);
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [answer] = await once(child, 'message');
  return answer;
}
