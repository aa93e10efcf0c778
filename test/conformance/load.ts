import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { formOf, japaneseFinancialGroups } from './japanese-financial-files.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Vectors of one kind in one file. */
export interface VectorGroup {
  readonly file: string;
  /** Name of the kind, or of the group of small cases. */
  readonly kind: string;
  readonly vectors: readonly JsonObject[];
}

export interface LoadedFile {
  readonly path: string;
  readonly groups: readonly VectorGroup[];
  /** Why the file could not be read, if it could not. */
  readonly problem?: string;
}

/** All JSON files below a folder, in the order of their names. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path);
      return /\.jsonl?$/.test(entry.name) ? [path] : [];
    });
}

/** Reads a file of vectors by what is in it; a file of another form has no groups. */
export function loadFile(path: string): LoadedFile {
  try {
    return { path, groups: groupsOf(path) };
  } catch (error) {
    return { path, groups: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function groupsOf(path: string): VectorGroup[] {
  const text = readFileSync(path, 'utf8');
  const file = join(basename(dirname(path)), basename(path));
  if (path.endsWith('.jsonl')) {
    // strings contain U+2028, so only LF ends a line
    const records = text.split('\n').flatMap((line) => (line === '' ? [] : [parseObject(line)]));
    return [...groupBy(records, { file, kindOf: kindOfRecord }), ...importedGroups(records, file)];
  }
  const content = JSON.parse(text) as Json;
  if (Array.isArray(content) && content.every((item) => isObject(item) && 'group' in item)) {
    return groupBy(content as JsonObject[], {
      file,
      kindOf: (record) => nameOf(record.group) ?? 'other',
    });
  }
  if (isObject(content) && Array.isArray(content.cases)) {
    const cases = content.cases.filter(isObject);
    return groupBy(cases, {
      file,
      kindOf: (record) => `fixture ${nameOf(record.kind) ?? 'other'}`,
    });
  }
  return isObject(content) ? japaneseFinancialGroups(content, file) : [];
}

function kindOfRecord(record: JsonObject): string {
  if ('yaml' in record && 'yaml_sha256' in record) return 'lm-eval task';
  if ('loads' in record && 'expected' in record) return 'python config';
  if ('loads' in record && 'prompt_hash' in record) return 'digest of a config';
  return nameOf(record.kind) ?? formOf(record);
}

/** Prompts that name the config they come from are made from that config too. */
function importedGroups(records: readonly JsonObject[], file: string): VectorGroup[] {
  const named = records.filter(
    ({ kind, config, source }) =>
      config !== undefined && source === 'config' && (kind === 'gen' || kind === 'ppl'),
  );
  return groupBy(named, { file, kindOf: ({ kind }) => `imported ${kind}` });
}

function groupBy(
  records: readonly JsonObject[],
  { file, kindOf }: { readonly file: string; readonly kindOf: (record: JsonObject) => string },
): VectorGroup[] {
  const kinds = [...new Set(records.map(kindOf))];
  return kinds.map((kind) => ({
    file,
    kind,
    vectors: records.filter((record) => kindOf(record) === kind),
  }));
}

function parseObject(line: string): JsonObject {
  const value = JSON.parse(line) as Json;
  if (isObject(value)) return value;
  throw new Error(`not an object: ${line.slice(0, 60)}`);
}

function nameOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
