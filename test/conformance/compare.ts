import { isArray, isObject, type Json, type JsonObject } from './json.ts';

export interface Difference {
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

const shownLength = 240;

/** The first few places at which two values differ. Key order does not matter, item order does. */
export function compare(expected: Json | undefined, actual: Json | undefined): Difference[] {
  return differences({ at: '', expected, actual }).slice(0, 3);
}

/** A difference in a few words. */
export function difference(values: {
  readonly at: string;
  readonly expected: unknown;
  readonly actual: unknown;
}): Difference {
  return { at: values.at, expected: show(values.expected), actual: show(values.actual) };
}

/** The error of a vector without its message, which is a comment but for AISBench's code in it. */
export function errorOf(expected: Json | undefined): JsonObject | undefined {
  if (typeof expected === 'string') return { type: expected };
  if (!isObject(expected)) return undefined;
  const { stage, type, message } = expected;
  const code = expected.code ?? /^\[([A-Z]+-[A-Z]+-\d+)\]/.exec(String(message))?.[1];
  return {
    ...(stage === undefined ? {} : { stage }),
    type: type ?? null,
    ...(code === undefined || code === null ? {} : { code }),
  };
}

interface Comparison {
  readonly at: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

function differences({ at, expected, actual }: Comparison): Difference[] {
  if (isArray(expected) && isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }).flatMap((_, index) =>
      differences({ at: `${at}[${index}]`, expected: expected[index], actual: actual[index] }),
    );
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) =>
      differences({ at: `${at}.${key}`, expected: expected[key], actual: actual[key] }),
    );
  }
  return Object.is(expected, actual) ? [] : [difference({ at, expected, actual })];
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
