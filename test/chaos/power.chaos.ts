import { cp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keyedRandom } from '../../src/base/keyed-random.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from '../integration/run-cli.ts';
import {
  configFor,
  endOf,
  readRows,
  runArguments,
  startRun,
  sums,
} from '../integration/run-task.ts';

const rows = 200;
const losses = 60;

/** What a loss of power may leave: files that end anywhere, hold zeros from there on, or are gone. */
async function losePower(folder: string, random: { next: () => number }): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const done: string[] = [];
  for (const file of files) {
    // The log is hit always, others now and then.
    if (!file.endsWith('.jsonl') && random.next() < 0.6) continue;
    const { size } = await stat(file);
    const end = Math.floor(random.next() * (size + 1));
    const kind = random.next();
    if (kind < 0.1 && !file.endsWith('.jsonl')) await rm(file);
    else await truncate(file, end);
    // The length of a file may be on the disk before what it holds.
    if (kind > 0.7) await truncate(file, size);
    done.push(
      `${file.slice(folder.length + 1)} at ${end} of ${size}${kind > 0.7 ? ', zeros' : ''}`,
    );
  }
  return done;
}

async function summaryOf(cwd: string) {
  const text = await readFile(join(cwd, 'out/summary.json'), 'utf8');
  const { complete, results } = JSON.parse(text);
  return [complete, results[0].rows, results[0].score];
}

it(`a loss of power at ${losses} points: the result of an undisturbed run, or a refusal`, async () => {
  await using server = await startFaultServer({ latencyMs: 5 });
  const files = { 'config.json': configFor(server.url), 'rows.jsonl': sums(rows) };
  const untouched = await writeFolder(files);
  expect((await runCli(runArguments(), { cwd: untouched })).code).toBe(0);
  const expected = await readRows(untouched, rows);
  // A run that was ended half way as well: it has no summary yet.
  const { requests } = await server.stats();
  const halfWay = await writeFolder(files);
  const running = startRun(halfWay, '--concurrency', '4');
  while ((await server.stats()).requests < requests + rows / 2)
    await new Promise((go) => setTimeout(go, 10));
  running.child.kill('SIGKILL');
  await endOf(running);

  const outcomes = new Map<string, number>();
  for (let loss = 0; loss < losses; loss++) {
    const cwd = await writeFolder(files);
    await cp(join(loss % 2 === 0 ? untouched : halfWay, 'out'), join(cwd, 'out'), {
      recursive: true,
    });
    await rm(join(cwd, 'out/.lock'), { force: true, recursive: true });
    const random = keyedRandom(18, `power ${loss}`);
    const lost = await losePower(join(cwd, 'out'), random);
    const { code, stderr } = await runCli(runArguments('--timeout', '5'), { cwd });
    const said = `${lost.join('; ')}\n${stderr}`;
    expect(said).not.toContain('This is a bug in Typecase');
    const [error = 'went on'] = /error\[[^\]]+\]/.exec(stderr) ?? [];
    outcomes.set(error, (outcomes.get(error) ?? 0) + 1);
    if (code !== 0) {
      // Refused by name, and not passed off as a result.
      expect([code, said]).toEqual([2, expect.stringMatching(/error\[run\./)]);
      continue;
    }
    expect([said, await readRows(cwd, rows)]).toEqual([said, expected]);
    expect(await summaryOf(cwd)).toEqual(await summaryOf(untouched));
  }
  console.log(`after a loss of power: ${JSON.stringify([...outcomes])}`);
});
