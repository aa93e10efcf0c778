import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { isFileMissing } from '../base/file-errors.ts';
import { nearestName } from '../base/nearest-name.ts';
import { ConfigError, type ConfigPath, type SourceLocation } from '../errors.ts';
import { isMapping, type Mapping } from '../prompt/mapping.ts';
import { expandTasks } from './merge-tasks.ts';
import { followPath, locationAt, type ParsedSource, type Source } from './source-location.ts';

/** A config as it was written: its value, and where each part of it stands in a file. */
export interface LoadedConfig {
  /** Left out for a config that flags or a program spell. */
  readonly file?: string | undefined;
  /** Relative paths are relative to this folder. */
  readonly folder: string;
  readonly value: Mapping;
  /** The same before the tasks that it names were looked up. */
  readonly unexpanded: Mapping;
  /** Text of each file that a place can point into, by file name. */
  readonly sources: ReadonlyMap<string, string>;
  /** Location of the value at a path, or of the nearest value around it. */
  locate(path: ConfigPath): SourceLocation | undefined;
  /** Location of the key at a path. */
  locateKey(path: ConfigPath): SourceLocation | undefined;
  /** Location of a character of the string at a path, or of the string where that is not certain. */
  locateInString(path: ConfigPath, index: number): SourceLocation | undefined;
}

/** A config that was read from a file, so that all of it has a place. */
export interface LoadedFile extends LoadedConfig {
  readonly file: string;
  locate(path: ConfigPath): SourceLocation;
  locateKey(path: ConfigPath): SourceLocation;
  locateInString(path: ConfigPath, index: number): SourceLocation;
}

type Parser = (source: Source) => ParsedSource | Promise<ParsedSource>;

const loadJson = async (): Promise<Parser> => (await import('./json-source.ts')).parseJson;
const loadYaml = async (): Promise<Parser> => (await import('./yaml-source.ts')).parseYaml;
const loadModule = async (): Promise<Parser> => (await import('./module-source.ts')).parseModule;

const parsers: Readonly<Record<string, () => Promise<Parser>>> = {
  '.ts': loadModule,
  '.mts': loadModule,
  '.js': loadModule,
  '.mjs': loadModule,
  '.yaml': loadYaml,
  '.yml': loadYaml,
  '.json': loadJson,
};

/** Reads a config file: TypeScript, JavaScript, YAML or JSON. */
export async function readConfigFile(file: string): Promise<LoadedFile> {
  const absolute = resolve(file);
  await checkFile(absolute, file);
  const loadParser = parsers[extname(absolute).toLowerCase()];
  if (loadParser === undefined) {
    throw new ConfigError('config.extension', `${file} is not a kind of file that holds a config`, {
      hint: `Use one of ${Object.keys(parsers).join(', ')}.`,
    });
  }
  const text = (await readFile(absolute, 'utf8')).replace(/^\uFEFF/, '');
  const source: Source = { file: absolute, text };
  if (text.trim() === '') throw emptyFile(source);
  const parse = await loadParser();
  const loaded = createLoadedConfig(source, await parse(source));
  return { ...loaded, value: await expandTasks(loaded.value, loaded.folder) };
}

function createLoadedConfig(source: Source, parsed: ParsedSource): LoadedFile {
  const { value } = parsed;
  if (value === undefined) throw emptyFile(source);
  if (!isMapping(value)) {
    const name = basename(source.file);
    throw new ConfigError('config.not_an_object', `${name} does not hold a mapping of settings`, {
      at: locationAt(source, parsed.root().start),
      hint: 'A config has the keys `models` and `datasets` at the top. A file of rows comes with `--template`.',
    });
  }
  return {
    file: source.file,
    folder: dirname(source.file),
    value,
    unexpanded: value,
    sources: new Map([[source.file, source.text]]),
    locate: (path) => locationAt(source, followPath(parsed.root(), path).node.start),
    locateKey: (path) => {
      const { complete, keyStart, node } = followPath(parsed.root(), path);
      return locationAt(source, complete ? keyStart : node.start);
    },
    locateInString: (path, index) => {
      const { complete, node } = followPath(parsed.root(), path);
      const offset = complete ? node.stringOffset(index) : undefined;
      return locationAt(source, offset ?? node.start);
    },
  };
}

function emptyFile({ file }: Source): ConfigError {
  return new ConfigError('config.empty', `${basename(file)} is empty`, {
    at: { file, line: 1, column: 1 },
    hint: 'A config names at least one of `datasets`.',
  });
}

async function checkFile(absolute: string, file: string): Promise<void> {
  try {
    const stats = await stat(absolute);
    if (stats.isFile()) return;
  } catch (error) {
    if (!isFileMissing(error)) throw error;
    throw new ConfigError('config.not_found', `There is no file ${file}`, {
      hint: await hintForMissing(absolute),
    });
  }
  throw new ConfigError('config.not_found', `${file} is not a file`, {
    hint: 'Name the config file itself.',
  });
}

async function hintForMissing(absolute: string): Promise<string> {
  const folder = dirname(absolute);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (!isFileMissing(error)) throw error;
    return `The folder ${folder} does not exist either.`;
  }
  const configs = names.filter((name) => Object.hasOwn(parsers, extname(name).toLowerCase()));
  const near = nearestName(basename(absolute), configs);
  return near ? `Did you mean \`${near}\`?` : `Check the name; the folder is ${folder}.`;
}
