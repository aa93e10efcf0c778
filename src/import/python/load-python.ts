import type { Module } from 'py-ast';
import { ConfigError } from '../../errors.ts';
import { plainText } from '../../python/traced-text.ts';
import { isText, MutableDict, PyDict, PyTuple, type PyValue } from '../../python/values.ts';
import { compiler } from './compiler.ts';
import { ConfigDict, inherit, measure, toConfigDict } from './config-dict.ts';
import { ConfigFiles } from './config-files.ts';
import { deepCopy } from './deep-copy.ts';
import { type Frame, moduleScope } from './frame.ts';
import {
  asBound,
  asRaised,
  BoundReached,
  machine,
  type Place,
  raise,
  type SourceUnit,
  withMachine,
} from './machine.ts';
import {
  baseKeyNode,
  baseModules,
  isLazy,
  type ModulePlan,
  planModule,
  planPlainModule,
} from './module-plan.ts';
import { PyBuiltin, PyClass, PyFunction, PyModule } from './objects.ts';
import { asList } from './operations.ts';
import { joinPaths, normalizePath, splitExtension, splitPath } from './paths.ts';
import { columnOf, loadParser, parsePython, placeOf } from './syntax.ts';

/** A Python config as mmengine gives it. */
export interface LoadedPython {
  /** The path relative to the root. */
  readonly file: string;
  readonly isLazy: boolean;
  /** All names with their values, imported ones too. */
  readonly names: PyDict;
  /** Names that were imported, which are no part of the config. */
  readonly imported: ReadonlySet<string>;
  /** Whether Python would give another order in another run. */
  readonly isUnstable: boolean;
}

/** A config that cannot be loaded: the error that Python would stop with, and where. */
export class PythonConfigError extends ConfigError {
  /** The class of the exception, such as `KeyError`. */
  readonly pythonType: string;

  constructor(pythonType: string, message: string, at: Place | undefined) {
    super('python.error', message === '' ? pythonType : `${pythonType}: ${message}`, {
      at: at && { file: at.unit.file, line: at.line, column: columnOf(at) },
      hint: hints[pythonType],
    });
    this.pythonType = pythonType;
  }
}

const hints: Readonly<Record<string, string>> = {
  PermissionError:
    'Configs are read without Python: they have no access to programs, the network, or files outside their tree. Set the tree with --root.',
  ModuleNotFoundError: 'Set --root to the folder that contains this package.',
  NotImplementedError:
    'Write this part of the config with literals, dict(), list(), loops, functions and comprehensions.',
};

interface SourceFile {
  readonly unit: SourceUnit;
  readonly tree: Module;
  readonly isLazy: boolean;
  plan?: ModulePlan;
}

const maxBases = 60;
const reserved = ['filename', 'text', 'pretty_text', 'env_variables'];
const lazyObject = new PyClass('LazyObject', () => raise('RuntimeError', ''), {
  module: 'mmengine.config.lazy',
});

/** Loads the configs of a tree. What files share is read once. */
export class PythonLoader {
  readonly files: ConfigFiles;
  readonly #sources = new Map<string, SourceFile>();
  #level = 0;

  private constructor(files: ConfigFiles) {
    this.files = files;
  }

  static async open(
    root: string,
    variables: Readonly<Record<string, string | undefined>> = {},
    beside?: string,
  ): Promise<PythonLoader> {
    await loadParser();
    return new PythonLoader(new ConfigFiles(root, variables, beside));
  }

  /** Loads a config by its path relative to the root, or by its whole path. */
  load(file: string): LoadedPython {
    return withMachine(this.files, () => {
      this.#level = 0;
      try {
        return this.#load(file);
      } catch (error) {
        const raised = asRaised(error);
        if (raised) throw new PythonConfigError(raised.type, raised.message, raised.at);
        const bound = asBound(error);
        if (bound)
          throw new PythonConfigError(bound.type, bound.message, machine.at ?? startOf(file));
        throw error;
      }
    });
  }

  #load(file: string): LoadedPython {
    const source = this.#source(file);
    if (!source.isLazy)
      return {
        file,
        isLazy: false,
        names: this.#loadPlain(file, source),
        imported: new Set(),
        isUnstable: machine.isUnstable,
      };
    const { names, imported } = this.#loadLazy(file, source);
    measure(names);
    machine.at = undefined;
    checkReserved(names, file);
    return { file, isLazy: true, names, imported, isUnstable: machine.isUnstable };
  }

  #source(file: string): SourceFile {
    machine.at = machine.at ?? startOf(file);
    const identity = this.files.identify(file);
    const known = this.#sources.get(identity);
    if (known) return known;
    const unit = { file: normalizePath(file), text: this.files.readText(file) };
    const tree = parsePython(unit);
    const source: SourceFile = { unit, tree, isLazy: isLazy(tree, unit) };
    this.#sources.set(identity, source);
    return source;
  }

  #loadLazy(file: string, source: SourceFile): { names: MutableDict; imported: Set<string> } {
    if (++this.#level > maxBases) {
      throw new BoundReached('RecursionError', 'configs import each other in a circle');
    }
    const { unit, tree } = source;
    const bases = new Map<string, MutableDict>();
    const imported = new Set<string>();
    for (const { module, node } of baseModules(tree, unit).modules) {
      machine.at = placeOf(unit, node);
      const path = this.#basePath(module, file);
      if (this.files.exists(path) !== 'file') {
        raise(
          'ConfigParsingError',
          `${path} not found: \`from ${module} import …\` in \`with read_base()\` is not a config`,
        );
      }
      const at = machine.at;
      const base = this.#loadLazy(path, this.#source(path));
      machine.at = at;
      for (const name of base.imported) imported.add(name);
      bases.set(module, base.names);
    }
    source.plan ??= planModule(tree, unit);
    const globals = this.#begin(file, source.plan, { bases, unit });
    const frame: Frame = { names: new Map(), outer: undefined, globals };
    source.plan.run(frame);
    for (const name of source.plan.imported) imported.add(name);
    this.#level--;
    return { names: namespaceOf(globals), imported };
  }

  /** The names that are there before a file runs. */
  #begin(
    file: string,
    plan: ModulePlan,
    { bases, unit }: { bases: ReadonlyMap<string, MutableDict>; unit: SourceUnit },
  ): MutableDict {
    const globals = new MutableDict([
      ['LazyObject', lazyObject],
      ['__file__', file],
    ]);
    // No two names share an object: what is taken is copied, once for each name.
    const copies = new Map<MutableDict, Map<PyValue, PyValue>>();
    for (const { module, name, as, node } of plan.taken) {
      const base = bases.get(module) as MutableDict;
      machine.at = placeOf(unit, node);
      if (!copies.has(base)) copies.set(base, new Map());
      const copied = copies.get(base) as Map<PyValue, PyValue>;
      for (const key of name === '*' ? base.keys() : [name]) {
        const value = base.get(key);
        if (value === undefined) raise('KeyError', `'${name}'`);
        else if (!copied.has(key)) copied.set(key, toConfigDict(value));
        globals.set(name === '*' ? key : as, copied.get(key) ?? null);
      }
    }
    for (const [name, reference] of plan.references) globals.set(name, reference);
    return globals;
  }

  #basePath(module: string, file: string): string {
    const level = module.search(/[^.]/);
    const rest = module.slice(level).replaceAll('.', '/');
    if (level > 0) {
      return joinPaths(
        splitPath(file)[0],
        ...Array.from({ length: level - 1 }, () => '..'),
        `${rest}.py`,
      );
    }
    const [first = '', second] = module.split('.');
    if (second === undefined) {
      raise(
        'ConfigParsingError',
        `\`${first}\` is a package, not a config: give the config inside it`,
      );
    }
    if (this.files.exists(first) !== 'folder')
      raise('ModuleNotFoundError', `package \`${first}\` not found in \`${this.files.folder}\``);
    return `${this.files.folder}/${rest}.py`;
  }

  #loadPlain(file: string, source: SourceFile): ConfigDict {
    const { names, base } = this.#readPlain(file, source);
    const merged = base ? inherit(names, base) : names;
    const result = toConfigDict(
      new MutableDict(merged.entries().filter(([key]) => !isDunder(key))),
    ) as ConfigDict;
    machine.at = undefined;
    checkReserved(result, file);
    return result;
  }

  #readPlain(
    file: string,
    { unit }: SourceFile,
  ): { names: MutableDict; base: ConfigDict | undefined } {
    if (++this.#level > maxBases)
      throw new BoundReached('RecursionError', 'configs import each other in a circle');
    const path = joinPaths(this.files.folder, file);
    const text = substituteBase(this.#substitute(unit.text, path));
    const own = { file, text };
    const tree = parsePython(own);
    const globals = new MutableDict([]);
    const frame: Frame = { names: new Map(), outer: undefined, globals };
    const base = this.#plainBases(tree, own, frame);
    planPlainModule(tree, own)(frame);
    this.#level--;
    const kept = globals
      .entries()
      .filter(([key, value]) => !isDunder(key) && !isFunctionOrModule(value));
    const copied = deepCopy(new MutableDict(kept)) as MutableDict;
    return { names: base ? (fillBase(copied, base) as MutableDict) : copied, base };
  }

  /** The configs that `_base_` names, in one. */
  #plainBases(tree: Module, unit: SourceUnit, frame: Frame): ConfigDict | undefined {
    const node = baseKeyNode(tree);
    if (!node) return undefined;
    machine.at = placeOf(unit, node);
    const value = compiler.expression(node.value, {
      unit,
      scope: moduleScope,
      importer: () => [],
      compiler,
    })(frame);
    const all = new ConfigDict([]);
    for (const path of asList(value) ?? [value]) {
      if (!isText(path)) return raise('TypeError', '`_base_` names files');
      const file = joinPaths(splitPath(unit.file)[0], plainText(path));
      const source = this.#source(file);
      if (source.isLazy)
        raise('RuntimeError', `\`${file}\` has imports, so it cannot be used in \`_base_\``);
      for (const [key, item] of this.#loadPlain(file, source).entries()) {
        if (all.has(key))
          raise('KeyError', `Duplicate key is not allowed among bases: ${String(key)}`);
        all.set(key, item);
      }
    }
    return all;
  }

  /** `{{ fileBasename }}` and `{{$NAME:default}}` */
  #substitute(text: string, path: string): string {
    const name = splitPath(path)[1];
    const values = {
      fileDirname: splitPath(path)[0],
      fileBasename: name,
      fileBasenameNoExtension: splitExtension(name)[0],
      fileExtname: splitExtension(path)[1],
    };
    let result = text;
    for (const [key, value] of Object.entries(values)) {
      result = result.replace(new RegExp(`\\{\\{\\s*${key}\\s*\\}\\}`, 'g'), () => value);
    }
    return result.replace(
      /\{\{['"]?\s*\$(\w+)\s*:\s*(\S*?)\s*['"]?\}\}/g,
      (_, variable: string, other: string) => {
        const value = this.files.variable(variable) ?? other;
        return value === '' ? raise('KeyError', `\`${variable}\` is not in \`os.environ\``) : value;
      },
    );
  }
}

function startOf(file: string): Place {
  return { unit: { file, text: '' }, line: 1, byte: 0 };
}

function checkReserved(names: PyDict, file: string): void {
  for (const key of reserved) {
    if (names.has(key)) {
      machine.at = startOf(file);
      raise('KeyError', `${key} is reserved for config file`);
    }
  }
}

const isDunder = (key: PyValue) => isText(key) && plainText(key).startsWith('__');

function isFunctionOrModule(value: PyValue): boolean {
  return (
    value instanceof PyFunction ||
    value instanceof PyModule ||
    (value instanceof PyBuiltin && value.isPlainFunction)
  );
}

function namespaceOf(globals: MutableDict): MutableDict {
  return new MutableDict(
    globals.entries().filter(([key]) => !isDunder(key) && key !== 'LazyObject'),
  );
}

const baseMark = '\u0001base:';

/** `{{ _base_.name }}` becomes a text that is replaced by the value once it is known. */
function substituteBase(text: string): string {
  return text.replace(
    /\{\{\s*_base_\.([\w.]+)\s*\}\}/g,
    (_, path: string) => `"\\x01base:${path}"`,
  );
}

function fillBase(value: PyValue, base: PyDict): PyValue {
  if (isText(value)) {
    const text = plainText(value);
    if (!text.startsWith(baseMark)) return value;
    return text
      .slice(baseMark.length)
      .split('.')
      .reduce<PyValue>((at, key) => {
        const item = at instanceof PyDict ? at.get(key) : undefined;
        return item === undefined ? raise('KeyError', `'${key}'`) : item;
      }, base);
  }
  if (value instanceof PyDict)
    return new MutableDict(value.entries().map(([key, item]) => [key, fillBase(item, base)]));
  const list = asList(value);
  if (list) return list.map((item) => fillBase(item, base));
  return value instanceof PyTuple
    ? new PyTuple(value.items.map((item) => fillBase(item, base)))
    : value;
}
