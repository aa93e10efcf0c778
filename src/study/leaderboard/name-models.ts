import type { ModelResult } from './task-score.ts';

/** The setting that holds what servers called a model. */
export const servedAs = 'served as';

/**
 * Names that tell models apart: results under one name that differ in what makes the answers, such as
 * the temperature, are of different models, and their names say so.
 */
export function nameModels(results: readonly ModelResult[]): ModelResult[] {
  return results.map((result) => {
    const alike = results.filter((other) => isComparable(result, other));
    const keys = [...new Set(alike.flatMap(({ settings }) => Object.keys(settings)))];
    const telling = keys.filter((key) => new Set(valuesOf(alike, key)).size > 1);
    if (telling.length === 0) return result;
    const settings = telling.map((key) => `${key}=${shortened(result.settings[key] ?? 'none')}`);
    return { ...result, model: `${result.model} (${settings.join(', ')})` };
  });
}

/** Not every run says what servers called its models. */
function valuesOf(results: readonly ModelResult[], key: string): (string | undefined)[] {
  const values = results.map(({ settings }) => settings[key]);
  return key === servedAs ? values.filter((value) => value !== undefined) : values;
}

/** What kinds of files know of a model is not the same, so only results of one kind differ. */
function isComparable(left: ModelResult, right: ModelResult): boolean {
  return left.model === right.model && 'type' in left.settings === 'type' in right.settings;
}

const longest = 24;

function shortened(value: string): string {
  if (/^[\da-f]{32,}$/.test(value)) return value.slice(0, 12);
  return value.length > longest ? `${value.slice(0, longest)}…` : value;
}
