import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConfigError } from '../errors.ts';
import type { Endpoints } from './native-models.ts';
import { asPlain } from './plain-value.ts';

const fileName = 'endpoints.yaml';
const keys = ['base_url', 'model', 'api_key_env'];

/** Addresses of models by their abbr, from `endpoints.yaml` in one of these folders. */
export function readEndpoints(folders: readonly string[]): Endpoints {
  const file = folders.map((folder) => join(folder, fileName)).find((path) => existsSync(path));
  if (file === undefined) return new Map();
  return new Map(
    Object.entries(asPlain(readYaml(file)) ?? {}).map(([abbr, value]) => {
      const given = typeof value === 'string' ? { base_url: value } : (asPlain(value) ?? {});
      const isGood =
        typeof given.base_url === 'string' &&
        Object.entries(given).every(
          ([key, text]) => keys.includes(key) && typeof text === 'string',
        );
      if (!isGood) throw badEndpoints(file, abbr);
      return [abbr, given as Record<string, string>];
    }),
  );
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ConfigError('import.bad_endpoints', `${file} cannot be read as YAML`, {
      cause,
      hint: 'Write a line for each model: `abbr: http://127.0.0.1:8000/v1`.',
    });
  }
}

function badEndpoints(file: string, abbr: string): ConfigError {
  return new ConfigError('import.bad_endpoints', `${file} has no address for \`${abbr}\``, {
    hint: `Write \`${abbr}: http://127.0.0.1:8000/v1\`, or a mapping of ${keys.join(', ')}.`,
  });
}
