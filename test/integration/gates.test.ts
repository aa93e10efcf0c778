import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GateOptions } from '../../src/api/with-gates.ts';
import { type ConfigInput, evaluate, type RunControl, rescore } from '../../src/index.ts';
import { describeGates } from '../../src/report/describe-gates.ts';
import { exitCodeOf } from '../../src/report/gate.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, runArguments, sums } from './run-task.ts';

/** How a row is to end; rows are asked in the order of these letters. */
type Ending = 'a right' | 'b wrong' | 'c unscored' | 'd thrown' | 'e failed' | 'y right, then stop';

const rowsOf = (endings: readonly Ending[]) =>
  endings.map((ending, index) => ({ ending: `${ending} ${index}` }));

/** Asks about rows that end so, one after the other, on a server that fails as told. */
async function evaluateRows(
  endings: readonly (Ending | 'z missing')[],
  options: GateOptions,
  gate?: ConfigInput['gate'],
) {
  let control: RunControl | undefined;
  await using server = await startFaultServer({
    rules: [{ prompt: 'e failed', fault: { type: 'status', status: 400, message: 'too odd' } }],
    answer: (prompt) => {
      if (prompt.includes('then stop')) control?.stop();
      return prompt;
    },
  });
  const cwd = await writeFolder({});
  const config: ConfigInput = {
    ...(gate && { gate }),
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'x', batch_size: 1 }],
    datasets: [
      {
        abbr: 'd',
        rows: rowsOf(endings as readonly Ending[]),
        reader_cfg: { input_columns: ['ending'], output_column: null },
        infer_cfg: { prompt_template: { template: '{ending}' } },
        eval_cfg: {
          evaluator: {
            type: 'function',
            metric: 'accuracy',
            score: (answer: string) => {
              if (answer.includes('thrown')) throw new Error('no such answer');
              return answer.includes('unscored') ? null : answer.includes('right');
            },
          },
        },
      },
    ],
  };
  const out = join(cwd, 'out');
  const { summary } = await evaluate(config, {
    ...options,
    out,
    onStart: (started) => {
      control = started;
    },
  });
  const written = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));
  expect(written.gates).toEqual(summary.gates);
  const junit = await readFile(join(out, 'junit.xml'), 'utf8');
  return { summary, junit, out };
}

const many = <Kind>(count: number, ending: Kind) => Array.from({ length: count }, () => ending);

test.each<
  [
    string,
    endings: readonly (Ending | 'z missing')[],
    options: GateOptions,
    expected: { code: number; line?: string; junit?: string; allRows?: number },
  ]
>([
  [
    'a scorer that throws on 99 of 100 rows',
    ['a right', ...many(99, 'd thrown' as const)],
    { failUnder: 0.8 },
    {
      code: 3,
      line: 'accuracy 100.0 with 99 of 100 rows not scored counted as wrong = 1.0, needs at least 80.0',
      junit:
        '<failure type="allow-failed" message="the scorer failed on 99 of 100 rows, allowed 0;',
      allRows: 0.01,
    },
  ],
  [
    'all rows but one refused',
    ['a right', ...many(11, 'e failed' as const)],
    { failUnder: 0.8 },
    { code: 3, line: '11 of 12 rows failed, allowed 0', junit: 'failures="1"', allRows: 1 / 12 },
  ],
  [
    'half of the rows unscored',
    ['a right', 'a right', 'b wrong', ...many(3, 'c unscored' as const)],
    { failUnder: 0.6 },
    {
      code: 1,
      line: 'Gate failed: m on d: accuracy 66.7 with 3 of 6 rows not scored counted as wrong = 33.3, needs at least 60.0',
      junit: 'not scored: the function gave no score',
      allRows: 1 / 3,
    },
  ],
  [
    'one refusal to answer',
    ['a right', 'c unscored'],
    { failUnder: 1 },
    { code: 1, junit: 'row 1: not scored', allRows: 0.5 },
  ],
  ['failed rows without a gate', ['a right', 'e failed'], {}, { code: 3, allRows: 0.5 }],
  [
    'failed rows that are allowed',
    ['a right', 'a right', 'e failed'],
    { allowFailed: '34%', failUnder: 0.6 },
    { code: 0, line: 'All 2 gates passed.', junit: 'failures="0"', allRows: 2 / 3 },
  ],
  ['unscored rows without a gate', ['a right', 'c unscored'], {}, { code: 0, allRows: 0.5 }],
  [
    'too many unscored rows',
    ['a right', 'c unscored'],
    { maxUnscored: 0 },
    { code: 1, line: '1 of 2 rows not scored, allowed 0', allRows: 0.5 },
  ],
  [
    'a scorer that throws on every row',
    many(3, 'd thrown' as const),
    { allowFailed: '100%' },
    { code: 3, junit: '<error type="no-score"' },
  ],
  [
    'a run that is stopped',
    ['a right', 'y right, then stop', 'z missing'],
    { failUnder: 0.1 },
    { code: 3, line: '1 of 3 rows missing', junit: '<error type="incomplete"' },
  ],
])('%s', async (_, endings, options, { code, line, junit = '', allRows }) => {
  const ended = await evaluateRows(endings, options);
  const [result] = ended.summary.results;
  expect(exitCodeOf(ended.summary)).toBe(code);
  if (line) expect(describeGates(ended.summary).join('\n')).toContain(line);
  expect(ended.junit).toContain(junit);
  expect(result?.allRows?.value).toBe(allRows);
});

test('drawn endings and gates end as the rules say', async () => {
  const endings = ['a right', 'b wrong', 'c unscored', 'd thrown', 'e failed'] as const;
  const drawn = fc.record({
    others: fc.array(fc.constantFrom(...endings), { maxLength: 8 }),
    failUnder: fc.nat(10).map((tenths) => tenths / 10),
    allowFailed: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ others, failUnder, allowFailed }) => {
      const { summary } = await evaluateRows(['a right', ...others], { failUnder, allowFailed });
      const count = (wanted: string) => others.filter((ending) => ending === wanted).length;
      const failed = count('d thrown') + count('e failed');
      const share = (1 + count('a right')) / (1 + others.length);
      const code = failed > allowFailed ? 3 : share < failUnder ? 1 : 0;
      expect(exitCodeOf(summary)).toBe(code);
      expect(summary.results[0]?.rows).toMatchObject({ failed: count('e failed'), missing: 0 });
    }),
    { numRuns: 8 },
  );
});

test('a server that fails on every row ends a run, whatever is allowed', async () => {
  const run = evaluateRows(many(3, 'e failed'), { allowFailed: '100%' });
  await expect(run).rejects.toThrow(expect.objectContaining({ code: 'model.request_refused' }));
});

test('a run that is scored again is held to what it was held to', async () => {
  const gate = { fail_under: '60%' as const, allow_failed: 1, max_unscored: '50%' as const };
  const { out, summary } = await evaluateRows(['a right', 'a right', 'e failed'], {}, gate);
  expect(exitCodeOf(summary)).toBe(0);
  const again = await rescore(out, { evaluator: 'contains' });
  expect(again.summary.gates).toEqual([
    { ...summary.gates?.[0], passed: true },
    { ...summary.gates?.[1], got: 2, passed: false },
    expect.objectContaining({ asked: 0.6, passed: false, problem: 'no_score' }),
  ]);
  const stricter = await rescore(out, { evaluator: 'contains', allowFailed: 0 });
  expect(exitCodeOf(stricter.summary)).toBe(3);
});

test('a gate of the command that scores again does not take the place of that of the run', async () => {
  const gate = { fail_under: '60%' as const, allow_failed: 1 };
  const { out } = await evaluateRows(['a right', 'b wrong', 'b wrong'], {}, gate);
  const loose = await rescore(out, { evaluator: 'contains', failUnder: 0, allowFailed: 0 });
  expect(loose.summary.gates).toEqual([
    expect.objectContaining({ gate: 'allow_failed', asked: 0, recorded: 1 }),
    expect.objectContaining({ gate: 'fail_under', asked: 0, recorded: 0.6 }),
  ]);
  expect(describeGates(loose.summary).join()).toContain(
    "needs at least 0.0; the run's own limit is 60.0",
  );
  const again = await rescore(out, { evaluator: 'contains' });
  expect(again.summary.gates).toEqual([
    expect.objectContaining({ gate: 'allow_failed', asked: 1 }),
    expect.objectContaining({ gate: 'fail_under', asked: 0.6 }),
  ]);
  expect(again.summary.gates?.every(({ recorded }) => recorded === undefined)).toBe(true);
});

/** Every seventh sum is wrong, and of those that are told in words nothing can be read. */
test('the command names the gate and its figures on every channel', async () => {
  await using server = await startFaultServer({
    rules: [{ prompt: 'What is 9 + 7', fault: { type: 'status', status: 400, message: 'odd' } }],
    answer: (prompt) => (/ [1-3] \+/.test(prompt) ? 'I cannot tell.' : `It is ${sumIn(prompt)}`),
  });
  const evaluator = { eval_cfg: { evaluator: { type: 'number' } } };
  const cwd = await writeFolder({
    'config.json': configFor(server.url, { gate: { allow_failed: 1 } }, evaluator),
    'rows.jsonl': sums(10),
  });
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'job.md') };
  const run = (...flags: string[]) =>
    runCli(['run', 'config.json', '--out', 'out', ...flags], { cwd, env });
  const figures =
    'm on d: accuracy 66.7 with 4 of 10 rows not scored counted as wrong = 40.0, needs at least 60.0';
  const failing = await run('--fail-under', '60%');
  expect(failing.code).toBe(1);
  expect(failing.stderr).toContain(`Gate failed: ${figures}\n`);
  expect(failing.stderr).toContain('1 row failed; the same command retries none of them.');
  expect(failing.stdout).toMatch(/score +interval +all rows +rows +unscored +failed/);
  expect(failing.stdout).toMatch(/66\.7 +\[30\.0, 90\.3\] +40\.0 +6\/10 +3 +1\n/);
  expect(await readFile(join(cwd, 'out/junit.xml'), 'utf8')).toContain(
    `message="${figures.slice('m on d: '.length)}"`,
  );
  const job = await readFile(join(cwd, 'job.md'), 'utf8');
  expect(job).toContain(`❌ 1 gate failed:\n\n- ${figures}\n  - row 9: failed: `);
  expect(job).toContain('✅ 1 gate passed.');
  const reached = await run('--fail-under', '40%');
  expect([reached.code, reached.stderr]).toEqual([
    0,
    expect.stringContaining('All 2 gates passed.\n'),
  ]);
  expect((await run('--allow-failed', '0')).code).toBe(3);
  const scored = await runCli(['score', 'out', '--max-unscored', '20%', '--allow-failed', '1'], {
    cwd,
  });
  expect([scored.code, scored.stderr]).toEqual([
    1,
    expect.stringContaining('Gate failed: m on d: 3 of 10 rows not scored, allowed 20%'),
  ]);
  expect((await run('--allow-failed', 'some')).code).toBe(2);
  expect((await runCli(runArguments('--max-unscored', '0.1'), { cwd })).code).toBe(2);
}, 60_000);

function sumIn(prompt: string): number {
  const [, left, right] = /(\d+) \+ (\d+)/.exec(prompt) ?? [];
  return Number(left) + Number(right);
}

test.each([undefined, 'v1'])(
  'rows that may fail end no run, however often it starts (version %s)',
  async (version) => {
    const cwd = await writeFolder({});
    const config: ConfigInput = {
      models: [
        {
          abbr: 'app',
          version,
          generate: async ({ row }) => {
            if (Number(row.n) % 4 > 0) throw new Error('too odd');
            return '4';
          },
        },
      ],
      datasets: [
        {
          abbr: 'd',
          rows: Array.from({ length: 40 }, (_, n) => ({ n, a: '4' })),
          reader_cfg: { input_columns: ['n'], output_column: 'a' },
          infer_cfg: { prompt_template: { template: '{n}' } },
          eval_cfg: { evaluator: { type: 'exact' } },
        },
      ],
    };
    for (let start = 0; start < 3; start += 1) {
      const { summary } = await evaluate(config, { out: join(cwd, 'out'), allowFailed: 30 });
      expect(summary.results[0]?.rows).toMatchObject({ scored: 10, failed: 30 });
      expect(exitCodeOf(summary)).toBe(0);
    }
  },
);

test.each([
  ['50%', undefined],
  ['50%', 3],
  [20, undefined],
])('rows that may fail by %s end no run, also if they come first (n: %s)', async (allowed, n) => {
  const { summary } = await evaluate(failingFirst(20, n), {
    out: join(await writeFolder({}), 'out'),
    allowFailed: allowed as '50%' | 20,
  });
  expect(summary.results[0]?.rows).toMatchObject({ scored: 20, failed: 20, missing: 0 });
  expect(exitCodeOf(summary)).toBe(0);
});

test.each(['45%', 8])(
  'a run ends once more rows failed than %s, and none was answered',
  async (allowed) => {
    const asked = { count: 0 };
    const out = join(await writeFolder({}), 'out');
    const config = failingFirst(40, undefined, asked);
    await expect(evaluate(config, { out, allowFailed: allowed as '45%' | 8 })).rejects.toThrow(
      'too odd',
    );
    expect(asked.count).toBeLessThan(40);
  },
);

/** Forty rows, on the first of which the model fails. */
function failingFirst(failing: number, n?: number, asked = { count: 0 }): ConfigInput {
  const generate = async ({ row }: { readonly row: Readonly<Record<string, unknown>> }) => {
    asked.count += 1;
    if (Number(row.n) < failing) throw new Error('too odd');
    return '4';
  };
  return {
    models: [{ abbr: 'app', version: 'v1', batch_size: 1, generate }],
    datasets: [
      {
        abbr: 'd',
        n,
        rows: Array.from({ length: 40 }, (_, id) => ({ n: id, a: '4' })),
        reader_cfg: { input_columns: ['n'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{n}' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
}
