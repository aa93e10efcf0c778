import { isArray, isObject, type Json, type JsonObject } from './json.ts';
import type { VectorGroup } from './load.ts';

/** Fields that tell what a record without a kind is. */
const forms: Readonly<Record<string, string>> = {
  context: 'task prompt',
  process_results: 'task row',
  results: 'task metrics',
  response: 'task answer',
  op: 'CPython random',
};

/** What a record without a kind is, by its fields. */
export function formOf(record: JsonObject): string {
  return Object.entries(forms).find(([field]) => field in record)?.[1] ?? 'other';
}

/** Vectors in files that are one object: the templates, and the task names of a set of templates. */
export function japaneseFinancialGroups(content: JsonObject, file: string): VectorGroup[] {
  const { tasks } = content;
  if (isObject(tasks)) {
    const vectors = Object.entries(tasks).flatMap(([task, versions]) =>
      Object.entries(isObject(versions) ? versions : {}).map(([version, template]) => ({
        id: `${task} ${version}`,
        template,
      })),
    );
    return [{ file, kind: 'task template', vectors }];
  }
  const sets = Object.entries(content);
  const isSets = sets.every(
    ([name, names]: [string, Json]) => name.startsWith('-') && isArray(names),
  );
  if (!isSets || sets.length === 0) return [];
  return [{ file, kind: 'task set', vectors: sets.map(([id, names]) => ({ id, names })) }];
}
