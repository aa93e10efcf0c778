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
  /** The tests as they are run, if not as they are. */
  readonly watched?: string | undefined;
  readonly memoryMb: number;
}

// Both harnesses read what they are told from their input before anything else, close it, and report
// through file descriptor 3. A report counts if it begins with the token that they were told, and a
// passing one is another token: an answer can write there too, but the token of passing is in no file,
// argument or variable that it can name, and in Python in no frame either. It is what the last of the
// steps writes, which only the iterator that goes through them knows.
// What they need later is taken before the answer runs, so that it cannot be replaced.

const pythonHarness = String.raw`import sys

def prepare():
    import ast, builtins, gc, json, os, threading, traceback, types, warnings
    from _functools import partial
    with open(0, 'rb') as file:
        told = json.loads(file.read())
    os.open(os.devnull, os.O_RDONLY)
    token = told['token'].encode()
    answer, tests = told['answer'], told['tests']
    write, leave, quote, run = os.write, os._exit, json.encoder.encode_basestring_ascii, builtins.exec
    kinds = (AssertionError, MemoryError, SystemExit, KeyboardInterrupt)
    nameOf, textOf, stackOf, kindOf, isKind = type, str, traceback.extract_tb, type, issubclass
    pathOf, resolve, listOf, only = os.fsdecode, os.path.realpath, list, filter
    text, number, refusal, here = str, int, RuntimeError, __file__
    library = tuple({os.path.dirname(os.__file__) + os.sep, '<frozen '})
    site = os.sep + 'site-packages' + os.sep, os.sep + 'dist-packages' + os.sep
    frame, find = sys._getframe, str.startswith
    frames = {'tb_frame', 'gi_frame', 'cr_frame', 'ag_frame', 'gi_code', 'cr_code', 'ag_code'}
    lookers = ('inspect.py', 'traceback.py', 'logging/__init__.py', 'pdb.py', 'bdb.py', 'code.py')
    memory = {
        'ctypes.' + name for name in (
            'string_at', 'wstring_at', 'cdata', 'memoryview_at', 'dlsym', 'dlopen', 'dlsym/handle',
            'call_function', 'cdata/buffer', 'PyObj_FromPtr',
        )
    }
    # No library has a use for these while it is used.
    never = {
        'gc.get_objects', 'gc.get_referrers', 'gc.get_referents', 'sys._current_frames', 'sys._current_exceptions',
        'sys.settrace', 'sys.setprofile', 'sys.addaudithook', 'sys.monitoring.register_callback', 'open',
    }
    watched = memory | never | {
        'sys._getframe', 'sys._getframemodulename', 'object.__getattr__', 'object.__setattr__', 'code.__new__',
        'compile', 'import',
    }
    intoMemory = {'_testcapi', '_testinternalcapi', '_testlimitedcapi', '_cffi_backend'}
    busy, collecting = False, False

    def in_library(code):
        name = code.co_filename
        return find(name, library) and not in_site(name)

    def in_site(name):
        return site[0] in name or site[1] in name

    # Whether a package, or the import of a module of the library, asks for memory.
    def for_package(asking):
        while asking is not None and asking.f_code.co_filename.endswith(('ctypes/__init__.py', '_endian.py')):
            asking = asking.f_back
        if asking is None:
            return False
        name = asking.f_code.co_filename
        return find(name, '<frozen importlib') or in_site(name)

    def leads_to_proc(path):
        if isKind(nameOf(path), number):
            return False
        return find(resolve(pathOf(path)) + '/', '/proc/')

    def concerns(event, args):
        if event == 'object.__getattr__':
            return args[1] in frames
        if event == 'object.__setattr__':
            return args[1] == '__code__'
        if event == 'compile':
            name = pathOf(args[1]) if args[1] is not None else ''
            return find(name, library) or in_site(name) or name == here
        if event == 'import':
            return args[0] in intoMemory
        return leads_to_proc(args[0]) if event == 'open' else True

    # What would lead from the answer to this harness, or keep tests from being run, is for the library only.
    def watch(event, args):
        nonlocal busy, collecting
        if event not in watched or busy:
            return
        busy = True
        try:
            if not concerns(event, args):
                return
            try:
                caller = frame(1)
            except ValueError:
                return
            name = caller.f_code.co_filename
            if event in never:
                allowed = event == 'gc.get_objects' and collecting and name == here
                collecting = False
            elif event in memory:
                allowed = for_package(caller)
            elif event == 'import':
                allowed = in_site(name)
            else:
                allowed = in_library(caller.f_code) or name == here
                if allowed and name.endswith(lookers):
                    above = caller.f_back
                    allowed = above is not None and in_library(above.f_code)
        finally:
            busy = False
        if not allowed:
            raise refusal(event + ' is not for code that is checked')

    def report(outcome, detail=''):
        said = '{"outcome": "' + outcome + '", "detail": ' + quote(detail[:1000]) + '}'
        write(3, token + b' ' + said.encode())
        leave(0)

    def describe(error):
        try:
            said = textOf(error)
        except BaseException:
            said = ''
        shown = nameOf(error).__name__ + (': ' + said if said else '')
        lines = [entry.lineno for entry in stackOf(error.__traceback__) if entry.filename == 'tests.py']
        return shown + '\n' + tests.split('\n')[lines[-1] - 1].strip() if lines else shown

    # Definitions and imports run no test, nor does what is for a program that is started by itself.
    def runs_nothing(statement):
        if isinstance(statement, ast.If):
            return 'id=' + repr('__name__') in ast.dump(statement.test)
        if isinstance(statement, ast.Expr):
            return isinstance(statement.value, ast.Constant)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)
        return isinstance(statement, kinds)

    # What tests begin has to end: coroutines that nobody awaits, tasks that never begin, threads.
    coroutine, objects, collect, threads = types.CoroutineType, gc.get_objects, gc.collect, threading.enumerate
    unfinished, failed_apart, asserting = [], [], set()

    def of_tests(found):
        origin = found.cr_origin
        return bool(origin) and origin[0][0] == 'tests.py'

    def never_awaited(found):
        if of_tests(found):
            unfinished.append(found.__qualname__)

    def failed_in_thread(args):
        kind, error = args.exc_type, args.exc_value
        if error is not None and isKind(kind, kinds[0]):
            failed_apart.append(describe(error))

    # A task keeps what it failed with for whoever awaits it.
    def look_at_task(task):
        found = task.get_coro()
        if nameOf(found) is not coroutine or not of_tests(found):
            return
        if task.done() and not task.cancelled() and task._log_traceback:
            failed_apart.append(describe(task.exception()))
        elif not task.done() and found.cr_code.co_firstlineno in asserting:
            unfinished.append(found.__qualname__)

    def watch_tasks():
        from asyncio import base_events, runners, tasks
        cancel, tell = runners._cancel_all_tasks, base_events.BaseEventLoop.call_exception_handler

        def cancel_tasks(loop):
            for task in tasks.all_tasks(loop):
                look_at_task(task)
            cancel(loop)

        def note(loop, context):
            task = context.get('task') or context.get('future')
            if isinstance(task, tasks.Task) and of_tests(task.get_coro()):
                failed = context.get('exception')
                if failed is not None:
                    failed_apart.append(describe(failed))
                else:
                    look_at_task(task)
            tell(loop, context)
        runners._cancel_all_tasks = cancel_tasks
        base_events.BaseEventLoop.call_exception_handler = note
        return tasks.Task

    def watch_tests():
        warnings._warn_unawaited_coroutine = never_awaited
        threading.excepthook = failed_in_thread
        sys.set_coroutine_origin_tracking_depth(1)
        return watch_tasks() if 'asyncio' in tests or 'asyncio' in sys.modules else None

    # Found in one step, so that no name leads to all objects.
    def every(kind):
        nonlocal collecting
        collecting = True
        return listOf(only(partial(type.__instancecheck__, kind), objects()))

    before, tasks = None, None

    def begin_tests():
        nonlocal before, tasks
        before, tasks = threads(), watch_tests()

    def finish():
        for thread in threads():
            if thread not in before and not thread.daemon:
                thread.join()
        collect()
        for found in every(tasks) if tasks else ():
            if nameOf(found) is tasks:
                look_at_task(found)
        for found in every(coroutine):
            if nameOf(found) is coroutine and found.cr_frame is not None and of_tests(found):
                unfinished.append(found.__qualname__)
        if failed_apart:
            report('failed', failed_apart[0])
        if unfinished:
            report('error', 'the tests never ended: ' + unfinished[0] + ' was not awaited')

    def fail(error):
        kind = kindOf(error)
        if isKind(kind, kinds[0]):
            report('failed', describe(error))
        if isKind(kind, kinds[1]):
            report('memory')
        if isKind(kind, kinds[2:]):
            report('error', 'the program ended before the tests did')
        report('error', describe(error))

    def read_tests():
        try:
            tree = ast.parse(tests, 'tests.py')
            compiled = compile(tree, 'tests.py', 'exec')
        except (SyntaxError, ValueError) as error:
            report('bad tests', textOf(error))
        if all(runs_nothing(statement) for statement in tree.body):
            report('bad tests', 'they define functions or classes but call none of them')
        for node in ast.walk(tree):
            if isinstance(node, ast.AsyncFunctionDef):
                if any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
                    asserting.add(min([node.lineno] + [made.lineno for made in node.decorator_list]))
        return compiled

    compiled = read_tests()
    try:
        answered = compile(answer, 'answer.py', 'exec')
    except BaseException as error:
        fail(error)
    failing.append(fail)
    module = types.ModuleType('answer')
    sys.modules['answer'] = sys.modules['__main__'] = module
    sys.argv = ['']
    sys.addaudithook(watch)
    return map(partial.__call__, (
        partial(run, answered, module.__dict__),
        partial(begin_tests),
        partial(run, compiled, module.__dict__),
        partial(finish),
        partial(write, 3, told['passed'].encode()),
        partial(leave, 0),
    ))

failing = []
try:
    for step in prepare():
        pass
except BaseException as error:
    failing[0](error)
`;

const javascriptHarness = String.raw`import assert from 'node:assert';
import fs from 'node:fs';
import inspector from 'node:inspector';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect, types } from 'node:util';
import v8 from 'node:v8';
import { Script } from 'node:vm';

const { token, passed, tests, answer, name, program } = JSON.parse(fs.readFileSync(0, 'utf8'));
fs.closeSync(0);
fs.openSync('/dev/null', 'r');
fs.writeFileSync(name, program);

const { stringify } = JSON;
const { writeSync } = fs;
const later = setImmediate;
const activeResources = process.getActiveResourcesInfo.bind(process);
const leave = process.reallyExit.bind(process);
const exitListeners = process.listeners.bind(process, 'exit');
const asText = String;
const isError = Function.prototype.call.bind(Object.prototype.isPrototypeOf, Error.prototype);
const shorten = Function.prototype.call.bind(String.prototype.slice);
const matches = Function.prototype.call.bind(RegExp.prototype.exec);
const outOfMemory = /allocation failed/i;
const { isPromise } = types;
const pendingPromise = /\{\s*<pending>/;
const shownFlat = { depth: 0, customInspect: false, showProxy: true };

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

// What tests begin and wait for: when nothing is left to do, none of it may be open.
let begun = 0;
let ended = 0;
let waitedFor = [];
let manyWaitedFor = 1000;
const handedOver = [];
const isPending = (promise) => matches(pendingPromise, inspect(promise, shownFlat)) !== null;
function stillPending() {
  const kept = [];
  for (let index = 0; index < waitedFor.length; index += 1) {
    if (isPending(waitedFor[index])) kept[kept.length] = waitedFor[index];
  }
  return kept;
}
const watching = {
  typecaseBegin: () => {
    begun += 1;
  },
  typecaseEnd: () => {
    ended += 1;
  },
  // By their numbers: handed over and not called yet, or called.
  typecaseGiven: (number) => {
    handedOver[number] ??= 'given';
  },
  typecaseCalled: (number) => {
    handedOver[number] = 'called';
  },
  typecaseWatch: (value) => {
    if (!isPromise(value)) return value;
    waitedFor[waitedFor.length] = value;
    if (waitedFor.length > manyWaitedFor) {
      waitedFor = stillPending();
      manyWaitedFor = 1000 + 2 * waitedFor.length;
    }
    return value;
  },
};
for (const [key, value] of Object.entries(watching)) Object.defineProperty(globalThis, key, { value });

function isCalm() {
  const resources = activeResources();
  for (let index = 0; index < resources.length; index += 1) {
    // Standard output stays open, and keeps nothing waiting.
    if (resources[index] !== 'PipeWrap' && resources[index] !== 'TTYWrap') return false;
  }
  return true;
}
function conclude() {
  if (!isLoaded || ended < begun || stillPending().length > 0) {
    report('error', 'the tests never ended');
  }
  const atExit = exitListeners();
  for (let index = 0; index < atExit.length; index += 1) {
    try {
      atExit[index](0);
    } catch (error) {
      fail(error);
    }
  }
  for (let index = 0; index < handedOver.length; index += 1) {
    if (handedOver[index] !== 'given') continue;
    report('error', 'the tests never ended: a function with an assert was not called');
  }
  // Programs that count their failures, such as those of node:test, say so at their end.
  const { exitCode } = process;
  if (exitCode !== undefined && exitCode !== 0 && exitCode !== '0') {
    report('failed', 'the tests ended with exit code ' + asText(exitCode));
  }
  writeSync(3, passed);
  leave(0);
}
process.on('beforeExit', () => {
  // A program can say so itself while tests wait: nothing may be left to do after it, twice.
  later(() => {
    if (isCalm()) later(() => isCalm() && conclude());
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

export function javascriptProgram(parts: ProgramParts): Program {
  const { answer, tests, watched = tests, memoryMb } = parts;
  const isModule = /^\s*(?:import|export)\b|^\s*await\b/m.test(`${answer}\n${tests}`);
  return {
    harness: { name: 'harness.mjs', text: javascriptHarness },
    args: [`--max-old-space-size=${memoryMb}`],
    told: {
      tests,
      answer,
      name: isModule ? 'program.mjs' : 'program.cjs',
      program: `${answer}\n${watched}\n`,
    },
    interpreterMb: { reserved: 512, filled: 80 },
  };
}
