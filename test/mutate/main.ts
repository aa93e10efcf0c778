import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseMutations } from './choose-mutations.ts';
import { allMutations, compileCopy } from './compiled-copy.ts';
import type { NumberedMutation } from './mutations.ts';
import { listedChanges, nameOf } from './not-noticed.ts';
import { runJudge } from './run-judge.ts';
import { rooms } from './source-file.ts';
import { readVerdicts, unfinished, writeVerdict } from './verdicts.ts';

/**
 * Changes single operators and constants of the code, one at a time, and runs the tests that reach
 * them until one fails. All changes are compiled into one copy of the project, each behind a switch.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    /** Several with commas between them are judged together and counted each for itself. */
    seed: { type: 'string', default: '1' },
    /** Only changes of files whose paths hold this, such as `src/stats`. */
    files: { type: 'string', default: '' },
    /** Only rounds of tests whose paths begin with this, such as `src/` or `test/recorded/`. */
    tests: { type: 'string' },
    /** The most seconds of tests in processes of their own for one change that is left; 0 for none. */
    seconds: { type: 'string', default: '60' },
    /** What is judged; a later start goes on from there. */
    out: { type: 'string', default: 'mutations.jsonl' },
  },
});
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'typecase-mutate-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const copy = join(scratch, 'copy');
const out = resolve(values.out);
const listed = listedChanges();

const all = allMutations(root);
console.error(`${all.length} changes are possible.`);
const names = new Set(all.map(nameOf));
for (const name of listed) {
  if (!names.has(name)) console.error(`not-noticed.md lists what is not there: ${name}`);
}
const samples = values.seed.split(',').map((seed) => ({
  seed,
  mutations: chooseMutations(
    all.filter(({ file }) => file.includes(values.files)),
    { seed, count: Number(values.count) },
  ),
}));
const asked = new Set(samples.flatMap(({ mutations }) => mutations));
const judged = [...asked].filter((one) => !listed.has(nameOf(one)));

compileCopy(root, copy, judged);

/** Tests of all that comes of many inputs, and those of each room. */
const recorded = 'test/recorded/';
const recordedOf: Readonly<Record<string, readonly string[]>> = {
  prompt: ['prompts', 'calls', 'looks'],
  evaluation: ['looks', 'calls', 'scenarios'],
  run: ['calls', 'histories', 'scenarios'],
  score: ['readings', 'measures', 'scorers', 'scenarios'],
  stats: ['numbers'],
  data: ['data', 'calls'],
};

/** The fast tests come first: what they notice is not asked of the others. */
const quickRounds = [
  ...rooms.map((room) => ({ tests: `src/${room}/`, testMs: 100, changesMs: 2000 })),
  { tests: recorded, testMs: 2000, changesMs: 60_000 },
];
const slowRounds = [
  { tests: 'test/integration/joints/joints.test.ts', testMs: 20_000, changesMs: 300_000 },
  { tests: 'src/', testMs: 2000, changesMs: 30_000 },
  { tests: 'test/', testMs: 20_000, changesMs: 300_000 },
];

function left(): NumberedMutation[] {
  const noticed = new Set(
    readVerdicts(out).flatMap((line) => (line.type === 'noticed' ? [line.change] : [])),
  );
  return judged.filter(({ number }) => !noticed.has(number));
}

await judgeIn(quickRounds);
await judgeStarts();
await judgeIn(slowRounds);

async function judgeIn(rounds: typeof quickRounds): Promise<void> {
  for (const { tests, testMs, changesMs } of rounds) {
    if (values.tests !== undefined && !tests.startsWith(values.tests)) continue;
    if (left().length === 0) break;
    const chosen = join(scratch, 'chosen.json');
    writeFileSync(chosen, JSON.stringify(left().map(({ number }) => number)));
    const env = {
      TYPECASE_VERDICTS: out,
      TYPECASE_CHOSEN: chosen,
      TYPECASE_TEST_MS: String(testMs),
      TYPECASE_CHANGES_MS: String(changesMs),
      TYPECASE_BUILD: tests === 'test/' ? 'yes' : '',
    };
    do {
      const { output } = await runJudge([tests], { copy, env, cpuSeconds: 7200 });
      console.error(output.split('\n').slice(-6).join('\n'));
      console.error(`${left().length} of ${judged.length} changes are left after ${tests}.`);
    } while (unfinished(readVerdicts(out)));
  }
}

async function judgeStarts(): Promise<void> {
  if (Number(values.seconds) === 0) return;
  const outside = new Map<number, string[]>();
  for (const verdict of readVerdicts(out)) {
    if (verdict.type !== 'outside' || verdict.file.startsWith(recorded)) continue;
    for (const change of verdict.changes) {
      outside.set(change, [...(outside.get(change) ?? []), verdict.file]);
    }
  }
  for (const mutation of left()) {
    const files = outside.get(mutation.number) ?? [];
    if (mutation.isAtLoad || files.length > 0) await judgeFromStart(mutation, files);
  }
  console.error(`${left().length} of ${judged.length} changes are left after starts anew.`);
}

/** For what happens while modules are loaded and hooks run: a process makes the change from its start. */
async function judgeFromStart({ number, file }: NumberedMutation, files: readonly string[]) {
  const [, room = ''] = file.split('/');
  const ofRoom = (recordedOf[room] ?? []).map((name) => `${recorded}${name}.test.ts`);
  for (const tests of [[`${dirname(file)}/`], [...ofRoom, ...files]]) {
    const { code, output } = await runJudge(['--bail', '1', '--passWithNoTests', ...tests], {
      copy,
      env: { TYPECASE_MUTATION: String(number) },
      cpuSeconds: Number(values.seconds),
    });
    // A process that was stopped at its limit says nothing of the change.
    const test = code === 0 ? undefined : /FAIL\S*\s+(.*)/.exec(output)?.[1];
    if (test === undefined || !(await passesAsItIs(test))) continue;
    writeVerdict(out, { type: 'noticed', change: number, test, how: 'fails from the start' });
    return;
  }
}

/** Whether the file of a test passes without a change. */
async function passesAsItIs(test: string): Promise<boolean> {
  const [file = ''] = test.split(' ');
  const env = { TYPECASE_MUTATION: '0' };
  return (await runJudge([file], { copy, env, cpuSeconds: Number(values.seconds) })).code === 0;
}

const unnoticed = new Set(left());
const say = ({ file, line, before, after, code }: NumberedMutation) =>
  console.log(`  ${file}:${line}  ${before} → ${after}  in  ${code}`);
for (const { seed, mutations } of samples) {
  const missed = mutations.filter((one) => unnoticed.has(one));
  const fromList = mutations.filter((one) => listed.has(nameOf(one))).length;
  const noticed = mutations.length - missed.length - fromList;
  console.log(`seed ${seed}: ${noticed} of ${mutations.length} changes noticed`);
  console.log(`${fromList} of the others are listed in not-noticed.md.`);
}
const hanging = readVerdicts(out).filter(
  (line) => line.type === 'noticed' && /^(took too long|the process ended)$/.test(line.how),
);
if (hanging.length > 0) console.log(`${hanging.length} noticed because a test did not end.`);
if (unnoticed.size > 0) console.log('Not noticed, and not listed:');
for (const mutation of unnoticed) say(mutation);
process.exitCode = unnoticed.size > 0 ? 1 : 0;
