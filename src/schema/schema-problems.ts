import type { core } from 'zod';
import { hideKeys } from '../base/hidden-text.ts';
import { hintForName, nearestName } from '../base/nearest-name.ts';
import { ConfigError, type ConfigPath, formatPath, type SourceLocation } from '../errors.ts';
import { describeType } from '../prompt/mapping.ts';
import { Float, formatValue } from '../prompt/values.ts';

/** How values are read of which there are few: code made for their schema takes longer than it saves. */
export const fewValues = { reportInput: true, jitless: true } as const;

/** What is wrong at a path. The message continues a sentence that starts with the path. */
export interface Problem {
  readonly code: string;
  readonly path: ConfigPath;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key of `path` that the problem is about, where it is not the value itself. */
  readonly key?: string | undefined;
}

/** The error that says what is wrong; `at` is where in a file. */
export function problemError(
  { code, path, message, hint, key }: Problem,
  at?: SourceLocation,
): ConfigError {
  const name = path.length === 0 ? 'The config' : formatPath(path);
  const keyPath = key === undefined ? path : [...path, hideKeys(key)];
  return new ConfigError(code, hideKeys(`${name} ${message}`), {
    path: keyPath,
    hint: hint && hideKeys(hint),
    at,
  });
}

/**
 * Turns what a schema found into problems. The message of a schema is what it expects; for unknown
 * keys it is the list of known ones, beside which there may be others at the top.
 */
export function schemaProblems(
  issues: readonly core.$ZodIssue[],
  otherKeys: readonly string[] = [],
): Problem[] {
  const problems = issues.flatMap((issue) => toProblems(issue, otherKeys));
  const misspelt = problems.filter(({ meantKey }) => meantKey !== undefined);
  return problems.filter(({ code, path, key }) => {
    const isMisspelt = misspelt.some(
      (other) => samePath(other.path, path) && (key === undefined || key === other.meantKey),
    );
    return code !== 'config.missing_key' || !isMisspelt;
  });
}

interface SchemaProblem extends Problem {
  /** The known key that an unknown one stands for: it is misspelt rather than missing. */
  readonly meantKey?: string | undefined;
}

function toProblems(issue: core.$ZodIssue, otherKeys: readonly string[]): SchemaProblem[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  if (issue.code === 'unrecognized_keys') {
    const others = path.length === 0 ? otherKeys : [];
    const known = [...new Set([...issue.message.split(', '), ...others])];
    return issue.keys.map((key) => unknownKey({ path, key, known }));
  }
  if (issue.code === 'custom' && issue.params) {
    const { code, hint } = issue.params as { code: string; hint?: string };
    return [{ code, path, message: issue.message, hint }];
  }
  if (issue.input === undefined) return [missingKey(path, issue.message)];
  return [wrongValue(issue, path)];
}

interface UnknownKey {
  readonly path: ConfigPath;
  readonly key: string;
  readonly known: readonly string[];
}

function unknownKey({ path, key, known }: UnknownKey): SchemaProblem {
  const near = nearestName(key, known);
  return {
    code: 'config.unknown_key',
    path,
    key,
    meantKey: near,
    message: `has the unknown key \`${key}\``,
    hint: hintForName(key, { names: known, kind: 'Known keys' }),
  };
}

function missingKey(path: ConfigPath, expected: string): SchemaProblem {
  const key = String(path.at(-1));
  return {
    code: 'config.missing_key',
    path: path.slice(0, -1),
    key,
    message: `has no \`${key}\``,
    hint: `Add \`${key}\`: ${expected}.`,
  };
}

function wrongValue(issue: core.$ZodIssue, path: ConfigPath): SchemaProblem {
  const { input } = issue;
  if (issue.code !== 'invalid_value' || typeof input !== 'string') {
    const message = `must be ${issue.message}, not ${describeInput(input)}`;
    return { code: 'config.wrong_type', path, message, hint: hintForType(input, path) };
  }
  const near = nearestName(input, issue.values.map(String));
  return {
    code: 'config.unknown_value',
    path,
    message: `must be ${issue.message}, not \`${input}\``,
    hint: near && `Did you mean \`${near}\`?`,
  };
}

/** What to write in place of a text, where that can be told. */
function hintForType(input: unknown, path: ConfigPath): string | undefined {
  if (typeof input !== 'string') return undefined;
  const key = String(path.at(-1) ?? '');
  if (/^(?:prompt|ice)_template$/.test(key)) return `Write \`${key}: { template: … }\`.`;
  return /^[-+]?\d+(?:\.\d+)?$/.test(input) ? 'Write the number without quotes.' : undefined;
}

/** Text is not repeated: it may be a secret. */
function describeInput(input: unknown): string {
  const isShown = typeof input === 'number' || typeof input === 'boolean' || input instanceof Float;
  if (input === '') return 'an empty string';
  return isShown ? formatValue(input) : describeType(input);
}

function samePath(left: ConfigPath, right: ConfigPath): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
