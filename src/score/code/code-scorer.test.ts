import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../prompt/values.ts';
import { compileScorer } from '../compile-scorer.ts';
import { prepareScorer } from '../open-scorer.ts';
import type { RowScore } from '../scorer.ts';
import { splitAnswer } from '../split-thought.ts';
import { findPython, languages } from './languages.ts';
import { findExecutable, probeSandbox, runInSandbox } from './sandbox.ts';

const { signal } = new AbortController();

interface Check {
  readonly answer: string;
  readonly row?: Row;
  readonly options?: Readonly<Record<string, unknown>>;
}

async function check({ answer, row = {}, options = {} }: Check): Promise<RowScore> {
  const scorer = compileScorer({
    evaluator: { type: 'code', language: 'javascript', timeout: 10, ...options },
  });
  const input = { answer: splitAnswer(answer), gold: undefined, row };
  return (await scorer.scoreLater?.(input, signal)) ?? scorer.score(input);
}

const outcomeOf = (score: RowScore) =>
  score.type === 'scored' ? score.compared.got : score.reason;

const fence = (code: string, tag = 'js') => `Here:\n\`\`\`${tag}\n${code}\n\`\`\`\nDone.`;

describe('JavaScript', () => {
  test('a right answer has no complaint', async () => {
    const score = await check({ answer: '1', options: { test: 'assert(true)' } });
    expect(score).toMatchObject({ value: 1, detail: undefined });
  });

  test.each<[name: string, answer: string, test: string, outcome: string]>([
    ['a right answer', fence('const add = (a, b) => a + b;'), 'assert(add(1, 2) === 3)', 'passed'],
    ['a module', fence('export function f() { return 1; }'), 'assert.equal(f(), 1)', 'passed'],
    [
      'a wrong answer',
      fence('const add = (a, b) => a - b;'),
      'assert(add(1, 2) === 3)',
      'failed assertion',
    ],
    [
      'a late failure',
      fence('const f = async () => 2;'),
      'f().then((x) => assert.equal(x, 3))',
      'failed assertion',
    ],
    ['a crash', fence('const f = () => g();'), 'f()', 'error'],
    ['no code at all', fence('const f = ;'), 'f()', 'error'],
    ['an early end', fence('process.exit(0)'), 'assert(false)', 'error'],
    ['code without a fence', 'const f = () => 1;', 'assert.equal(f(), 1)', 'passed'],
    ['broken tests', fence('1'), 'assert(', 'unusable tests'],
    ['no tests', fence('1'), ' ', 'no tests'],
    [
      'too much output',
      fence('for (;;) require("fs").writeSync(1, "x".repeat(1e5));'),
      '1',
      'error',
    ],
  ])('%s', async (_, answer, tests, outcome) => {
    expect(outcomeOf(await check({ answer, row: { test: tests } }))).toBe(outcome);
  });

  test('a column that is not there', async () => {
    const options = { setup: '{helpers}' };
    expect(await check({ answer: '1', row: {} })).toMatchObject({ reason: 'no tests' });
    expect(await check({ answer: '1', row: { test: '1' }, options })).toMatchObject({
      reason: 'no setup',
      detail: expect.stringContaining('{helpers}'),
    });
  });

  test('says why', async () => {
    const row = { test: 'assert.equal(f(), 2, "f is not 2")' };
    expect(await check({ answer: fence('const f = () => 1;'), row })).toEqual({
      type: 'scored',
      value: 0,
      extracted: 'const f = () => 1;',
      compared: { got: 'failed assertion', want: 'passed' },
      metrics: { passed: 0, failed_assertion: 1, error: 0, timed_out: 0, out_of_memory: 0 },
      detail: 'AssertionError: f is not 2',
    });
  });

  test('too much time or memory', async () => {
    const options = { timeout: 1, memory_mb: 64 };
    const row = { test: '1' };
    expect(outcomeOf(await check({ answer: 'for (;;);', row, options }))).toBe('timed out');
    expect(outcomeOf(await check({ answer: 'setInterval(() => {}, 50);', row, options }))).toBe(
      'timed out',
    );
    const hoard = 'const kept = []; for (;;) kept.push(new Array(1e6).fill(1.5));';
    const patient = { ...options, timeout: 20 };
    expect(outcomeOf(await check({ answer: hoard, row, options: patient }))).toBe('out of memory');
  });

  test('the environment and the folder are empty, and gone afterwards', async () => {
    const report = `throw new Error(JSON.stringify([process.env, process.cwd(),
      require('node:fs').readdirSync('.')]))`;
    const score = await check({ answer: report, row: { test: '1' } });
    const detail = score.type === 'scored' ? (score.detail ?? '') : '';
    const [env, folder, files] = JSON.parse(detail.slice('Error: '.length));
    // The shell that sets the limits adds where it is.
    const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    expect(Object.keys(env).filter((name) => !ofShell.includes(name))).toEqual(['TYPECASE_CHECK']);
    expect(files.sort()).toEqual(['harness.mjs', 'program.cjs', 'tests.js']);
    expect(readdirSync(tmpdir())).not.toContain(folder.split('/').at(-1));
  });
});

const python = await findExecutable('python3');

describe.skipIf(!python)('Python', () => {
  const humanEval: Row = {
    prompt: 'from typing import List\n\ndef total(items: List[int]) -> int:\n    """Adds up."""\n',
    entry_point: 'total',
    test: 'def check(candidate):\n    assert candidate([1, 2]) == 3\n    assert candidate([]) == 0\n',
  };
  const options = { language: 'python', setup: '{prompt}', entry_point: 'entry_point' };

  test.each<[name: string, answer: string, outcome: string]>([
    ['the rest of a function', '    return sum(items)', 'passed'],
    ['a whole function', fence('def total(items):\n    return sum(items)', 'python'), 'passed'],
    [
      'a function, then its use',
      `${fence('def total(items: List[int]):\n    return sum(items)', 'python')}\n${fence('print(total([1]))', 'python')}`,
      'passed',
    ],
    [
      'a function, then one of a longer name',
      `${fence('def total(items):\n    return sum(items)', 'python')}\n${fence('def total_of(x):\n    return x', 'python')}`,
      'passed',
    ],
    ['a wrong function', '    return len(items)', 'failed assertion'],
    ['a broken function', '    return sum(item)', 'error'],
    ['an early end', '    pass\nimport sys\nsys.exit(0)', 'error'],
    ['a silent end', '    pass\nimport os\nos._exit(0)', 'error'],
    ['another language', fence('x', 'js'), 'no answer found'],
  ])('HumanEval: %s', async (_, answer, outcome) => {
    expect(outcomeOf(await check({ answer, row: humanEval, options }))).toBe(outcome);
  });

  test('MBPP: a list of tests', async () => {
    const row = { test_list: ['assert f(1) == 2', 'assert f(2) == 3'], test_setup_code: null };
    const mbpp = { language: 'python', setup: '{test_setup_code}', test: '{test_list}' };
    const answer = fence('def f(x):\n    return x + 1', 'python');
    expect(await check({ answer, row, options: mbpp })).toMatchObject({ value: 1 });
    const wrong = await check({ answer: 'def f(x):\n    return 2', row, options: mbpp });
    expect(wrong).toMatchObject({ value: 0, detail: 'AssertionError\nassert f(2) == 3' });
  });

  test('too much time or memory', async () => {
    const run = (answer: string) =>
      check({
        answer,
        row: { test: '1' },
        options: { language: 'python', timeout: 1, memory_mb: 64 },
      });
    expect(outcomeOf(await run('while True: pass'))).toBe('timed out');
    expect(outcomeOf(await run('kept = [bytearray(1 << 20) for _ in range(1000)]'))).toBe(
      'out of memory',
    );
    expect(outcomeOf(await run('assert True\nx = "é"'))).toBe('passed');
  });
});

/** The numbers of the processes that run this command. */
function processesOf(command: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(command);
      } catch {
        return false;
      }
    });
}

const sandbox = await probeSandbox();

describe.skipIf(process.platform !== 'linux')('processes that a program starts', () => {
  const bare = { namespace: undefined, shell: sandbox.shell };

  test.each([
    ['with namespaces, if the machine has them', sandbox],
    ['without', bare],
  ])('end with it, %s', async (_, kind) => {
    const seconds = `${1000 + Math.floor(Math.random() * 8999)}.5`;
    const answer = `const { spawn } = require('node:child_process');
      spawn('/bin/sleep', ['${seconds}'], { detached: true, stdio: 'ignore' }).unref();
      spawn('/bin/sleep', ['${seconds}'], { stdio: 'inherit' });`;
    const { ended } = await runInSandbox(kind, {
      interpreter: process.execPath,
      program: languages.javascript.program({ answer, tests: '', memoryMb: 128 }),
      limits: { timeoutMs: 1500, memoryMb: 128 },
      signal,
    });
    expect(ended).toBe('time');
    await sleep(50);
    expect(processesOf(seconds)).toEqual([]);
  });

  test('end when the run is stopped', async () => {
    const controller = new AbortController();
    const running = runInSandbox(sandbox, {
      interpreter: process.execPath,
      program: languages.javascript.program({ answer: 'for (;;);', tests: '', memoryMb: 128 }),
      limits: { timeoutMs: 20_000, memoryMb: 128 },
      signal: controller.signal,
    });
    await sleep(300);
    controller.abort();
    await expect(running).rejects.toThrow('aborted');
  });
});

test('what holds on this machine is said', async () => {
  const evaluator = { type: 'code', language: 'javascript' };
  expect(await prepareScorer({ evaluator })).toEqual([
    expect.stringMatching(
      /^Node [\d.]+: time and output are limited, memory is .*limited, .*network/,
    ),
  ]);
  expect(await prepareScorer({ evaluator: { type: 'exact' } })).toEqual([]);
});

test('without an interpreter there is no run', async () => {
  await expect(findPython(import.meta.dirname)).rejects.toMatchObject({
    code: 'config.interpreter_missing',
    hint: expect.stringContaining('python3'),
  });
});

test.each([
  [{}, 'config.missing_key'],
  [{ language: 'cobol' }, 'config.unknown_value'],
  [{ language: 'python', timeout: 0 }, 'config.wrong_type'],
  [{ language: 'python', memory: 1 }, 'config.unknown_key'],
])('%j is refused', (options, code) => {
  expect(() => compileScorer({ evaluator: { type: 'code', ...options } })).toThrow(
    expect.objectContaining({ code }),
  );
});
