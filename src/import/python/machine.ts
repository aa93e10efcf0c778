import { CompatError } from '../../python/compat-error.ts';
import { PyObject, type PyValue } from '../../python/values.ts';

/** Where in a Python file something stands; `column` counts bytes from 0, as Python's trees do. */
export interface Place {
  readonly unit: SourceUnit;
  readonly line: number;
  readonly byte: number;
}

export interface SourceUnit {
  /** The path as Python would show it. */
  readonly file: string;
  readonly text: string;
}

/** What a config may do to the world around it: nothing but read, inside its own tree. */
export interface Host {
  /** The text of a file of the tree, or a Python error. */
  readonly readText: (path: string) => string;
  readonly exists: (path: string) => 'file' | 'folder' | undefined;
  readonly list: (path: string) => readonly string[];
  /** The value of an environment variable that the config may see. */
  readonly variable: (name: string) => string | undefined;
  /** The absolute path of the working directory. */
  readonly folder: string;
}

/**
 * What one file may do. Configs come from anywhere, so that they may be hostile. The largest public
 * config needs about a tenth of these bounds.
 */
export const limits = { steps: 1.5e6, items: 4e6, characters: 4e7, depth: 400 };

const nowhere: Host = {
  readText: () => raise('PermissionError', 'files cannot be opened here'),
  exists: () => undefined,
  list: () => [],
  variable: () => undefined,
  folder: '/',
};

/** Evaluation never waits, so that one machine at a time is enough. */
export const machine = {
  at: undefined as Place | undefined,
  depth: 0,
  host: nowhere,
  left: { ...limits },
  /** Whether the order of a set of texts was looked at, which Python draws anew in every run. */
  isUnstable: false,
};

/** Runs something with fresh bounds. */
export function withMachine<Result>(host: Host, work: () => Result): Result {
  const before = { ...machine };
  Object.assign(machine, { at: undefined, depth: 0, host, left: { ...limits }, isUnstable: false });
  try {
    return work();
  } finally {
    Object.assign(machine, before);
  }
}

/** A bound was reached: nothing in the config can catch this. */
export class BoundReached extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export function spendSteps(count: number): void {
  machine.left.steps -= count;
  if (machine.left.steps < 0) {
    throw new BoundReached(
      'TimeoutError',
      `the config takes more than ${limits.steps.toLocaleString('en')} steps`,
    );
  }
}

export function spendItems(count: number): void {
  machine.left.items -= count;
  if (machine.left.items < 0) {
    throw new BoundReached(
      'MemoryError',
      `the config makes lists and mappings of more than ${limits.items.toLocaleString('en')} items`,
    );
  }
}

export function spendCharacters(count: number): void {
  machine.left.characters -= count;
  if (machine.left.characters < 0) {
    throw new BoundReached(
      'MemoryError',
      `the config makes more than ${limits.characters.toLocaleString('en')} characters of text`,
    );
  }
}

/** An instance of an exception class. */
export class PyException extends PyObject {
  readonly className: string;
  readonly args: readonly PyValue[];
  /** What it says, where that is known and its arguments are not. */
  readonly said: string | undefined;

  constructor(className: string, args: readonly PyValue[], repr: () => string, said?: string) {
    super(className, repr);
    this.said = said;
    this.className = className;
    this.args = args;
  }
}

/** A Python exception on its way. */
export class Raised extends Error {
  readonly type: string;
  readonly exception: PyException | undefined;
  readonly at: Place | undefined;

  constructor(
    type: string,
    message: string,
    { exception, at = machine.at }: { exception?: PyException; at?: Place | undefined } = {},
  ) {
    super(message);
    this.type = type;
    this.exception = exception;
    this.at = at;
  }
}

/** Stops as Python would. */
export function raise(type: string, message: string): never {
  throw new Raised(type, message);
}

/** The Python exception that an error of this program stands for; bounds and defects are none. */
export function asRaised(error: unknown): Raised | undefined {
  if (error instanceof Raised) return error;
  if (error instanceof CompatError) return new Raised(error.pythonType, error.pythonMessage);
  return undefined;
}

/** A stack or a string that the engine has no room for. */
export function asBound(error: unknown): BoundReached | undefined {
  if (error instanceof BoundReached) return error;
  if (!(error instanceof RangeError)) return undefined;
  return /call stack/.test(error.message)
    ? new BoundReached('RecursionError', 'it is nested too deeply')
    : new BoundReached('MemoryError', error.message);
}
