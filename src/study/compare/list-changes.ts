import type { Change } from './comparison.ts';

const longestValue = 120;

/** Where two values differ, by path: as configs spell it, or as it is. */
export function listChanges(
  a: unknown,
  b: unknown,
  { pathOf = spellPath }: { readonly pathOf?: (path: string) => string } = {},
): Change[] {
  return changesAt('', { a, b }).map(({ path, ...change }) => ({ path: pathOf(path), ...change }));
}

/** Where a part stands in its config does not matter. */
export function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'source');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutSources(item)]));
}

function changesAt(path: string, { a, b }: { readonly a: unknown; readonly b: unknown }): Change[] {
  if (isTree(a) && isTree(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) =>
      changesAt(path === '' ? key : `${path}.${key}`, { a: a[key], b: b[key] }),
    );
  }
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  return [{ path, a: show(a), b: show(b) }];
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** As configs spell it. */
function spellPath(path: string): string {
  return path
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace('_template.config.', '_template.');
}

const hash = /^[0-9a-f]{32,}$/;

function show(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (hash.test(text)) return text.slice(0, 12);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}
