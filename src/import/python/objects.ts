import { pyRepr } from '../../python/repr.ts';
import { MutableDict, type PyDict, PyObject, PyTuple, type PyValue } from '../../python/values.ts';
import { raise, spendItems } from './machine.ts';

/** Arguments of a call. */
export interface Arguments {
  readonly positional: readonly PyValue[];
  readonly named: ReadonlyMap<string, PyValue>;
}

/** Something that can be called. */
export abstract class PyCallable extends PyObject {
  readonly name: string;
  constructor(type: string, name: string, repr: () => string) {
    super(type, repr);
    this.name = name;
  }

  abstract call(args: Arguments): PyValue;
}

/** A function of the config itself. */
export class PyFunction extends PyCallable {
  readonly #body: (args: Arguments) => PyValue;
  constructor(name: string, body: (args: Arguments) => PyValue) {
    super('function', name, () => `<function ${name}>`);
    this.#body = body;
  }

  call(args: Arguments): PyValue {
    return this.#body(args);
  }
}

/** A function or method that comes with Python. */
export class PyBuiltin extends PyCallable {
  /** Whether the original is written in Python, which some rules ask for. */
  readonly isPlainFunction: boolean;
  readonly #body: (args: Arguments) => PyValue;
  constructor(
    name: string,
    body: (args: Arguments) => PyValue,
    { isPlainFunction = false }: { readonly isPlainFunction?: boolean } = {},
  ) {
    super('builtin_function_or_method', name, () => `<built-in function ${name}>`);
    this.#body = body;
    this.isPlainFunction = isPlainFunction;
  }

  call(args: Arguments): PyValue {
    return this.#body(args);
  }
}

/** A class that comes with Python, such as `int` or `ValueError`. */
export class PyClass extends PyCallable {
  readonly module: string;
  readonly bases: readonly PyClass[];
  readonly attributes: ReadonlyMap<string, PyValue>;
  readonly #make: (args: Arguments) => PyValue;

  constructor(
    name: string,
    make: (args: Arguments) => PyValue,
    {
      module = 'builtins',
      bases = [],
      attributes = new Map(),
    }: {
      readonly module?: string;
      readonly bases?: readonly PyClass[];
      readonly attributes?: ReadonlyMap<string, PyValue>;
    } = {},
  ) {
    const full = module === 'builtins' ? name : `${module}.${name}`;
    super('type', name, () => `<class '${full}'>`);
    this.#make = make;
    this.module = module;
    this.bases = bases;
    this.attributes = attributes;
  }

  call(args: Arguments): PyValue {
    return this.#make(args);
  }

  /** Whether it is the other class or comes from it. */
  isUnder(other: PyClass): boolean {
    return this === other || this.bases.some((base) => base.isUnder(other));
  }
}

export class PyModule extends PyObject {
  readonly name: string;
  readonly members: ReadonlyMap<string, PyValue>;
  constructor(name: string, members: ReadonlyMap<string, PyValue>) {
    super('module', () => `<module '${name}'>`);
    this.name = name;
    this.members = members;
  }
}

/** `os.environ`: variables that the reader of a config lets through, by name alone. */
export class PyEnvironment extends PyModule {
  readonly variable: (name: PyValue) => string | undefined;
  constructor(
    members: ReadonlyMap<string, PyValue>,
    variable: (name: PyValue) => string | undefined,
  ) {
    super('os.environ', members);
    this.variable = variable;
  }
}

/** An imported class of another package, which is never loaded: a reference by its dotted name. */
export class PyReference extends PyObject {
  readonly module: string;
  readonly text: string;
  /** What an attribute of it names as its module. */
  readonly inner: string;

  constructor({ module, text, inner }: { module: string; text: string; inner: string }) {
    super('LazyObject', () => text);
    this.module = module;
    this.text = text;
    this.inner = inner;
  }

  /** `from module import name` */
  static imported(module: string, name: string): PyReference {
    return new PyReference({ module, text: name, inner: `${module}.${name}` });
  }

  /** `import module as …` */
  static ofModule(module: string): PyReference {
    return new PyReference({ module, text: module, inner: module });
  }

  get dotted(): string {
    return `${this.module}.${this.text}`;
  }

  attribute(name: string): PyReference {
    return new PyReference({ module: this.inner, text: name, inner: `${this.inner}.${name}` });
  }

  copy(): PyReference {
    return new PyReference(this);
  }
}

export class PyBytes extends PyObject {
  /** One character for each byte. */
  readonly bytes: string;
  constructor(bytes: string) {
    super('bytes', () => reprBytes(bytes));
    this.bytes = bytes;
  }

  override get isTruthy(): boolean {
    return this.bytes !== '';
  }

  override equals(other: PyValue): boolean {
    return other instanceof PyBytes && other.bytes === this.bytes;
  }

  override get asKey(): unknown {
    return Symbol.for(`b${this.bytes}`);
  }
}

function reprBytes(bytes: string): string {
  const quote = bytes.includes("'") && !bytes.includes('"') ? '"' : "'";
  const body = pyRepr(`"'${bytes}`).slice(4, -1).replaceAll("\\'", "'");
  const escaped = body.replace(
    /[^ -~]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `b${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}

/** A set or a frozenset, in the order of insertion. */
export class PySet extends PyObject {
  readonly members: MutableDict;
  readonly isFrozen: boolean;

  constructor(
    items: Iterable<PyValue>,
    { isFrozen = false }: { readonly isFrozen?: boolean } = {},
  ) {
    super(isFrozen ? 'frozenset' : 'set', () => this.#repr());
    this.isFrozen = isFrozen;
    this.members = new MutableDict([]);
    for (const item of items) this.add(item);
  }

  #repr(): string {
    const inside = this.items().map(pyRepr).join(', ');
    if (this.isFrozen) return inside === '' ? 'frozenset()' : `frozenset({${inside}})`;
    return inside === '' ? 'set()' : `{${inside}}`;
  }

  add(item: PyValue): void {
    spendItems(1);
    if (!this.members.has(item)) this.members.set(item, null);
  }

  items(): PyValue[] {
    return this.members.keys();
  }

  override get isTruthy(): boolean {
    return this.members.size > 0;
  }

  override equals(other: PyValue): boolean {
    return (
      other instanceof PySet &&
      other.members.size === this.members.size &&
      this.items().every((item) => other.members.has(item))
    );
  }

  override get asKey(): unknown {
    if (!this.isFrozen) raise('TypeError', "unhashable type: 'set'");
    return this;
  }
}

export class PyRange extends PyObject {
  readonly start: number;
  readonly stop: number;
  readonly step: number;

  constructor(start: number, stop: number, step: number) {
    super('range', () => `range(${start}, ${stop}${step === 1 ? '' : `, ${step}`})`);
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  get length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }

  at(index: number): number {
    return this.start + index * this.step;
  }

  override get isTruthy(): boolean {
    return this.length > 0;
  }

  override equals(other: PyValue): boolean {
    if (!(other instanceof PyRange) || other.length !== this.length) return false;
    return (
      this.length === 0 ||
      (this.start === other.start && (this.length === 1 || this.step === other.step))
    );
  }
}

/** Something that is read once, from front to back. */
export class PyIterator extends PyObject {
  readonly source: Iterator<PyValue>;
  constructor(type: string, source: Iterator<PyValue>) {
    super(type, () => `<${type} object>`);
    this.source = source;
  }
}

/** What `keys()`, `values()` and `items()` of a dict give: they show the dict as it is. */
export class PyDictView extends PyObject {
  readonly dict: PyDict;
  readonly kind: 'keys' | 'values' | 'items';
  constructor(dict: PyDict, kind: PyDictView['kind']) {
    super(`dict_${kind}`, () => `dict_${kind}(${pyRepr(this.list())})`);
    this.dict = dict;
    this.kind = kind;
  }

  list(): PyValue[] {
    if (this.kind === 'keys') return this.dict.keys();
    if (this.kind === 'values') return this.dict.values();
    return this.dict.entries().map((entry) => new PyTuple(entry));
  }

  override get isTruthy(): boolean {
    return this.dict.size > 0;
  }

  override equals(other: PyValue): boolean {
    if (this.kind === 'values') return this === other;
    return new PySet(this.list()).equals(
      other instanceof PyDictView ? new PySet(other.list()) : other,
    );
  }
}

export class PySlice extends PyObject {
  readonly parts: readonly [PyValue, PyValue, PyValue];
  constructor(parts: readonly [PyValue, PyValue, PyValue]) {
    super('slice', () => `slice(${parts.map(pyRepr).join(', ')})`);
    this.parts = parts;
  }
}

/** A file that was opened to be read. */
export class PyFile extends PyObject {
  readonly text: string;
  position = 0;
  constructor(text: string) {
    super('_io.TextIOWrapper', () => '<_io.TextIOWrapper>');
    this.text = text;
  }
}

export class OrderedDict extends MutableDict {
  override get type(): string {
    return 'OrderedDict';
  }
}

export class DefaultDict extends MutableDict {
  readonly factory: PyCallable | undefined;
  constructor(factory: PyCallable | undefined, entries: Iterable<readonly [PyValue, PyValue]>) {
    super(entries);
    this.factory = factory;
  }

  override get type(): string {
    return 'defaultdict';
  }
}

export const ellipsis = new PyObject('ellipsis', () => 'Ellipsis');
export const notImplemented = new PyObject('NotImplementedType', () => 'NotImplemented');
