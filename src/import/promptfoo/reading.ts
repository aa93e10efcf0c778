import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { otherThanFile } from '../../base/files.ts';
import { parseYaml } from '../../config/yaml-source.ts';
import { type ConfigPath, formatPath } from '../../errors.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { Problem } from '../../schema/schema-problems.ts';
import type { Plain } from '../plain-value.ts';
import { compileNunjucks } from './nunjucks-template.ts';

/** A config of promptfoo while it is read: what is wrong with it is gathered. */
export interface Reading {
  readonly file: string;
  readonly folder: string;
  /** Whether its code is loaded: prompts can be looked at without that of providers and assertions. */
  readonly isAsked: boolean;
  readonly problems: Problem[];
  /** What has no form in a YAML file, with its places. */
  readonly unwritten: string[];
}

/** Code, as what has no form in a YAML file. */
export function codeAt(path: ConfigPath): string {
  return `code in ${formatPath(path)}`;
}

/** Names something that has no counterpart. */
export function refuse(
  { problems }: Reading,
  path: ConfigPath,
  { what, hint }: { readonly what: string; readonly hint?: string | undefined },
): void {
  const isKnown = problems.some(
    (one) => one.message === what && JSON.stringify(one.path) === JSON.stringify(path),
  );
  if (!isKnown) problems.push({ code: 'import.not_supported', path, message: what, hint });
}

/** Names the keys that mean something there and nothing here. */
export function refuseKeys(
  reading: Reading,
  mapping: Plain,
  { path, known }: { readonly path: ConfigPath; readonly known: readonly string[] },
): void {
  for (const key of Object.keys(mapping)) {
    if (known.includes(key) || mapping[key] === undefined) continue;
    refuse(reading, [...path, key], { what: 'is not supported' });
  }
}

/** The path after `file://`. */
export function filePath(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('file://')
    ? value.slice('file://'.length)
    : undefined;
}

/** The files that a name stands for: itself, or those that a pattern finds, in the order of their names. */
export function filesOf(reading: Reading, name: string, path: ConfigPath): readonly string[] {
  const isPattern = /[*?[\]{}]/.test(name) && !existsSync(resolve(reading.folder, name));
  if (!isPattern) return [name];
  const found = globSync(name, { cwd: reading.folder }).sort();
  if (found.length === 0)
    reading.problems.push({
      code: 'config.not_found',
      path,
      message: `is the pattern ${name}, which matches no file`,
      hint: 'Paths are relative to the config.',
    });
  return found;
}

/** A file that the config names; undefined, and a problem, where there is none. */
export function readText(reading: Reading, name: string, path: ConfigPath): string | undefined {
  const file = resolve(reading.folder, name);
  if (/[*?[\]{}]/.test(name) && !existsSync(file)) {
    refuse(reading, path, { what: 'is a pattern of files', hint: 'List the files.' });
    return undefined;
  }
  if (!existsSync(file)) {
    reading.problems.push({
      code: 'config.not_found',
      path,
      message: `names the file ${name}, which does not exist`,
      hint: 'Paths are relative to the config.',
    });
    return undefined;
  }
  const other = otherThanFile(statSync(file));
  if (other !== undefined) {
    refuse(reading, path, { what: `names ${name}, which is ${other}, not a file` });
    return undefined;
  }
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}

/** What a file holds: the value of JSON and YAML, the text of others. */
export function readValue(reading: Reading, name: string, path: ConfigPath): unknown {
  const text = readText(reading, name, path);
  if (text === undefined) return undefined;
  const isData = ['.json', '.yaml', '.yml'].includes(extname(name).toLowerCase());
  return isData ? parseData(text, resolve(reading.folder, name)) : text.trim();
}

/** YAML, of which JSON is a part. */
export function parseData(text: string, file: string): unknown {
  return toPlain(parseYaml({ file, text }).value);
}

/** Fills in variables; undefined, and a problem, where the template cannot be read. */
export function render(
  reading: Reading,
  template: string,
  { vars, path }: { readonly vars: Plain; readonly path: ConfigPath },
): string {
  if (!/\{[{%#]/.test(template) || isRefused(reading, path)) return template;
  if (/\{[{%][^}]*\b_conversation\b/.test(template) && !Object.hasOwn(vars, '_conversation')) {
    refuse(reading, path, {
      what: 'reads `_conversation`, the turns of earlier tests, which is not supported',
      hint: 'Write the turns as one dialogue: see docs/reference/dialogues.md.',
    });
    return '';
  }
  try {
    const known = /\benv\b/.test(template) ? { env: process.env, ...vars } : vars;
    requireVariables(reading, template, { vars, path });
    return compileNunjucks(template).render(known);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    refuse(reading, path, { what: `is a template that cannot be read: ${reason}` });
    return '';
  }
}

/** `{{ env.NAME }}`, with the name. */
export const variableSlot = /\{\{\s*env(?:\.(\w+)|\[['"](\w+)['"]\])\s*\}\}/g;

/** The value of an environment variable; nothing, and a problem, where it is not set. */
export function variableValue(reading: Reading, name: string, path: ConfigPath): string {
  const found = process.env[name];
  if (found === undefined)
    refuse(reading, path, { what: `needs the environment variable ${name}, which is not set` });
  return found ?? '';
}

function requireVariables(
  reading: Reading,
  template: string,
  { vars, path }: { readonly vars: Plain; readonly path: ConfigPath },
): void {
  if (Object.hasOwn(vars, 'env')) return;
  for (const [, plain, quoted] of template.matchAll(variableSlot))
    variableValue(reading, plain ?? quoted ?? '', path);
}

/** Whether something is wrong there already: the next test would take as long to say the same. */
function isRefused({ problems }: Reading, path: ConfigPath): boolean {
  return problems.some((one) => JSON.stringify(one.path) === JSON.stringify(path));
}

/** The same for all texts in a value. */
export function renderAll(
  reading: Reading,
  value: unknown,
  place: { readonly vars: Plain; readonly path: ConfigPath },
): unknown {
  if (typeof value === 'string') return render(reading, value, place);
  if (Array.isArray(value)) return value.map((item) => renderAll(reading, item, place));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renderAll(reading, item, place)]),
  );
}
