import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { isFileMissing, otherThanFile } from '../base/files.ts';
import { nearestName } from '../base/nearest-name.ts';
import { ConfigError } from '../errors.ts';
import { isMapping } from '../prompt/mapping.ts';
import type { LoadedFile } from './loaded-config.ts';
import { withTasks } from './merge-tasks.ts';
import { locationAt, locationsIn, type ParsedSource, type Source } from './source-location.ts';

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
    throw new ConfigError('config.extension', `${file} is not a config file`, {
      hint: `A config ends in ${Object.keys(parsers).join(', ')}.`,
    });
  }
  const text = (await readFile(absolute, 'utf8')).replace(/^\uFEFF/, '');
  const source: Source = { file: absolute, text };
  if (text.trim() === '') throw emptyFile(source);
  const parse = await loadParser();
  const loaded = createLoadedConfig(source, await parse(source));
  return withTasks(loaded);
}

function createLoadedConfig(source: Source, parsed: ParsedSource): LoadedFile {
  const { value } = parsed;
  if (value === undefined) throw emptyFile(source);
  if (!isMapping(value)) {
    const name = basename(source.file);
    throw new ConfigError(
      'config.not_an_object',
      `${name} does not contain a mapping of settings`,
      {
        at: locationAt(source, parsed.root().start),
        hint: 'A config has the top-level keys `models` and `datasets`. To use a data file, add `--template`.',
      },
    );
  }
  return {
    file: source.file,
    folder: dirname(source.file),
    value,
    unexpanded: value,
    sources: new Map([[source.file, source.text]]),
    ...locationsIn(source, parsed),
  };
}

function emptyFile({ file }: Source): ConfigError {
  return new ConfigError('config.empty', `${basename(file)} is empty`, {
    at: { file, line: 1, column: 1 },
    hint: 'A config needs at least one entry in `datasets`.',
  });
}

async function checkFile(absolute: string, file: string): Promise<void> {
  let other: string | undefined;
  try {
    other = otherThanFile(await stat(absolute));
  } catch (error) {
    if (!isFileMissing(error)) throw error;
    throw new ConfigError('config.not_found', `File not found: ${file}`, {
      hint: await hintForMissing(absolute),
    });
  }
  if (other === undefined) return;
  throw new ConfigError('config.not_found', `${file} is ${other}, not a file`, {
    hint: 'Give the config file itself.',
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
  return near ? `Did you mean \`${near}\`?` : `Looked in ${folder}.`;
}
