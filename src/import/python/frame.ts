import { MutableDict, type PyValue } from '../../python/values.ts';
import { builtins } from './builtins.ts';
import { raise } from './machine.ts';

/** The names of a module, or of one call of a function. */
export interface Frame {
  readonly names: Map<string, PyValue>;
  readonly outer: Frame | undefined;
  readonly globals: MutableDict;
}

/** What the compiler knows of the names of a module, function or comprehension. */
export interface Scope {
  readonly kind: 'module' | 'function' | 'comprehension';
  readonly locals: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly parent: Scope | undefined;
}

export const moduleScope: Scope = {
  kind: 'module',
  locals: new Set(),
  globals: new Set(),
  parent: undefined,
};

/** How many frames outwards a name lives; undefined if it belongs to the module. */
function depthOf(scope: Scope, name: string): number | undefined {
  let depth = 0;
  for (let at: Scope | undefined = scope; at && at.kind !== 'module'; at = at.parent) {
    if (at.globals.has(name)) return undefined;
    if (at.locals.has(name)) return depth;
    depth++;
  }
  return undefined;
}

function outward(frame: Frame, depth: number): Frame {
  let at = frame;
  for (let left = depth; left > 0 && at.outer; left--) at = at.outer;
  return at;
}

export function loadName(scope: Scope, name: string): (frame: Frame) => PyValue {
  const depth = depthOf(scope, name);
  if (depth === undefined) {
    return ({ globals }) => {
      const value = globals.get(name);
      if (value !== undefined) return value;
      return builtins.get(name) ?? raise('NameError', `name '${name}' is not defined`);
    };
  }
  const message = `cannot access local variable '${name}' where it is not associated with a value`;
  if (depth === 0) return ({ names }) => names.get(name) ?? valueOrNone(names, name, message);
  return (frame) => {
    const { names } = outward(frame, depth);
    return names.get(name) ?? valueOrNone(names, name, message);
  };
}

function valueOrNone(names: ReadonlyMap<string, PyValue>, name: string, message: string): PyValue {
  return names.has(name) ? null : raise('UnboundLocalError', message);
}

export function storeName(scope: Scope, name: string): (frame: Frame, value: PyValue) => void {
  const depth = depthOf(scope, name);
  if (depth === undefined) {
    return ({ globals }, value) => globals.set(name, value);
  }
  return (frame, value) => {
    outward(frame, depth).names.set(name, value);
  };
}

export function deleteName(scope: Scope, name: string): (frame: Frame) => void {
  const depth = depthOf(scope, name);
  return (frame) => {
    const isGone =
      depth === undefined ? frame.globals.delete(name) : outward(frame, depth).names.delete(name);
    if (!isGone) raise('NameError', `name '${name}' is not defined`);
  };
}

/** What `locals()` shows. */
export function localsOf(scope: Scope, frame: Frame): MutableDict {
  return scope.kind === 'module' ? frame.globals : new MutableDict([...frame.names]);
}
