import { dictMethods, listMethods } from './container-methods.ts';
import type { Value } from './library.ts';
import { textMethods } from './text-methods.ts';
import { isDict, isList, isText, makeFunction, type Operation } from './values.ts';

/** Every name that can be called as a method of something. */
export const methodNames: ReadonlySet<string> = new Set([
  ...textMethods.keys(),
  ...dictMethods.keys(),
  ...listMethods.keys(),
]);

/** A method that is bound to its object. */
export function getMethod(object: Value, name: string): Value | undefined {
  let methods: ReadonlyMap<string, Operation> | undefined;
  if (isText(object)) methods = textMethods;
  else if (isDict(object)) methods = dictMethods;
  else if (isList(object)) methods = listMethods;
  const method = methods?.get(name);
  return method && makeFunction((args) => method(object, args));
}
