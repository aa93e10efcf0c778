/** What a harness reports once the tests have run; without a report the process ended before that. */
export interface HarnessReport {
  readonly outcome: 'passed' | 'failed' | 'error' | 'memory' | 'bad tests';
  readonly detail?: string;
}

/** A program and how it is run: what stands in its files, and what its harness is told. */
export interface Program {
  /** The file that reads what it is told, and runs it. */
  readonly harness: { readonly name: string; readonly text: string };
  /** What follows the interpreter on the command line, before the harness. */
  readonly args: readonly string[];
  readonly told: Readonly<Record<string, string>>;
  /** What its interpreter takes of the memory for itself: what it may reserve, and what it fills. */
  readonly interpreterMb: { readonly reserved: number; readonly filled: number };
}

export interface ProgramParts {
  readonly answer: string;
  readonly tests: string;
  readonly memoryMb: number;
}

// Both harnesses read what they are told from their input before anything else, close it, and report
// through file descriptor 3. A report counts if it begins with the token that they were told: an answer
// can write there too, but the token is in no file, argument or variable that it can name.
// What they need later is taken before the answer runs, so that it cannot be replaced.

const pythonHarness = String.raw`import sys

def prepare():
    import ast, builtins, gc, json, os, traceback, types
    with open(0, 'rb') as file:
        told = json.loads(file.read())
    os.open(os.devnull, os.O_RDONLY)
    token = told['token'].encode()
    answer, tests = told['answer'], told['tests']
    write, leave, encode, run = os.write, os._exit, json.JSONEncoder().encode, builtins.exec
    kinds = (AssertionError, MemoryError, SystemExit, KeyboardInterrupt)
    nameOf, textOf, stackOf, kindOf, isKind = type, str, traceback.extract_tb, type, issubclass
    library = tuple({os.path.dirname(os.__file__) + os.sep, '<frozen '})
    site = os.sep + 'site-packages' + os.sep
    frame, find = sys._getframe, str.startswith
    frames = {'tb_frame', 'gi_frame', 'cr_frame', 'ag_frame', 'gi_code', 'cr_code', 'ag_code'}
    lookers = ('inspect.py', 'traceback.py', 'logging/__init__.py', 'pdb.py', 'bdb.py', 'code.py')
    watched = {
        'sys._getframe', 'sys._getframemodulename', 'sys._current_frames', 'sys._current_exceptions',
        'sys.settrace', 'sys.setprofile', 'sys.addaudithook', 'sys.monitoring.register_callback',
        'gc.get_objects', 'gc.get_referrers', 'gc.get_referents', 'object.__getattr__',
        'object.__setattr__', 'code.__new__', 'ctypes.string_at', 'ctypes.wstring_at', 'ctypes.cdata',
        'ctypes.memoryview_at', 'ctypes.dlsym', 'ctypes.dlopen', 'compile', 'open',
    }
    busy = False

    def in_library(code):
        name = code.co_filename
        return find(name, library) and site not in name

    # What would lead from the answer to this harness, or keep tests from being run, is for the library only.
    def watch(event, args):
        nonlocal busy
        if event not in watched or busy:
            return
        if event == 'object.__getattr__' and args[1] not in frames:
            return
        if event == 'object.__setattr__' and args[1] != '__code__':
            return
        if event == 'compile' and not (nameOf(args[1]) is str and find(args[1], library)):
            return
        if event == 'open' and not (nameOf(args[0]) is str and find(args[0], '/proc')):
            return
        if event == 'ctypes.dlopen' and args[0] is None:
            return
        busy = True
        try:
            try:
                caller = frame(1)
            except ValueError:
                return
            allowed = in_library(caller.f_code) and event != 'open'
            if allowed and caller.f_code.co_filename.endswith(lookers):
                above = caller.f_back
                allowed = above is not None and in_library(above.f_code)
            own = caller.f_code.co_filename == __file__
        finally:
            busy = False
        if not (allowed or own):
            raise RuntimeError(event + ' is not for code that is checked')

    def report(outcome, detail=''):
        write(3, token + b' ' + encode({'outcome': outcome, 'detail': detail[:1000]}).encode())
        leave(0)

    def describe(error):
        try:
            said = textOf(error)
        except BaseException:
            said = ''
        text = nameOf(error).__name__ + (': ' + said if said else '')
        lines = [entry.lineno for entry in stackOf(error.__traceback__) if entry.filename == 'tests.py']
        return text + '\n' + tests.split('\n')[lines[-1] - 1].strip() if lines else text

    # Definitions and imports run no test, nor does what is for a program that is started by itself.
    def runs_nothing(statement):
        if isinstance(statement, ast.If):
            return 'id=' + repr('__name__') in ast.dump(statement.test)
        if isinstance(statement, ast.Expr):
            return isinstance(statement.value, ast.Constant)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)
        return isinstance(statement, kinds)

    def check():
        try:
            tree = ast.parse(tests, 'tests.py')
            compiled = compile(tree, 'tests.py', 'exec')
        except (SyntaxError, ValueError) as error:
            report('bad tests', textOf(error))
        if all(runs_nothing(statement) for statement in tree.body):
            report('bad tests', 'they define functions or classes, and call none of them')
        module = types.ModuleType('answer')
        sys.modules['answer'] = sys.modules['__main__'] = module
        sys.argv = ['']
        sys.addaudithook(watch)
        try:
            run(compile(answer, 'answer.py', 'exec'), module.__dict__)
            run(compiled, module.__dict__)
        except BaseException as error:
            kind = kindOf(error)
            if isKind(kind, kinds[0]):
                report('failed', describe(error))
            if isKind(kind, kinds[1]):
                report('memory')
            if isKind(kind, kinds[2:]):
                report('error', 'the program ended before the tests did')
            report('error', describe(error))
        report('passed')

    return check

prepare()()
`;

const javascriptHarness = String.raw`import assert from 'node:assert';
import fs from 'node:fs';
import inspector from 'node:inspector';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import { Script } from 'node:vm';

const { token, tests, answer, name, program } = JSON.parse(fs.readFileSync(0, 'utf8'));
fs.closeSync(0);
fs.openSync('/dev/null', 'r');
fs.writeFileSync(name, program);

const { stringify } = JSON;
const { writeSync } = fs;
const later = setImmediate;
const activeResources = process.getActiveResourcesInfo.bind(process);
const leave = process.reallyExit.bind(process);
const asText = String;
const isError = Function.prototype.call.bind(Object.prototype.isPrototypeOf, Error.prototype);
const shorten = Function.prototype.call.bind(String.prototype.slice);
const matches = Function.prototype.call.bind(RegExp.prototype.exec);
const outOfMemory = /allocation failed/i;

let isLoaded = false;
function report(outcome, detail = '') {
  const text = '"' + outcome + '","detail":' + stringify(shorten(detail, 0, 1000));
  writeSync(3, token + ' {"outcome":' + text + '}');
  leave(0);
}
function fail(error) {
  let text = 'an error that cannot be shown';
  let isFailure = false;
  try {
    text = asText(isError(error) ? error.name + ': ' + error.message : error);
    isFailure = error?.code === 'ERR_ASSERTION';
  } catch {}
  if (matches(outOfMemory, text)) report('memory');
  report(isFailure ? 'failed' : 'error', text);
}
process.on('uncaughtException', (error) => fail(error));
process.on('unhandledRejection', (error) => fail(error));
process.on('beforeExit', () => {
  // A program can say so itself while tests wait: nothing may be left to do after it.
  later(() => {
    const resources = activeResources();
    for (let index = 0; index < resources.length; index += 1) {
      // Standard output stays open, and keeps nothing waiting.
      if (resources[index] !== 'PipeWrap' && resources[index] !== 'TTYWrap') return;
    }
    if (isLoaded) report('passed');
    report('error', 'the tests never ended');
  });
});

// What would lead from the answer to this harness.
const refuse = () => {
  throw new Error('this is not for code that is checked');
};
for (const key of ['binding', '_linkedBinding', 'dlopen', '_debugProcess']) {
  Object.defineProperty(process, key, { value: refuse, writable: false, configurable: false });
}
for (const key of Object.keys(inspector)) inspector[key] = refuse;
for (const key of ['getHeapSnapshot', 'writeHeapSnapshot', 'setFlagsFromString', 'queryObjects']) {
  v8[key] = refuse;
}
syncBuiltinESMExports();

globalThis.assert = assert;
globalThis.require = createRequire(pathToFileURL(process.cwd() + '/' + name));
if (name.endsWith('.cjs')) {
  try {
    new Script('(function () {' + tests + '\n})');
  } catch (error) {
    report('bad tests', String(error));
  }
  try {
    // By itself, so that it can neither return nor leave anything open before the tests.
    new Script(answer);
  } catch (error) {
    report('error', String(error));
  }
}
await import(pathToFileURL(process.cwd() + '/' + name)).catch(fail);
isLoaded = true;
`;

export function pythonProgram({ answer, tests }: ProgramParts): Program {
  return {
    harness: { name: 'harness.py', text: pythonHarness },
    args: ['-I', '-B', '-X', 'utf8'],
    told: { answer, tests },
    interpreterMb: { reserved: 32, filled: 24 },
  };
}

export function javascriptProgram({ answer, tests, memoryMb }: ProgramParts): Program {
  const isModule = /^\s*(?:import|export)\b|^\s*await\b/m.test(`${answer}\n${tests}`);
  return {
    harness: { name: 'harness.mjs', text: javascriptHarness },
    args: [`--max-old-space-size=${memoryMb}`],
    told: {
      tests,
      answer,
      name: isModule ? 'program.mjs' : 'program.cjs',
      program: `${answer}\n${tests}\n`,
    },
    interpreterMb: { reserved: 512, filled: 80 },
  };
}
