import nunjucks from 'nunjucks';
import { asPlain } from '../plain-value.ts';

/** Texts and lists longer than this are made by no template. */
const longestText = 20_000_000;
const longestList = 1_000_000;

type Callable = (this: unknown, ...given: unknown[]) => unknown;

const plain = new nunjucks.Environment([], { autoescape: false });

/** Filters by which little becomes much, with where the number stands. */
const growing = ['center', 'indent', 'batch', 'slice'];

/** Filters, tests and globals of Nunjucks, none of which makes more than can be held. */
export const boundedEnvironment = {
  opts: plain.opts,
  getTest: (name: string) => plain.getTest(name),
  getFilter(name: string): Callable {
    if (name === 'load') return (text) => JSON.parse(String(text));
    const filter = plain.getFilter(name) as Callable;
    return function (...given) {
      const [self, second, third] = given;
      if (growing.includes(name)) requireSmall(second);
      if (name === 'replace') requireProduct(self, third);
      if (name === 'join') requireProduct(self, second);
      return filter.apply({ env: plain, ...asPlain(this) }, given);
    };
  },
  globals: Object.assign(Object.create(null), plain.globals, { range }) as Readonly<
    Record<string, unknown>
  >,
};

function requireSmall(count: unknown): void {
  if (Number(count) > longestList) throw new Error(`${count} is too many`);
}

function requireProduct(self: unknown, part: unknown): void {
  const { length = 0 } = (self ?? {}) as { readonly length?: number };
  const more = typeof part === 'string' ? part.length : 0;
  if ((length + 1) * more > longestText) throw new Error('the text gets too long');
}

function range(start: number, stop?: number, step?: number): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const by = stop === undefined ? 1 : step || 1;
  if (Math.abs((to - from) / by) > longestList) throw new Error('the range is too long');
  const numbers: number[] = [];
  for (let number = from; by > 0 ? number < to : number > to; number += by) numbers.push(number);
  return numbers;
}

const ofObjects = ['hasOwnProperty', 'toString', 'valueOf'];

/** A part of a value: its own, or a method of texts, numbers and lists. */
function memberOf(value: unknown, name: unknown): unknown {
  if (value === undefined || value === null || typeof name === 'symbol') return undefined;
  const key = String(name);
  const holder = value as Readonly<Record<string, unknown>>;
  if (typeof value === 'function') return undefined;
  if (Object.hasOwn(Object(value), key)) return holder[key];
  const prototype = prototypeOf(value);
  const isMethod = prototype !== undefined && Object.hasOwn(prototype, key);
  const isKnown = (isMethod && key !== 'constructor') || ofObjects.includes(key);
  return isKnown ? holder[key] : undefined;
}

function prototypeOf(value: unknown): object | undefined {
  if (Array.isArray(value)) return Array.prototype;
  if (value instanceof RegExp) return RegExp.prototype;
  if (typeof value === 'string' || value instanceof nunjucks.runtime.SafeString)
    return String.prototype;
  if (typeof value === 'number') return Number.prototype;
  return undefined;
}

/** Methods whose first argument says how long the result is. */
const lengthening = ['padStart', 'padEnd'];

function requireLength(value: unknown, name: string, [first, second]: readonly unknown[]): void {
  if (lengthening.includes(name)) requireSmall(first);
  if (name === 'repeat' && String(value).length * Number(first) > longestText)
    throw new Error('the text gets too long');
  if (name === 'join') requireProduct(value, first);
  if (name === 'replaceAll') requireProduct(value, second);
}

/** What compiled templates call; one rendering has its own. */
export function boundedRuntime(): object {
  let length = 0;
  return {
    ...nunjucks.runtime,
    suppressValue(value: unknown): string {
      if (value === undefined || value === null) return '';
      requireText(value);
      const text = String(value);
      length += text.length;
      if (length > longestText) throw new Error('the text gets too long');
      return text;
    },
    memberLookup(value: unknown, name: unknown): unknown {
      const found = memberOf(value, name);
      if (typeof found !== 'function') return found;
      return (...given: unknown[]) => {
        requireLength(value, String(name), given);
        return (found as Callable).apply(value, given);
      };
    },
  };
}

/** Nobody means `[object Object]`. */
function requireText(value: unknown): void {
  const one = Array.isArray(value) ? value.find((item) => isMapping(item)) : value;
  if (isMapping(one))
    throw new Error('a mapping has no text of its own: write `| dump` for its JSON');
}

function isMapping(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
