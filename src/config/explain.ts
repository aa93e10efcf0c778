import type { ConfigPath, SourceLocation } from '../errors.ts';
import { toPlain } from '../prompt/mapping.ts';
import type { Config } from './config.ts';
import type { LoadedFile } from './loaded-config.ts';
import { type Setting, spellConfig } from './spell-config.ts';

/** A value that counts in a config, and where it comes from. */
export interface ExplainedValue {
  readonly path: ConfigPath;
  /** As JSON has it; what may be secret is `***`. */
  readonly value: unknown;
  readonly from: ValueOrigin;
}

export type ValueOrigin =
  | { readonly type: 'file'; readonly at: SourceLocation }
  /** made from another value of the file */
  | { readonly type: 'derived'; readonly source: ConfigPath; readonly at: SourceLocation }
  | { readonly type: 'default' };

/** Every value of a checked config, in its order, with its place or why it has none. */
export function explainConfig(loaded: LoadedFile, config: Config): ExplainedValue[] {
  const written = toPlain(loaded.value);
  const sources = derivedSources(config);
  const originOf = (path: ConfigPath): ValueOrigin => {
    if (isWritten(written, path)) return { type: 'file', at: loaded.locate(path) };
    const source = sources.find((derived) => samePath(derived.path, path))?.source;
    if (source === undefined) return { type: 'default' };
    return { type: 'derived', source, at: loaded.locate(source) };
  };
  return spellConfig(config)
    .flatMap(([path, value]) => leavesOf(toPlain(value), path))
    .map(([path, value]) => ({ path, value, from: originOf(path) }));
}

/** Values that are made from others, and from which. */
function derivedSources({ models, datasets }: Config) {
  return [
    ...models.map(({ source, path }) => ({
      path: [...source, 'abbr'],
      source: [...source, path === undefined ? 'model' : 'path'],
    })),
    ...datasets.flatMap(({ source, rows, readerCfg, inferCfg }) => [
      {
        path: [...source, 'abbr'],
        source: [...source, 'path', ...(rows.type === 'files' ? [readerCfg.testSplit] : [])],
      },
      {
        path: [...inferCfg.retriever.source, 'fix_id_list'],
        source: [...inferCfg.inferencer.source, 'fix_id_list'],
      },
      ...[inferCfg.iceTemplate, inferCfg.promptTemplate].flatMap((template) =>
        template?.config.messages === undefined
          ? []
          : [{ path: [...template.source, 'type'], source: [...template.source, 'messages'] }],
      ),
    ]),
  ];
}

/** Takes a value apart as far as it is made of mappings; lists of single values stay whole. */
function leavesOf(value: unknown, path: ConfigPath): Setting[] {
  if (value === undefined) return [];
  const isWhole = !isObject(value) || Object.keys(value).length === 0 || isListOfSingles(value);
  if (isWhole) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) =>
    leavesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function isListOfSingles(value: object): boolean {
  return Array.isArray(value) && !value.some(isObject);
}

function isWritten(value: unknown, path: ConfigPath): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return value !== undefined && value !== null;
  if (!isObject(value) || !Object.hasOwn(value, key)) return false;
  return isWritten((value as Record<string | number, unknown>)[key], rest);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function samePath(left: ConfigPath, right: ConfigPath): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
