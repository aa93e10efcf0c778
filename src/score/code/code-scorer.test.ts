import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../prompt/values.ts';
import { compileScorer } from '../compile-scorer.ts';
import { prepareScorer } from '../open-scorer.ts';
import type { RowScore } from '../scorer.ts';
import { splitAnswer } from '../split-thought.ts';
import { findExecutable } from './find-executable.ts';
import { languages } from './languages.ts';
import { findPython } from './prepare-language.ts';
import { probeSandbox, runInSandbox } from './sandbox.ts';

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
    ['a comment for tests', fence('1'), '// see above', 'unusable tests'],
    ['tests that nobody calls', fence('1'), 'function check(f) { assert(f()); }', 'unusable tests'],
    ['a return before the tests', fence('const f = 1; return;'), 'assert(false)', 'error'],
    ['a comment over the tests', fence('const f = 1; /*'), 'assert(false) /* or */;', 'error'],
    [
      'output below the limit',
      fence('require("fs").writeSync(1, "x".repeat(900_000));'),
      '1',
      'passed',
    ],
    [
      'output above it',
      fence('for (let i = 0; i < 13; i++) console.log("x".repeat(1e5));'),
      '1',
      'error',
    ],
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
    const outside = `const kept = Array.from({ length: 40 }, () => Buffer.alloc(10 << 20, 1));
      setTimeout(() => kept, 1000);`;
    expect(outcomeOf(await check({ answer: outside, row, options: patient }))).toBe(
      'out of memory',
    );
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
    expect(files).toEqual(['program.cjs']);
    expect(readdirSync(tmpdir())).not.toContain(folder.split('/').at(-2));
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
      'a function in a list',
      `1. So:\n\n   ${fence('def total(items):\n    return sum(items)', 'python').replaceAll('\n', '\n   ')}`,
      'passed',
    ],
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
    const run = (answer: string, timeout: number) =>
      check({
        answer,
        row: { test: 'assert True' },
        options: { language: 'python', timeout, memory_mb: 64 },
      });
    expect(outcomeOf(await run('while True: pass', 1))).toBe('timed out');
    expect(outcomeOf(await run('kept = [bytearray(1 << 20) for _ in range(1000)]', 20))).toBe(
      'out of memory',
    );
    expect(outcomeOf(await run('assert True\nx = "é"', 20))).toBe('passed');
  });
});

/** Calls whatever reports, from a frame outwards. */
const frames = (found: string) =>
  `import os
${found}
def look(value, depth):
    if type(value).__name__ in ('partial', 'function', 'method') and depth:
        for given in [('passed',), ({'outcome': 'passed'},), ()]:
            try: value(*given)
            except BaseException: pass
        for cell in getattr(value, '__closure__', None) or ():
            try: look(cell.cell_contents, depth - 1)
            except ValueError: pass
while frame:
    for value in [*frame.f_locals.values(), *frame.f_globals.values()]: look(value, 2)
    frame = frame.f_back
os._exit(0)`;

/** Programs that try to pass without passing the tests, which fail for all of them. */
const pythonForgeries: readonly [name: string, answer: string][] = [
  ['a report of its own', `import os\nos.write(3, b'{"outcome":"passed"}')\nos._exit(0)`],
  [
    'a report at exit',
    `import atexit, os\natexit.register(lambda: os.write(3, b'{"outcome":"passed"}'))`,
  ],
  ['another os', 'import os, sys\nos._exit = lambda code: None\nos.write = print\nsys.exit(0)'],
  ['another json', 'import json\njson.JSONEncoder.encode = lambda *a: \'{"outcome":"passed"}\''],
  [
    'another assert',
    'import builtins\nclass Soft(Exception): pass\nbuiltins.AssertionError = Soft',
  ],
  ['another exec', 'import builtins\nbuiltins.exec = builtins.compile = lambda *a, **k: None'],
  ['the frame above', 'import sys\nsys._getframe(1).f_locals["report"]("passed")'],
  [
    'frames of a traceback',
    'try:\n    1 / 0\nexcept Exception as e:\n    f = e.__traceback__.tb_frame.f_back\n    while f:\n        f.f_locals.get("report", lambda x: None)("passed")\n        f = f.f_back',
  ],
  [
    'frames by inspect',
    'import inspect\nfor f in inspect.stack():\n    f.frame.f_locals.get("report", lambda x: None)("passed")',
  ],
  [
    'objects of the collector',
    'import gc\nfor o in gc.get_objects():\n    if getattr(o, "__name__", "") == "report": o("passed")',
  ],
  ['the main module', 'import sys\nsys.modules["__main__"].report("passed")'],
  [
    'a trace that leaves out tests',
    'import sys\ndef trace(frame, event, arg):\n    if frame.f_code.co_filename == "tests.py": frame.f_lineno += 1\n    return trace\nsys.settrace(trace)',
  ],
  ['its own memory', 'data = open("/proc/self/mem", "rb")'],
  [
    'a frame by ctypes',
    frames(
      'import ctypes\ncurrent = ctypes.pythonapi.PyEval_GetFrame\ncurrent.restype = ctypes.py_object\nframe = current()',
    ),
  ],
  [
    'a frame by a formatter',
    frames(
      'import string\ntry: 1 / 0\nexcept Exception as e: frame = string.Formatter().get_field("0.tb_frame", (e.__traceback__,), {})[0]',
    ),
  ],
  [
    'frames by a list',
    frames(
      'import collections, traceback\ntry: 1 / 0\nexcept Exception as e: frame = collections.UserList(traceback.walk_tb(e.__traceback__)).data[0][0]',
    ),
  ],
  [
    'frames by a property',
    frames(
      'import functools, sys\nclass N(int):\n    at = functools.cached_property(sys._getframe)\n    def __hash__(self): return 0\nframe = N(1).__class__.__dict__["at"].func(0) if False else N(0).at',
    ),
  ],
  [
    'frames of threads',
    frames(
      'import concurrent.futures, sys\nwith concurrent.futures.ThreadPoolExecutor() as pool: frame = list(pool.submit(sys._current_frames).result().values())[-1]',
    ),
  ],
  [
    'a frame by a signal',
    frames(
      'import signal, os, time\nfound = []\nsignal.signal(signal.SIGUSR1, lambda number, frame: found.append(frame))\nos.kill(os.getpid(), signal.SIGUSR1)\ntime.sleep(0.01)\nframe = found[0]',
    ),
  ],
  ['a frame of a generator', frames('def own(): yield\nrunning = own()\nframe = running.gi_frame')],
  [
    'objects by a pool',
    'import concurrent.futures, gc, functools, os\nwith concurrent.futures.ThreadPoolExecutor() as pool:\n    for o in pool.submit(gc.get_objects).result():\n        if isinstance(o, functools.partial) and o.func is os.write: o()\nos._exit(0)',
  ],
  [
    'objects by a property',
    'import functools, gc, os\nclass N(int):\n    at = functools.cached_property(gc.get_objects)\nfor o in N(2).at:\n    if isinstance(o, functools.partial) and o.func is os.write: o()\nos._exit(0)',
  ],
  [
    'another encoder',
    'import json\njson.JSONEncoder.iterencode = lambda *a, **k: [\'{"outcome":"passed"}\']',
  ],
  ['its input', 'import os\nos.write(3, os.read(0, 10000))\nos._exit(0)'],
  ['the harness on disk', 'import sys, re\ntext = open("../harness.py").read()\nexec(text)'],
  [
    'an end in a thread',
    'import threading, os\nthreading.Thread(target=lambda: os._exit(0)).start()\nimport time\ntime.sleep(1)',
  ],
];

const javascriptForgeries: readonly [name: string, answer: string][] = [
  ['a report of its own', `require('fs').writeSync(3, '{"outcome":"passed"}'); process.exit(0)`],
  [
    'a report at exit',
    `process.on('exit', () => require('fs').writeSync(3, '{"outcome":"passed"}'))`,
  ],
  [
    'another fs',
    `const fs = require('fs'); const write = fs.writeSync;
     fs.writeSync = (fd, text) => write(fd, text.replace('failed', 'passed'));
     require('module').syncBuiltinESMExports()`,
  ],
  ['another JSON', `JSON.stringify = () => '"","outcome":"passed"'`],
  [
    'other texts',
    `String.prototype.slice = () => '"}{'; RegExp.prototype.test = RegExp.prototype.exec = () => null`,
  ],
  ['the binding below', `process.binding('fs').writeString = () => 0`],
  [
    'an end of its own',
    `process.emit('beforeExit'); process.listeners('beforeExit').forEach((f) => f())`,
  ],
  [
    'an end before the tests',
    `setTimeout(() => process.emit('beforeExit'), 5); assert = Object.assign((ok) => new Promise((r) => setTimeout(r, 300)).then(() => { if (!ok) throw Error('late') }), assert)`,
  ],
  ['no listeners', `process.removeAllListeners(); process.exitCode = 0`],
  ['the inspector', `const s = new (require('node:inspector').Session)(); s.connect()`],
  ['the heap', `const stream = require('v8').getHeapSnapshot()`],
  ['its input', `require('fs').writeSync(3, require('fs').readFileSync(0)); process.exit(0)`],
];

describe('a program that forges its report has not passed', () => {
  test.each(javascriptForgeries)('JavaScript: %s', async (_, answer) => {
    const score = await check({ answer, row: { test: 'assert(false)' } });
    expect(score).toMatchObject({ type: 'scored', value: 0 });
  });

  test.skipIf(!python).each(pythonForgeries)('Python: %s', async (_, answer) => {
    const options = { language: 'python' };
    const score = await check({ answer, row: { test: 'x = 1\nassert x == 2' }, options });
    expect(score).toMatchObject({ type: 'scored', value: 0 });
  });

  test.skipIf(!python)(
    'what leads to memory, objects and frames of others is refused',
    async () => {
      const answer = `import ctypes, gc, os, string, sys
def by_link():
    os.symlink('/proc/self/mem', 'link')
    open('link', 'rb')
def by_folder():
    os.chdir('/proc')
    open('self/mem', 'rb')
class Path(str): pass
ways = [
    lambda: open('/proc/self/mem', 'rb'), lambda: open(b'/proc/self/mem', 'rb'),
    lambda: open(Path('/proc/self/mem'), 'rb'), by_link, by_folder,
    lambda: ctypes.CDLL(None), lambda: ctypes.pythonapi.PyEval_GetFrame,
    lambda: string.Formatter().get_field('0.PyEval_GetFrame', (ctypes.pythonapi,), {}),
    lambda: ctypes.string_at(1), lambda: ctypes.c_int.from_address(1),
    lambda: gc.get_objects(), lambda: gc.get_referrers(1), lambda: sys._current_frames(),
    lambda: sys.settrace(print), lambda: __import__('_testcapi'),
]
def refused(way):
    try: way()
    except RuntimeError as error: return 'not for code that is checked' in str(error)`;
      const test = 'assert [refused(way) for way in ways] == [True] * len(ways)';
      const score = await check({ answer, row: { test }, options: { language: 'python' } });
      expect(score).toMatchObject({ value: 1 });
    },
  );

  test.skipIf(!python)('what ordinary programs look into is left to them', async () => {
    const answer = `import collections, ctypes, dataclasses, enum, functools, inspect, logging, traceback, typing, warnings
Point = collections.namedtuple('Point', 'x y')
Kind = enum.Enum('Kind', 'A B')
@dataclasses.dataclass
class Box:
    size: int
def f(x: int) -> int:
    logging.warning('%s', x)
    warnings.warn('w')
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.format_exc()
    inspect.signature(f)
    return ctypes.c_int32(x).value`;
    const test = 'assert f(2) == 2 and Point(1, 2).x == 1 and Box(1).size == 1 and Kind.A';
    expect(await check({ answer, row: { test }, options: { language: 'python' } })).toMatchObject({
      value: 1,
    });
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
  const bare = { apart: undefined, shell: sandbox.shell };

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

test.each([
  ['a function', 'def check(f):\n    assert f(1) == 2'],
  [
    'a class',
    'import unittest\nclass Tests(unittest.TestCase):\n    def test_f(self): assert f(1)',
  ],
  [
    'a program of its own',
    'def check():\n    assert f(1)\nif __name__ == "__main__":\n    check()',
  ],
  ['a comment', '# see above'],
  ['a text', '"""see above"""'],
])('Python tests that run nothing: %s', async (_, tests) => {
  const answer = fence('def f(x): return x', 'python');
  const options = { language: 'python' };
  const score = await check({ answer, row: { test: tests }, options });
  expect(score).toMatchObject({ type: 'unscored', reason: 'unusable tests' });
  const called = await check({ answer, row: { test: `${tests}\nassert f(1) == 1` }, options });
  expect(outcomeOf(called)).toBe('passed');
});

const waiting = `const never = new Promise(() => {});
const keep = (call) => call(1);
const drop = () => {};
class Drop { on() {} }`;

describe('tests that do not end have not passed', () => {
  test.each<[name: string, tests: string, outcome: string]>([
    ['a function', '(async () => { await never; assert(false); })()', 'error'],
    [
      'a function with a name',
      'async function main() { await never; assert(false) }\nmain()',
      'error',
    ],
    ['a function without a block', 'const f = async () => assert(await never)\nf()', 'error'],
    ['a function whose promise nobody has', '[1].forEach(async (x) => { await never })', 'error'],
    [
      'a method',
      'const it = { async runs() { "use strict"; await never } }; const p = it.runs();',
      'error',
    ],
    ['what follows a promise', 'never.then(() => assert(false))', 'error'],
    [
      'what follows it later',
      'const p = never.catch(() => 1).finally(() => assert(false));',
      'error',
    ],
    ['a list of promises', 'Promise.all([1, never]).then(assert)', 'error'],
    ['at the top', 'await never; assert(false)', 'error'],
    [
      'tests of node:test that fail',
      "require('node:test')('x', () => assert(false))",
      'failed assertion',
    ],
    [
      'those as a module',
      "import { test } from 'node:test';\ntest('x', async () => { await 1; assert(false) })",
      'failed assertion',
    ],
    [
      'those in a suite that never end',
      "const { describe, it } = require('node:test'); describe('a', () => { it('b', () => never) })",
      'failed assertion',
    ],
    ['an exit code', 'if (1 !== 2) process.exitCode = 1', 'failed assertion'],
    ['what fails at the exit', "process.on('exit', () => assert(false))", 'failed assertion'],
    ['a callback', 'drop(2, (x) => { assert.equal(x, 4) })', 'error'],
    ['a callback without a block', 'drop((x) => assert(x));', 'error'],
    ['a callback in parentheses', 'drop((x) => (assert(x)))', 'error'],
    ['one with a directive', 'drop(function (x) { "use strict"; assert(x) })', 'error'],
    ['one that is asynchronous', 'drop(async (x) => { assert(await x) })', 'error'],
    ['one that is asynchronous, without a block', 'drop(async (x) => assert(await x))', 'error'],
    ['one of a new object', 'new Drop((x) => assert(x))', 'error'],
    ['one of a method', "new Drop().on('end', () => assert.ok(1))", 'error'],
    ['one inside another', 'keep(() => drop((x) => assert(x)))', 'error'],
    ['one of two', 'keep((x) => assert(x)); drop((x) => assert(x))', 'error'],
    ['one that would hand over another', 'drop(() => keep((x) => assert(x)))', 'error'],
  ])('JavaScript: %s', async (_, tests, outcome) => {
    expect(outcomeOf(await check({ answer: waiting, row: { test: tests } }))).toBe(outcome);
  });

  test('a callback that is not called is said to be one', async () => {
    const score = await check({ answer: waiting, row: { test: 'drop((x) => assert(x))' } });
    const detail = 'the tests never ended: a function with an assert was not called';
    expect(score.detail).toBe(detail);
  });

  test.each<[name: string, tests: string]>([
    ['functions', 'async function main() { assert(await 1) }\nmain().then(() => assert(1))'],
    [
      'functions that reject',
      'assert.rejects(async () => { throw new Error() }); f().catch(() => 1)',
    ],
    ['a handler that comes later', 'const p = f().then(() => 1); p.catch(() => 1)'],
    [
      'an object, a sequence, an empty body',
      'const o = async () => ({ a: 1 }); 1, o(); (async () => {})();',
    ],
    ['a race', 'Promise.race([never, 1]).then((x) => assert.equal(x, 1))'],
    [
      'a limit that is taken back',
      `const limit = new Promise((_, fail) => { globalThis.timer = setTimeout(fail, 5000) });
       Promise.race([limit, f()]).catch(() => 1).finally(() => clearTimeout(timer))`,
    ],
    [
      'no semicolons',
      'const a = 1\nassert(a)\n;[2].map(assert)\nif (a) assert(a)\nelse assert(0)\nlet b\n++b',
    ],
    [
      'a generator that is left',
      'async function* g() { yield 1; await never }\n(async () => { for await (const x of g()) break })()',
    ],
    [
      'callbacks',
      'keep((x) => { assert(x) }); keep((x) => assert(x)); keep(async (x) => assert(await x))',
    ],
    ['a callback that is called later', 'setTimeout((x) => assert.equal(x, 4), 5, 4)'],
    ['one that is called once of twice', 'for (const f of [keep, drop]) f((x) => assert(x))'],
    [
      'one at the exit',
      "let ran = 0; process.on('exit', () => assert(ran)); setTimeout(() => { ran = 1 }, 5)",
    ],
    [
      'one that must not be called',
      'drop(() => assert.fail()); drop(() => { assert(false) }); drop((e) => assert.ifError(e))',
    ],
    ['one without an assert', 'let calls = 0; drop(() => { calls += 1 }); assert.equal(calls, 0)'],
    [
      'one of an empty list',
      '[].forEach((x) => assert(x)); "".replace(/x/, (x) => assert(x)); [].sort((x) => assert(x))',
    ],
    [
      'one of what is to throw',
      'assert.throws(() => { keep(() => { throw new Error() }); drop((x) => assert(x)) })',
    ],
    [
      'one that nobody hands over',
      'if (0) drop((x) => assert(x)); const later = () => drop((x) => assert(x))',
    ],
    [
      'one that is what it was',
      'const own = function (a, b) { assert(a) }; keep(own); keep((...all) => assert.equal(all.length, 1)); assert.equal(((call) => call.length)((a, b) => a), 2)',
    ],
    [
      'tests that are left out',
      "const { it } = require('node:test'); it.skip('b', () => { assert(1) })",
    ],
    [
      'node:test',
      "const { describe, it } = require('node:test'); describe('a', () => { it('b', async () => { assert(await 1) }) })",
    ],
  ])('JavaScript, those that do: %s', async (_, tests) => {
    const answer = `${waiting}\nconst f = async () => { await 1; throw new Error('late'); };`;
    const score = await check({ answer, row: { test: tests } });
    expect({ outcome: outcomeOf(score), detail: score.detail }).toEqual({ outcome: 'passed' });
  });

  const options = { language: 'python' };
  const answer =
    'import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x\ndef g(x): return x';

  test.skipIf(!python).each<[name: string, tests: string, outcome: string]>([
    ['a coroutine', 'async def check():\n    assert False\ncheck()', 'error'],
    ['one that is kept', 'async def check():\n    assert False\nkept = check()', 'error'],
    ['one instead of an answer', 'assert f(0)', 'error'],
    [
      'several',
      'async def check(x):\n    assert False\nkept = [check(x) for x in range(3)]',
      'error',
    ],
    [
      'a task that nobody awaits',
      'async def check():\n    assert False\nasync def main():\n    asyncio.create_task(check())\nasyncio.run(main())',
      'failed assertion',
    ],
    [
      'a task that is cut off',
      'async def check():\n    await asyncio.sleep(9)\n    assert False\nasync def main():\n    asyncio.create_task(check())\n    await asyncio.sleep(0.01)\nasyncio.run(main())',
      'error',
    ],
    [
      'a kept task that fails',
      'async def check():\n    assert False\nkept = []\nasync def main():\n    kept.append(asyncio.create_task(check()))\n    await asyncio.sleep(0.01)\nasyncio.run(main())',
      'failed assertion',
    ],
    [
      'a loop that is left',
      'async def check():\n    await asyncio.sleep(9)\n    assert False\nloop = asyncio.new_event_loop()\nkept = loop.create_task(check())\nloop.run_until_complete(asyncio.sleep(0.01))',
      'error',
    ],
    [
      'a thread that fails',
      'import threading\ndef check():\n    assert g(1) == 2\nthreading.Thread(target=check).start()',
      'failed assertion',
    ],
    [
      'a thread that takes longer',
      'import threading, time\ndef check():\n    time.sleep(0.2)\n    assert g(1) == 2\nthreading.Thread(target=check).start()',
      'failed assertion',
    ],
  ])('Python: %s', async (_, tests, outcome) => {
    expect(outcomeOf(await check({ answer, row: { test: tests }, options }))).toBe(outcome);
  });

  test.skipIf(!python).each<[name: string, tests: string]>([
    ['coroutines', 'async def check():\n    assert await f(1) == 1\nasyncio.run(check())'],
    [
      'coroutines of a group',
      'async def main():\n    assert await asyncio.gather(f(1), f(2)) == [1, 2]\nasyncio.run(main())',
    ],
    [
      'one that is given up',
      'async def slow():\n    await asyncio.sleep(9)\nasync def main():\n    try:\n        await asyncio.wait_for(slow(), 0.01)\n    except asyncio.TimeoutError:\n        return\n    assert False\nasyncio.run(main())',
    ],
    [
      'one in the background',
      'async def tick():\n    while True:\n        await asyncio.sleep(0.001)\nasync def main():\n    asyncio.create_task(tick())\n    assert await f(3) == 3\nasyncio.run(main())',
    ],
    ['one that is closed', 'import inspect\nc = f(1)\nassert inspect.iscoroutine(c)\nc.close()'],
    ['threads', 'import threading\nt = threading.Thread(target=g, args=[1])\nt.start()\nt.join()'],
    [
      'cases of unittest',
      'import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_f(self):\n        self.assertEqual(await f(1), 1)\nresult = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(T))\nassert result.wasSuccessful()',
    ],
  ])('Python, those that do: %s', async (_, tests) => {
    const sloppy = `${answer}\nf(2)\nimport threading, time\nthreading.Thread(target=lambda: time.sleep(60)).start()`;
    const score = await check({ answer: sloppy, row: { test: tests }, options });
    expect({ outcome: outcomeOf(score), detail: score.detail }).toEqual({ outcome: 'passed' });
  });
});
