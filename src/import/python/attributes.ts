import { Float } from '../../prompt/values.ts';
import { numberOf, PyTuple, type PyValue, typeName } from '../../python/values.ts';
import { isFloat } from './arithmetic.ts';
import { ConfigDict } from './config-dict.ts';
import { PyException, raise } from './machine.ts';
import { findMethod } from './methods.ts';
import { PyCallable, PyClass, PyModule, PyRange, PyReference } from './objects.ts';
import { builtin } from './signature.ts';

/** `value.name` */
export function getAttribute(value: PyValue, name: string): PyValue {
  if (value instanceof PyReference) return value.attribute(name);
  if (value instanceof PyModule) return moduleMember(value, name);
  if (value instanceof PyCallable) {
    const own = value instanceof PyClass ? value.attributes.get(name) : undefined;
    if (own !== undefined) return own;
    if (name === '__name__' || name === '__qualname__') return value.name;
    if (name === '__module__') return value instanceof PyClass ? value.module : '__main__';
  }
  const method = findMethod(value, name);
  if (method) return method;
  if (value instanceof ConfigDict) {
    const item = value.get(name);
    if (item !== undefined) return item;
  }
  return plainAttribute(value, name) ?? noAttribute(value, name);
}

function plainAttribute(value: PyValue, name: string): PyValue | undefined {
  if (value instanceof PyException && name === 'args') return new PyTuple(value.args);
  if (value instanceof PyRange && (name === 'start' || name === 'stop' || name === 'step')) {
    return value[name];
  }
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (name === 'real') return typeof value === 'boolean' ? Number(value) : value;
  if (name === 'imag') return isFloat(value) ? new Float(0) : 0;
  if (name === 'is_integer' && isFloat(value)) {
    return builtin(name, [], () => Number.isInteger(Number(number)));
  }
  if (name === 'bit_length' && !isFloat(value)) {
    return builtin(name, [], () =>
      number === 0 ? 0 : BigInt(number).toString(2).replace('-', '').length,
    );
  }
  return undefined;
}

function noAttribute(value: PyValue, name: string): never {
  return raise('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
}

export function moduleMember(module: PyModule, name: string): PyValue {
  return (
    module.members.get(name) ??
    raise(
      'AttributeError',
      `module '${module.name}' has no attribute '${name}' here: configs are read, not run, and only functions without side effects are available`,
    )
  );
}

/** `value.name = item` */
export function setAttribute(value: PyValue, name: string, item: PyValue): void {
  if (value instanceof ConfigDict) {
    if (findMethod(value, name))
      raise('AttributeError', `'Dict' object attribute '${name}' is read-only`);
    value.set(name, item);
    return;
  }
  if (value instanceof PyReference) return;
  noAttribute(value, name);
}

export function deleteAttribute(value: PyValue, name: string): void {
  if (!(value instanceof ConfigDict)) noAttribute(value, name);
  else if (!value.delete(name)) raise('KeyError', `'${name}'`);
}
