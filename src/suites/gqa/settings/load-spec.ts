import { resolve } from 'node:path';
import { readTextFile } from '../../../base/files.ts';
import { parseJson } from '../../../config/json-source.ts';
import type { LoadedConfig } from '../../../config/loaded-config.ts';
import { followPath, locationAt } from '../../../config/source-location.ts';
import { withLocation } from '../../../config/with-location.ts';
import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { toPlain } from '../../../prompt/mapping.ts';

/** A spec file, and a way to say where in it something is wrong. */
export interface LoadedSpec {
  readonly file: string;
  readonly value: unknown;
  /** The same error with its location in the file. */
  locate<Thrown>(error: Thrown): Thrown;
}

/** Reads a JSON file of experiments. */
export async function loadSpec(name: string): Promise<LoadedSpec> {
  const file = resolve(name);
  const source = { file, text: await readText(file, name) };
  const parsed = parseJson(source);
  const follow = (path: ConfigPath) => followPath(parsed.root(), path);
  const locations: Pick<LoadedConfig, 'locate' | 'locateKey'> = {
    locate: (path) => locationAt(source, follow(path).node.start),
    locateKey: (path) => locationAt(source, follow(path).keyStart),
  };
  return {
    file,
    value: toPlain(parsed.value),
    locate: (error) => withLocation(locations, error),
  };
}

async function readText(file: string, name: string): Promise<string> {
  try {
    return (await readTextFile(file)).replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new ConfigError('config.not_found', `The spec ${name} cannot be read`, {
      cause,
      hint: 'Give a JSON file with a list of `experiments`.',
    });
  }
}
