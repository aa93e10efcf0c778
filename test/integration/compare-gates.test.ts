import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  brokenGates,
  type CompareGates,
  type ConfigInput,
  compareRuns,
  type EvaluateOptions,
  evaluate,
  type RunControl,
} from '../../src/index.ts';
import { type FaultServer, startFaultServer } from '../fault-server/index.ts';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

let server: FaultServer;
let answer: (prompt: string) => string = (prompt) => prompt;

beforeAll(async () => {
  server = await startFaultServer({ answer: (prompt) => answer(prompt) });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Item {
  readonly q: string;
  readonly gold: string;
  readonly note?: string;
}

const items: readonly Item[] = Array.from({ length: 12 }, (_, id) => {
  const gold = id % 2 === 0 ? 'yes' : 'no';
  return { q: `${String(id).padStart(2, '0')} ${gold}`, gold, note: `${id}` };
});

const right = (prompt: string) => prompt.slice(3);

interface Side {
  readonly rows?: readonly Item[];
  readonly datasets?: readonly string[];
  readonly evaluator?: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly answer?: (prompt: string) => string;
  readonly options?: EvaluateOptions;
  readonly stopAfter?: string;
}

async function runSide(out: string, side: Side): Promise<void> {
  const { rows = items, datasets = ['d'], evaluator = { type: 'exact' }, options } = side;
  let control: RunControl | undefined;
  const say = side.answer ?? right;
  answer = (prompt) => {
    if (side.stopAfter !== undefined && prompt.startsWith(side.stopAfter)) control?.stop();
    return say(prompt);
  };
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'x', batch_size: 1 }],
    datasets: datasets.map((abbr) => ({
      abbr,
      rows,
      reader_cfg: { input_columns: ['q'], output_column: 'gold' },
      infer_cfg: { prompt_template: { template: '{q}' } },
      eval_cfg: { evaluator },
    })),
  } as unknown as ConfigInput;
  const onStart = (started: RunControl) => {
    control = started;
  };
  await evaluate(config, { ...options, out, onStart });
}

async function compareThem(a: Side, b: Side) {
  const folder = await writeFolder({});
  const [left, right] = [join(folder, 'a'), join(folder, 'b')];
  await runSide(left, a);
  await runSide(right, b);
  return { left, right, comparison: await compareRuns(left, right, { flips: 0 }) };
}

const gates: readonly CompareGates[] = [
  { maxRegressions: 100 },
  { maxDrop: 100 },
  { failIfWorse: true },
  { requireSamePrompts: true },
];
const changed = items.map((item) => ({ ...item, q: `${item.q}!`, gold: `${item.gold}!` }));
const labels = { type: 'classification', labels: ['yes', 'no'] };
const empty = (prompt: string) => (prompt < '03' ? '' : right(prompt));
const lost = (count: number, of = 12) =>
  `d: ${count} of ${of} rows of A have no counterpart in B, allowed 0 (--allow-unpaired).`;
const lackedByA = (count: number) =>
  `d: ${count} of 12 rows of B have no counterpart in A, allowed 0 (--allow-unpaired).`;

test.each<
  [string, a: Side, b: Side, told: string | string[], allow: CompareGates['allowUnpaired']]
>([
  ['rows that a limit leaves out', {}, { options: { limit: 9 } }, lost(3), 3],
  ['rows that B did not get to', {}, { stopAfter: '03' }, lost(8), '67%'],
  [
    'rows that changed',
    {},
    { rows: [...items.slice(0, 1), ...changed.slice(1)] },
    [lost(11), lackedByA(11)],
    11,
  ],
  [
    'a task that B lacks',
    { datasets: ['d', 'e'] },
    {},
    'm/e: 12 of 12 rows of A have no counterpart in B, allowed 0 (--allow-unpaired).',
    '100%',
  ],
])('no gate passes with %s', async (_, a, b, told, allowUnpaired) => {
  const { comparison, left, right } = await compareThem(a, b);
  for (const gate of gates) {
    expect(brokenGates(comparison, gate)).toEqual([told].flat());
    expect(brokenGates(comparison, { ...gate, allowUnpaired })).toEqual([]);
  }
  expect(brokenGates(comparison, {})).toEqual([]);
  const command = ['compare', left, right, '--max-drop', '100', '--json'];
  expect(await callCommand(command)).toMatchObject({
    code: 1,
    stderr: `${[told].flat().join('\n')}\n`,
  });
  const allowed = [...command, '--allow-unpaired', String(allowUnpaired)];
  expect(await callCommand(allowed)).toMatchObject({ code: 0, stderr: '' });
});

test.each<[string, a: Side, b: Side, told: string, allow: CompareGates['allowUnpaired']]>([
  ['a limit', { options: { limit: 5 } }, {}, 'd: 7 of 12', 7],
  ['chosen rows', { options: { ids: new Set([1]) } }, {}, 'd: 11 of 12', '95%'],
  ['an interrupt', { stopAfter: '03' }, {}, 'd: 8 of 12', 8],
  ['a task less', {}, { datasets: ['d', 'e'] }, 'm/e: 12 of 12', '100%'],
])('no gate passes where A lacks rows: %s', async (_, a, b, told, allowUnpaired) => {
  const { comparison } = await compareThem(a, b);
  const whole = `${told} rows of B have no counterpart in A, allowed 0 (--allow-unpaired).`;
  for (const gate of gates) {
    expect(brokenGates(comparison, gate)).toEqual([whole]);
    expect(brokenGates(comparison, { ...gate, allowUnpaired })).toEqual([]);
  }
  const way = a.options?.limit ? '--limit 5.' : a.options?.ids ? '--ids.' : undefined;
  const chosen = comparison.warnings.filter((text) => text.includes('chosen rows'));
  expect(chosen).toEqual(way ? [expect.stringMatching(`^A .*has chosen rows only: ${way}$`)] : []);
});

test('a column that no prompt shows parts no rows', async () => {
  const noted = items.map((item) => ({ ...item, note: `${item.note}, seen` }));
  const { comparison } = await compareThem({}, { rows: noted });
  expect(comparison.tasks[0]).toMatchObject({
    pairing: { rows: 12, otherColumns: 12, unpaired: { a: 0, b: 0 } },
    leftOut: [],
  });
  expect(comparison.warnings.join()).toContain(
    'd: 12 rows with other values in B in columns that prompts do not show',
  );
  for (const gate of gates) expect(brokenGates(comparison, gate)).toEqual([]);
  const wrong = noted.map((item) => ({ ...item, gold: 'other' }));
  await expect(compareThem({}, { rows: wrong })).rejects.toMatchObject({
    code: 'compare.no_common_rows',
  });
});

test.each<[string, NonNullable<Side['evaluator']>, string]>([
  ['macro F1', labels, 'macro_f1'],
  ['TER', { type: 'ter' }, 'ter'],
])('%s: scores that B lost do not pass', async (_, evaluator, metric) => {
  const { comparison } = await compareThem({ evaluator }, { evaluator, answer: empty });
  const told = `d: 3 of 12 rows not scored in B, 0 in A; ${metric} cannot count them as wrong, allowed 0 (--allow-unpaired).`;
  for (const gate of [{ maxDrop: 0 }, { failIfWorse: true }]) {
    expect(brokenGates(comparison, gate)).toEqual([told]);
    expect(brokenGates(comparison, { ...gate, allowUnpaired: '25%' })).toEqual([]);
  }
  expect(comparison.tasks[0]?.result).toMatchObject({ pairs: 9, difference: 0 });
  expect(comparison.tasks[0]?.result?.interval).toBeUndefined();
  const back = await compareThem({ evaluator, answer: empty }, { evaluator });
  expect(brokenGates(back.comparison, { maxDrop: 0, failIfWorse: true })).toEqual([]);
});

test('B is worse where it is so by rows counted as wrong, and where nothing is scored', async () => {
  const worse = await compareThem({}, { answer: (prompt) => (prompt < '07' ? '' : right(prompt)) });
  expect(brokenGates(worse.comparison, { failIfWorse: true })).toEqual([
    'd: counting unscored rows as wrong, B is worse (--fail-if-worse).',
  ]);
  const none = await compareThem({}, { answer: () => '' });
  expect(brokenGates(none.comparison, { failIfWorse: true })).toEqual([
    'd: no row is scored on both sides (--fail-if-worse).',
  ]);
});

test('a measure of all rows that is lost in every one is worse without an interval', async () => {
  const other = (prompt: string) => (right(prompt) === 'yes' ? 'no' : 'yes');
  const { comparison } = await compareThem(
    { evaluator: labels },
    { evaluator: labels, answer: other },
  );
  expect(comparison.tasks[0]?.verdict).toMatchObject({ type: 'a-better' });
  expect(brokenGates(comparison, { failIfWorse: true })).toEqual([
    'd: B is worse (--fail-if-worse).',
  ]);
});

test.each<[object, string]>([
  [{ maxDrop: -1 }, 'The option `maxDrop` is -1'],
  [{ maxDrop: { points: 1 } }, 'The option `maxDrop` is {"points":1}'],
  [{ maxRegressions: '2' }, 'The option `maxRegressions` is 2'],
  [{ allowUnpaired: 1.5 }, 'The option `allowUnpaired` is 1.5'],
  [{ max_drop: 1 }, 'Unknown option `max_drop`'],
])('brokenGates refuses %j', (given, message) => {
  const comparison = { differences: [], tasks: [], level: 0.95, onlyIn: { a: [], b: [] } };
  expect(() => brokenGates(comparison, given as CompareGates)).toThrow(message);
});

test('rows that keep their score and pass no more are a loss', async () => {
  const evaluator = {
    type: 'function',
    score: (said: string) => ({ score: 0.8, pass: said !== 'hm' }),
  };
  const { comparison } = await compareThem({ evaluator }, { evaluator, answer: () => 'hm' });
  expect(brokenGates(comparison, { maxDrop: 50 })).toEqual([
    'd: 100.0 points fewer rows pass in B; at most 50.0 points may be lost (--max-drop).',
  ]);
  expect(brokenGates(comparison, { failIfWorse: true })).toEqual([
    'd: fewer rows pass in B (--fail-if-worse).',
  ]);
  expect(brokenGates(comparison, { maxDrop: 100 })).toEqual([]);
});
