import type { ConfigPath, SourceLocation } from '../errors.ts';

/** A config file as text. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** A value in the text of a config file. Offsets count UTF-16 units from the start of the text. */
export interface SourceNode {
  readonly start: number;
  child(key: string | number): SourceChild | undefined;
  /** Offset in the file of a character of this string, where that is certain. */
  stringOffset(index: number): number | undefined;
}

/** A member of a mapping or list. Members of lists have no key: `keyStart` is their own start. */
export interface SourceChild {
  readonly keyStart: number;
  readonly node: SourceNode;
}

/** What a parser makes of a file. `root` is called only when a place is asked for. */
export interface ParsedSource {
  readonly value: unknown;
  root(): SourceNode;
}

export function locationAt({ file, text }: Source, offset: number): SourceLocation {
  const before = text.slice(0, offset);
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Where the parts of a config stand; nothing where it has no file. */
export interface Locations<Place = SourceLocation | undefined> {
  /** Location of the value at a path, or of the nearest value around it. */
  locate(path: ConfigPath): Place;
  /** Location of the key at a path. */
  locateKey(path: ConfigPath): Place;
  /** Location of a character of the string at a path, or of the string where that is not certain. */
  locateInString(path: ConfigPath, index: number): Place;
}

export function locationsIn(source: Source, parsed: ParsedSource): Locations<SourceLocation> {
  return {
    locate: (path) => locationAt(source, followPath(parsed.root(), path).node.start),
    locateKey: (path) => {
      const { complete, keyStart, node } = followPath(parsed.root(), path);
      return locationAt(source, complete ? keyStart : node.start);
    },
    locateInString: (path, index) => {
      const { complete, node } = followPath(parsed.root(), path);
      // A text may stand short for a mapping with a `template`.
      const isString = complete || isTemplateOf(parsed.root(), path, node);
      const offset = isString ? node.stringOffset(index) : undefined;
      return locationAt(source, offset ?? node.start);
    },
  };
}

function isTemplateOf(root: SourceNode, path: ConfigPath, node: SourceNode): boolean {
  if (path.at(-1) !== 'template') return false;
  const outer = followPath(root, path.slice(0, -1));
  return outer.complete && outer.node.start === node.start;
}

/** Follows a path as far as the text allows. */
export function followPath(
  root: SourceNode,
  path: ConfigPath,
): SourceChild & { readonly complete: boolean } {
  let found: SourceChild = { keyStart: root.start, node: root };
  for (const key of path) {
    const next = found.node.child(key);
    if (next === undefined) return { ...found, complete: false };
    found = next;
  }
  return { ...found, complete: true };
}

/** Finds a key by value and type, or else by its text: paths write `true` and `null` as text. */
export function findKey<Entry extends { readonly key: unknown }>(
  entries: readonly Entry[],
  key: string | number,
): Entry | undefined {
  return (
    entries.find((entry) => entry.key === key) ??
    entries.find((entry) => String(entry.key) === String(key))
  );
}
