import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type ScalarTag,
  type Tags,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { buildFloat, buildInteger, buildMapping } from '../data/build-mapping.ts';
import { tooDeep } from '../data/json-reader.ts';
import { offsetOfDeepNesting } from '../data/yaml-nesting.ts';
import type { ConfigError } from '../errors.ts';
import { entriesOf, isMapping } from '../prompt/mapping.ts';
import { Float } from '../prompt/values.ts';
import type { ParsedSource, Source } from './source-location.ts';
import { duplicateKey, syntaxError } from './syntax-error.ts';
import { isMergeKey, startOf, yamlNode } from './yaml-node.ts';

export interface YamlOptions {
  /**
   * Reads YAML as PyYAML does: version 1.1, of two equal keys the last one counts. A scalar with one of
   * these tags becomes a text that begins with the tag.
   */
  readonly python?: { readonly tags: readonly string[] } | undefined;
}

/** What the parser found; where a line is indented wrongly, at its first character. */
function yamlError(source: Source, { message, pos: [offset] }: YAMLError): ConfigError {
  if (!/sequence item|same column|indent/i.test(message)) {
    return syntaxError(source, { offset, message });
  }
  const spaces = /^ */.exec(source.text.slice(offset))?.[0].length ?? 0;
  return syntaxError(source, {
    offset: offset + spaces,
    message,
    hint: 'Check how this line is indented: items of a list begin with `- ` in the same column, and the keys of an item are in the same column as its first key.',
  });
}

/** Reads YAML 1.2 with merge keys, the order and type of keys, and floats as written. */
export function parseYaml(source: Source, { python }: YamlOptions = {}): ParsedSource {
  const deep = offsetOfDeepNesting(source.text);
  if (deep !== undefined) throw syntaxError(source, { offset: deep, message: tooDeep });
  const document = parseDocument(source.text, {
    merge: true,
    intAsBigInt: true,
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    ...(python && { version: '1.1', customTags: pythonTags(python.tags) }),
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw yamlError(source, problem);
  const { contents } = document;
  const value = contents ? new YamlReader(source, python !== undefined).read(contents) : undefined;
  return { value, root: () => yamlNode(contents, { source, document, fallbackStart: 0 }) };
}

/** PyYAML's tags but for dates, which stay texts; and tags of the caller. */
function pythonTags(names: readonly string[]): (tags: Tags) => Tags {
  const own = names.map((tag): ScalarTag => ({ tag, resolve: (text) => `${tag} ${text}` }));
  return (tags) => [...tags.filter((tag) => tag !== 'timestamp' && !isTimestamp(tag)), ...own];
}

function isTimestamp(tag: Tags[number]): boolean {
  return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:timestamp';
}

/** The most values that aliases may stand for in a file, each counted as often as it is named. */
const maxAliased = 100_000;

class YamlReader {
  readonly #source: Source;
  readonly #isPython: boolean;
  readonly #anchors = new Map<string, Node>();
  readonly #values = new Map<Node, unknown>();
  /** How many values each anchor stands for, itself included. */
  readonly #sizes = new Map<Node, number>();
  #size = 0;
  #aliased = 0;

  constructor(source: Source, isPython: boolean) {
    this.#source = source;
    this.#isPython = isPython;
  }

  read(node: Node | null): unknown {
    if (node === null) return null;
    this.#size += 1;
    if (isAlias(node)) return this.#readAlias(node);
    if ('anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, node);
    const before = this.#size;
    const value = this.#readContent(node);
    this.#values.set(node, value);
    this.#sizes.set(node, this.#size - before + 1);
    return value;
  }

  #readContent(node: Node): unknown {
    if (isMap<Node, Node | null>(node)) return this.#readMap(node);
    if (isSeq<Node | null>(node)) return node.items.map((item) => this.read(item));
    const value = isScalar(node) ? node.value : null;
    // PyYAML has `yes` and `no`, but not `y` and `n`.
    if (this.#isPython && typeof value === 'boolean' && isScalar(node) && node.source?.length === 1)
      return node.source;
    if (typeof value === 'bigint') return buildInteger(value);
    return typeof value === 'number' ? buildFloat(value) : value;
  }

  #readAlias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      const message = `\`*${alias.source}\` refers to an anchor that is not defined above it`;
      throw this.#error(alias, message);
    }
    if (this.#values.has(target)) {
      this.#takeSize(alias, this.#sizes.get(target) ?? 1);
      return this.#values.get(target);
    }
    throw this.#error(alias, `\`*${alias.source}\` refers to a value that contains it`);
  }

  #takeSize(alias: Alias, size: number): void {
    this.#size += size;
    this.#aliased += size;
    if (this.#aliased <= maxAliased) return;
    const most = maxAliased.toLocaleString('en');
    throw this.#error(
      alias,
      `aliases up to \`*${alias.source}\` expand to more than ${most} values`,
    );
  }

  #readMap(map: YAMLMap<Node, Node | null>): unknown {
    const entries = new Map<unknown, readonly [unknown, unknown]>();
    const own = new Set<unknown>();
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) {
        for (const [key, value] of this.#readMerge(pair)) {
          if (!entries.has(identity(key))) entries.set(identity(key), [key, value]);
        }
        continue;
      }
      const key = this.#readKey(pair.key);
      if (own.has(identity(key)) && !this.#isPython)
        throw duplicateKey(this.#source, key, startOf(pair.key));
      own.add(identity(key));
      entries.set(identity(key), [key, this.read(pair.value)]);
    }
    return buildMapping([...entries.values()]);
  }

  #readKey(node: Node): unknown {
    const key = this.read(node);
    if (key === null || typeof key !== 'object' || key instanceof Float) return key;
    throw this.#error(node, 'a key must be a single value, not a list or a mapping');
  }

  #readMerge({ key, value }: Pair<Node, Node | null>): [unknown, unknown][] {
    const merged = this.read(value);
    const mappings = Array.isArray(merged) ? merged : [merged];
    if (mappings.every(isMapping)) return mappings.flatMap(entriesOf);
    throw this.#error(key, '`<<` needs a mapping, or a list of mappings');
  }

  #error(node: Node, message: string): ConfigError {
    return syntaxError(this.#source, { offset: startOf(node), message });
  }
}

function identity(key: unknown): unknown {
  return key instanceof Float ? `float ${key.value}` : key;
}
