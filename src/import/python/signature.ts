import type { PyValue } from '../../python/values.ts';
import { raise, spendSteps } from './machine.ts';
import { type Arguments, PyBuiltin, type PyCallable } from './objects.ts';

export const noArguments: Arguments = { positional: [], named: new Map() };

/** Arguments by position alone. */
export function given(...positional: PyValue[]): Arguments {
  return { positional, named: noArguments.named };
}

type Given = PyValue | undefined;

/**
 * Puts arguments in the order of these names: `a?` may be left out, `*` takes all further ones by
 * position, which are then not in the order.
 */
export function bind(name: string, parameters: readonly string[], args: Arguments): Given[] {
  const names = parameters.map((parameter) => parameter.replace('?', ''));
  const values: Given[] = [...args.positional];
  if (values.length > names.length) {
    raise('TypeError', `${name} takes at most ${names.length} arguments (${values.length} given)`);
  }
  for (const [key, value] of args.named) {
    const at = names.indexOf(key);
    if (at < 0) raise('TypeError', `${name} got an unexpected keyword argument '${key}'`);
    if (values[at] !== undefined) raise('TypeError', `${name} got multiple values for '${key}'`);
    values[at] = value;
  }
  for (const [index, parameter] of parameters.entries()) {
    if (values[index] === undefined && !parameter.endsWith('?')) {
      raise('TypeError', `${name} is missing the argument '${parameter}'`);
    }
  }
  return values;
}

/** A function that comes with Python. */
export function builtin(
  name: string,
  parameters: readonly string[],
  body: (...values: Given[]) => PyValue,
  options: { readonly isPlainFunction?: boolean } = {},
): PyBuiltin {
  return new PyBuiltin(
    name,
    (args) => {
      spendSteps(1);
      return body(...bind(`${name}()`, parameters, args));
    },
    options,
  );
}

/** The same for any number of positional arguments. */
export function variadic(name: string, body: (args: Arguments) => PyValue): PyBuiltin {
  return new PyBuiltin(name, (args) => {
    spendSteps(1);
    return body(args);
  });
}

/** Functions and classes with their names, as members of a module. */
export function functionsOf(...list: readonly PyCallable[]) {
  return list.map((made) => [made.name, made] as const);
}
