import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { findKey, type Source, type SourceChild, type SourceNode } from './source-location.ts';
import {
  offsetInBlock,
  offsetInEscaped,
  offsetInPlain,
  offsetInQuoted,
  type StringLocation,
} from './string-offset.ts';

interface YamlContext {
  readonly source: Source;
  readonly document: Document;
  /** Where a value that is left out would stand. */
  readonly fallbackStart: number;
}

/** The places of a YAML value. An alias stands for the content of its anchor. */
export function yamlNode(node: Node | null, context: YamlContext): SourceNode {
  const target = resolve(node, context.document);
  return {
    start: target?.range?.[0] ?? context.fallbackStart,
    child: (key) => findChild(target, key, context),
    stringOffset: (index) =>
      isScalar(target) && typeof target.value === 'string'
        ? scalarOffset(target as Scalar<string>, context.source.text, index)
        : undefined,
  };
}

export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

export function isMergeKey(key: Node): boolean {
  return isScalar(key) && typeof key.value === 'symbol' && key.value.description === '<<';
}

function resolve(node: Node | null | undefined, document: Document): Node | null | undefined {
  return isAlias(node) ? node.resolve(document) : node;
}

function findChild(
  node: Node | null | undefined,
  key: string | number,
  context: YamlContext,
): SourceChild | undefined {
  if (isSeq<Node | null>(node) && typeof key === 'number') {
    const item = node.items[key];
    if (item === undefined) return undefined;
    const child = yamlNode(item, { ...context, fallbackStart: startOf(node) });
    return { keyStart: child.start, node: child };
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  const entry = findKey(mapEntries(node, context.document), key);
  if (entry === undefined) return undefined;
  const keyStart = startOf(entry.pair.key);
  return { keyStart, node: yamlNode(entry.pair.value, { ...context, fallbackStart: keyStart }) };
}

interface MapEntry {
  readonly key: unknown;
  readonly pair: Pair<Node, Node | null>;
}

/** The entries of a mapping, then those that merge keys bring in: the first of a name counts. */
function mapEntries(map: YAMLMap<Node, Node | null>, document: Document): MapEntry[] {
  const own: MapEntry[] = [];
  const merged: MapEntry[] = [];
  for (const pair of map.items) {
    if (isMergeKey(pair.key)) {
      const value = resolve(pair.value, document);
      const sources = isSeq<Node>(value) ? value.items : [value];
      for (const item of sources) {
        const source = resolve(item, document);
        if (isMap<Node, Node | null>(source)) merged.push(...mapEntries(source, document));
      }
      continue;
    }
    const key = resolve(pair.key, document);
    own.push({ key: isScalar(key) ? plainKey(key.value) : undefined, pair });
  }
  return [...own, ...merged];
}

function plainKey(key: unknown): unknown {
  return typeof key === 'bigint' ? Number(key) : key;
}

function scalarOffset(scalar: Scalar<string>, text: string, index: number): number | undefined {
  const start = startOf(scalar);
  const place: StringLocation = { text, start: start + 1, value: scalar.value, index };
  switch (scalar.type) {
    case 'QUOTE_DOUBLE':
      return offsetInEscaped(place);
    case 'QUOTE_SINGLE':
      return offsetInQuoted(place);
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return offsetInBlock({ ...place, start });
    default:
      return offsetInPlain({ ...place, start });
  }
}
