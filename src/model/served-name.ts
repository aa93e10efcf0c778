import type { LoglikelihoodResult } from './loglikelihood.ts';
import type { GenerateResult } from './model.ts';

const longestName = 200;

/** What the server called the model in its answer, if it did. */
export function servedName(result: GenerateResult | LoglikelihoodResult): string | undefined {
  const name = result.raw?.model;
  return typeof name === 'string' && name !== '' ? name.slice(0, longestName) : undefined;
}

/**
 * How the name that a server gave goes with the name that was asked for. `version`: the same name
 * with a date or a version behind it, or with another path before it.
 */
export function compareNames(asked: string, served: string): 'same' | 'version' | 'other' {
  if (asked === served) return 'same';
  const [long, short] = [bareName(served), bareName(asked)].sort((a, b) => b.length - a.length);
  if (long === undefined || short === undefined || !long.startsWith(short)) return 'other';
  return versionSuffix.test(long.slice(short.length)) ? 'version' : 'other';
}

/** Nothing, a date, a number of at least three digits, `v2`, `latest`. */
const versionSuffix = /^(?:[-@:_.](?:\d{4}-\d{2}(?:-\d{2})?|\d{3,8}|v\d+(?:\.\d+)*|latest))?$/;

/** The last part of a path, without the ending of a weights file. */
function bareName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.toLowerCase().replace(/\.(?:gguf|safetensors|bin)$/, '');
}
