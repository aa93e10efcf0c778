import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localModel } from '../src/model/local/local-model.ts';

// Answers and loglikelihoods of one model, by Typecase and by Transformers.js on the same weights, runtime and threads,
// each in a process of its own. They take turns; the best of the turns counts, for noise only adds.

const folder = fileURLToPath(new URL('transformers', import.meta.url));
const path = process.argv[2] ?? fileURLToPath(new URL('../models/typecase-tiny', import.meta.url));
const turns = 7;
const answerLength = 64;
const weighedRows = 16;
const bars = { generate: 1.5, weigh: 5 };

if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) {
  const args = ['ci', '--ignore-scripts', '--prefix', folder];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('Transformers.js cannot be installed');
}
const peer = fork(join(folder, 'peer.mjs'), [path]);
await once(peer, 'message');
const model = await localModel({ path });
const signal = AbortSignal.timeout(3_600_000);

interface Measured<Result> {
  readonly result: Result;
  readonly ms: number;
}

async function askPeer<Result>(job: object): Promise<Measured<Result>> {
  peer.send(job);
  const [answer] = (await once(peer, 'message')) as [Measured<Result>];
  return answer;
}

async function timed<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const promptsOf = (turn: number, count: number) =>
  Array.from({ length: count }, (_, row) => `${row} and ${turn}: `.padEnd(24, 'abcdefgh'));

async function generate(prompts: readonly string[]): Promise<number> {
  const answers = await Promise.all(
    prompts.map((text) =>
      model.generate({ prompt: { type: 'text', text }, maxOutLen: answerLength }, { signal }),
    ),
  );
  return answers.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0);
}

/** Four choices after five examples, the same for all rows. */
function choicesOf(turn: number): readonly (readonly string[])[] {
  const shots = Array.from({ length: 5 }, (_, shot) => {
    const left = (turn * 37 + shot * 11) % 90;
    return `Question: What is ${left} plus ${shot + 12}?\nA. ${left + 3}\nB. ${left + shot + 12}\nC. ${left}\nD. 77\nAnswer: B\n\n`;
  }).join('');
  return Array.from({ length: weighedRows }, (_, row) => {
    const context = `${shots}Question: What is ${row + 10} plus ${row}?\nA. ${row}\nB. ${row + 3}\nC. ${2 * row + 10}\nD. 99\nAnswer: `;
    return ['A', 'B', 'C', 'D'].map((label) => context + label);
  });
}

async function weigh(rows: readonly (readonly string[])[]): Promise<number[]> {
  const measured = await Promise.all(
    rows.map((texts) =>
      model.loglikelihoodModel?.measure(
        { texts: texts.map((text) => ({ text, from: 0 })) },
        { signal },
      ),
    ),
  );
  return measured.flatMap(
    (answer) =>
      answer?.logprobs.map(({ values }) =>
        values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
      ) ?? [],
  );
}

const best = new Map<string, number>();
function note(name: string, perSecond: number): void {
  best.set(name, Math.max(best.get(name) ?? 0, perSecond));
}

for (let turn = -1; turn < turns; turn++) {
  for (const count of [1, 16]) {
    const prompts = promptsOf(turn, count);
    const theirs = await askPeer<number>({ job: 'generate', prompts, length: answerLength });
    const ours = await timed(() => generate(prompts));
    if (turn < 0) continue;
    note(`peer generate ${count}`, (theirs.result / theirs.ms) * 1000);
    note(`ours generate ${count}`, (ours.result / ours.ms) * 1000);
  }
  const rows = choicesOf(turn);
  const theirs = await askPeer<number[]>({ job: 'weigh', rows });
  const ours = await timed(() => weigh(rows));
  const most = Math.max(
    ...theirs.result.map((sum, index) => Math.abs(sum - (ours.result[index] ?? Number.NaN))),
  );
  if (!(most < 0.05)) throw new Error(`loglikelihoods differ by up to ${most}`);
  if (turn < 0) continue;
  note('peer weigh', (theirs.result.length / theirs.ms) * 1000);
  note('ours weigh', (ours.result.length / ours.ms) * 1000);
}
peer.disconnect();
await model.close();

const lines = [
  { what: 'tokens/s, one answer at a time', key: 'generate 1' },
  { what: 'tokens/s, 16 answers at a time', key: 'generate 16', bar: bars.generate },
  { what: 'loglikelihoods/s, beginnings shared', key: 'weigh', bar: bars.weigh },
].map(({ what, key, bar }) => {
  const [ours = Number.NaN, theirs = Number.NaN] = ['ours', 'peer'].map((who) =>
    best.get(`${who} ${key}`),
  );
  return { what, ours, theirs, ratio: ours / theirs, bar };
});
console.table(
  lines.map(({ what, ours, theirs, ratio, bar }) => ({
    what,
    Typecase: Math.round(ours),
    'Transformers.js': Math.round(theirs),
    ratio: Number(ratio.toFixed(2)),
    bar: bar === undefined ? '' : `≥ ${bar}`,
  })),
);
if (lines.some(({ ratio, bar = 0 }) => !(ratio >= bar))) process.exitCode = 1;
