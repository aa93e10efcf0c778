import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLMap,
} from 'yaml';
import type { ConfigPath } from '../../../errors.ts';

/**
 * Makes what stands at a path of a document its own: where it is shared by anchors and aliases, or merged
 * in from elsewhere, a change there would change the others, or hide what else was merged.
 */
export function ownNode(document: Document, path: ConfigPath): void {
  for (let length = 1; length <= path.length; length++) {
    const here = path.slice(0, length);
    const node = document.getIn(here, true);
    if (isAlias(node)) document.setIn(here, copyOf(document, node.resolve(document)));
    else if (node === undefined)
      takeMerged(document, document.getIn(here.slice(0, -1), true), here.at(-1));
  }
  const ways = path.map((_, length) => document.getIn(path.slice(0, length), true));
  visit(document, {
    Alias: (_, alias, above) => {
      const target = alias.resolve(document);
      const depth = ways.indexOf(target);
      const pair = above.at(-1);
      const isMerge = isPair(pair) && isMergeKey(pair.key);
      if (isMerge && depth >= 0) takeMerged(document, above.at(-2), path[depth]);
      const isInside = isNode(target) && holds(document.getIn(path, true), target);
      return !isMerge && (depth >= 0 || isInside) ? copyOf(document, target) : undefined;
    },
  });
}

/** Gives a map a key of its own that it has from what is merged into it. */
function takeMerged(document: Document, map: unknown, key: unknown): void {
  if (!isMap(map) || map.has(key)) return;
  const found = mergedIn(document, map, String(key));
  if (found) map.set(key, copyOf(document, found));
}

function mergedIn(document: Document, map: YAMLMap, name: string): Node | undefined {
  const merges = map.items.filter(({ key }) => isMergeKey(key)).map(({ value }) => value);
  for (const source of merges.flatMap((value) => (isSeq(value) ? value.items : [value]))) {
    const from = isAlias(source) ? source.resolve(document) : source;
    if (!isMap(from)) continue;
    const found = from.get(name, true) ?? mergedIn(document, from, name);
    if (isNode(found)) return found;
  }
  return undefined;
}

function isMergeKey(key: unknown): boolean {
  const value = isScalar(key) ? key.value : key;
  return (typeof value === 'symbol' ? value.description : value) === '<<';
}

function holds(whole: unknown, part: Node): boolean {
  if (!isNode(whole)) return false;
  let isFound = false;
  visit(whole, {
    Node: (_, node) => {
      if (node !== part) return undefined;
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}

function copyOf(document: Document, node: Node | undefined): Node {
  return document.createNode(node?.toJS(document) ?? null, { aliasDuplicateObjects: false });
}
