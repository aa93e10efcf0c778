/** What a harness reports once the tests have run; without a report the process ended before that. */
export interface HarnessReport {
  readonly outcome: 'passed' | 'failed' | 'error' | 'memory' | 'bad tests';
  readonly detail?: string;
}

/** A program and how it is run: its files, and what follows the interpreter on the command line. */
export interface Program {
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** What its interpreter takes of the memory for itself. */
  readonly interpreterMb: number;
}

export interface ProgramParts {
  readonly answer: string;
  readonly tests: string;
  readonly memoryMb: number;
}

// Both harnesses report through file descriptor 3, which leaves what a program prints alone.
const pythonHarness = String.raw`import json, os, sys, traceback, types

def report(outcome, detail=''):
    os.write(3, json.dumps({'outcome': outcome, 'detail': detail[:1000]}).encode())
    os._exit(0)

def describe(error):
    text = type(error).__name__ + (': ' + str(error) if str(error) else '')
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == 'tests.py']
    if not lines:
        return text
    source = open('tests.py', encoding='utf-8').read().split('\n')
    return text + '\n' + source[lines[-1] - 1].strip()

with open('answer.py', encoding='utf-8') as file:
    answer = file.read()
with open('tests.py', encoding='utf-8') as file:
    tests = file.read()
try:
    compiled = compile(tests, 'tests.py', 'exec')
except (SyntaxError, ValueError) as error:
    report('bad tests', str(error))
module = types.ModuleType('answer')
sys.modules['answer'] = module
try:
    exec(compile(answer, 'answer.py', 'exec'), module.__dict__)
    exec(compiled, module.__dict__)
except AssertionError as error:
    report('failed', describe(error))
except MemoryError:
    report('memory')
except (SystemExit, KeyboardInterrupt):
    report('error', 'the program ended before the tests did')
except BaseException as error:
    report('error', describe(error))
report('passed')
`;

const javascriptHarness = String.raw`import assert from 'node:assert';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

let isLoaded = false;
function report(outcome, detail = '') {
  writeSync(3, JSON.stringify({ outcome, detail: detail.slice(0, 1000) }));
  process.exit(0);
}
function fail(error) {
  const text = error instanceof Error ? error.name + ': ' + error.message : String(error);
  if (/allocation failed/i.test(text)) report('memory');
  report(error?.code === 'ERR_ASSERTION' ? 'failed' : 'error', text);
}
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('beforeExit', () => {
  if (isLoaded) report('passed');
  report('error', 'the tests never ended');
});
globalThis.assert = assert;
globalThis.require = createRequire(import.meta.url);
const name = existsSync('program.mjs') ? './program.mjs' : './program.cjs';
if (name.endsWith('.cjs')) {
  try {
    new Script('(function () {' + readFileSync('tests.js', 'utf8') + '\n})');
  } catch (error) {
    report('bad tests', String(error));
  }
}
await import(name).catch(fail);
isLoaded = true;
`;

export function pythonProgram({ answer, tests }: ProgramParts): Program {
  return {
    files: { 'harness.py': pythonHarness, 'answer.py': answer, 'tests.py': tests },
    args: ['-I', '-B', '-X', 'utf8', 'harness.py'],
    interpreterMb: 32,
  };
}

export function javascriptProgram({ answer, tests, memoryMb }: ProgramParts): Program {
  const isModule = /^\s*(?:import|export)\b|^\s*await\b/m.test(`${answer}\n${tests}`);
  return {
    files: {
      'harness.mjs': javascriptHarness,
      'tests.js': tests,
      [isModule ? 'program.mjs' : 'program.cjs']: `${answer}\n${tests}\n`,
    },
    args: [`--max-old-space-size=${memoryMb}`, 'harness.mjs'],
    interpreterMb: 512,
  };
}
