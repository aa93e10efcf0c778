import type { Change } from './comparison.ts';

const longestValue = 120;

type Keys = readonly string[];

interface ChangeAt extends Omit<Change, 'path'> {
  readonly keys: Keys;
}

/** Where two values differ, by path: as configs spell it, or as it is. */
export function listChanges(
  a: unknown,
  b: unknown,
  { pathOf = spellPath }: { readonly pathOf?: (keys: Keys) => string } = {},
): Change[] {
  return changesAt([], { a, b }).map(({ keys, ...change }) => ({ path: pathOf(keys), ...change }));
}

/** The keys as they are. */
export function joinKeys(keys: Keys): string {
  return keys.join('.');
}

/** Where a part stands in its config does not matter. */
export function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'source');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutSources(item)]));
}

function changesAt(path: Keys, { a, b }: { readonly a: unknown; readonly b: unknown }): ChangeAt[] {
  if (isTree(a) && isTree(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => changesAt([...path, key], { a: a[key], b: b[key] }));
  }
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  return [{ keys: path, a: show(a), b: show(b) }];
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Parts whose keys are the user's, or are kept as configs write them. */
const writtenParts = new Set([
  ...['iceTemplate', 'promptTemplate', 'generationKwargs', 'rows', 'path'],
  ...['evaluator', 'predPostprocessor', 'datasetPostprocessor'],
]);

/** As configs spell it. */
function spellPath(keys: Keys): string {
  const at = keys.findIndex((key) => writtenParts.has(key));
  const ours = at === -1 ? keys : keys.slice(0, at + 1);
  const spelled = ours.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const [first, ...rest] = keys.slice(ours.length);
  const isTemplate = first === 'config' && keys[at]?.endsWith('Template');
  const written = first === undefined || isTemplate ? rest : [first, ...rest];
  return joinKeys([...spelled, ...written]);
}

const hash = /^[0-9a-f]{32,}$/;

function show(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (hash.test(text)) return text.slice(0, 12);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}
