import { readTextFile } from '../../../base/files.ts';
import { nearestName } from '../../../base/nearest-name.ts';
import { JsonProblem, readJson } from '../../../data/json-reader.ts';
import { DataError } from '../../../errors.ts';
import {
  describeType,
  entriesOf,
  getKey,
  isMapping,
  type Mapping,
} from '../../../prompt/mapping.ts';
import { Float, formatValue } from '../../../prompt/values.ts';

export type SamplingMode = 'default' | 'random' | 'shuffle';

/** How long answers may be: drawn evenly, or by shares of the rows in order. */
export type OutputLengths =
  | { readonly type: 'uniform'; readonly min: number; readonly max: number }
  | { readonly type: 'percentage'; readonly parts: readonly LengthShare[] };

interface LengthShare {
  readonly length: number;
  readonly share: number;
}

/** What `<file>.meta.json` says about a custom text file. */
export interface CustomMeta {
  readonly requestCount?: number;
  readonly samplingMode: SamplingMode;
  readonly outputLengths?: OutputLengths;
}

/** Reads the settings beside a custom text file, or gives nothing if there are none. */
export async function readCustomMeta(file: string): Promise<CustomMeta | undefined> {
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseCustomMeta(text, file);
}

export function parseCustomMeta(text: string, file: string): CustomMeta {
  try {
    return new MetaReader(file).read(readJson(text.replace(/^\uFEFF/, '')).value);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new DataError('data.syntax', `${file}: ${error.message}`, {
      hint: 'The file must be valid JSON.',
    });
  }
}

const modes: readonly SamplingMode[] = ['default', 'random', 'shuffle'];

interface KnownKeys {
  readonly path: string;
  readonly keys: readonly string[];
}

interface Refusal {
  readonly value: unknown;
  readonly expected: string;
}

class MetaReader {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(value: unknown): CustomMeta {
    const meta = this.#readMapping(value, {
      path: 'the file',
      keys: ['request_count', 'sampling_mode', 'output_config'],
    });
    const [count, mode, output] = ['request_count', 'sampling_mode', 'output_config'].map((key) =>
      getKey(meta, key),
    );
    const samplingMode = modes.find((known) => known === (mode ?? 'default'));
    if (!samplingMode)
      throw this.#refuse('sampling_mode', { value: mode, expected: `one of ${modes.join(', ')}` });
    return {
      samplingMode,
      ...(count === undefined ? {} : { requestCount: this.#readCount(count, 'request_count') }),
      ...(output === undefined ? {} : { outputLengths: this.#readLengths(output) }),
    };
  }

  #readLengths(value: unknown): OutputLengths {
    const config = this.#readMapping(value, { path: 'output_config', keys: ['method', 'params'] });
    const method = getKey(config, 'method');
    const params = getKey(config, 'params');
    if (method === 'uniform') return this.#readUniform(params);
    if (method === 'percentage') return this.#readPercentage(params);
    throw this.#refuse('output_config.method', {
      value: method,
      expected: 'uniform or percentage',
    });
  }

  #readUniform(value: unknown): OutputLengths {
    const path = 'output_config.params';
    const params = this.#readMapping(value, { path, keys: ['min_value', 'max_value'] });
    const min = this.#readCount(getKey(params, 'min_value'), `${path}.min_value`);
    const max = this.#readCount(getKey(params, 'max_value'), `${path}.max_value`);
    if (min > max)
      throw this.#refuse(`${path}.min_value`, {
        value: min,
        expected: `at most max_value, ${max}`,
      });
    return { type: 'uniform', min, max };
  }

  #readPercentage(value: unknown): OutputLengths {
    const params = this.#readMapping(value, {
      path: 'output_config.params',
      keys: ['percentage_distribute'],
    });
    const path = 'output_config.params.percentage_distribute';
    const list = getKey(params, 'percentage_distribute');
    if (!Array.isArray(list))
      throw this.#refuse(path, { value: list, expected: 'a list of [length, share]' });
    const parts = list.map((part: unknown, index) => {
      if (!Array.isArray(part) || part.length !== 2) {
        throw this.#refuse(`${path}[${index}]`, {
          value: part,
          expected: 'a pair [length, share]',
        });
      }
      const length = this.#readCount(part[0], `${path}[${index}][0]`);
      return { length, share: this.#readShare(part[1], `${path}[${index}][1]`) };
    });
    const sum = parts.reduce((total, { share }) => total + share, 0);
    if (Math.abs(sum - 1) > 1e-9)
      throw this.#refuse(path, { value: sum, expected: 'shares that add up to 1' });
    return { type: 'percentage', parts };
  }

  #readMapping(value: unknown, { path, keys }: KnownKeys): Mapping {
    if (!isMapping(value)) throw this.#refuse(path, { value, expected: 'an object' });
    for (const [key] of entriesOf(value)) {
      if (keys.includes(String(key))) continue;
      const near = nearestName(String(key), keys);
      throw new DataError('data.unknown_key', `${this.#file}: ${path} has no key \`${key}\``, {
        hint: `${near ? `Did you mean \`${near}\`? ` : ''}Keys: ${keys.join(', ')}.`,
      });
    }
    return value;
  }

  #readCount(value: unknown, path: string): number {
    const count = toNumber(value);
    if (Number.isSafeInteger(count) && count > 0) return count;
    throw this.#refuse(path, { value, expected: 'a whole number above 0' });
  }

  #readShare(value: unknown, path: string): number {
    const share = toNumber(value);
    if (share > 0 && share <= 1) return share;
    throw this.#refuse(path, { value, expected: 'a share above 0 and at most 1' });
  }

  #refuse(path: string, { value, expected }: Refusal): DataError {
    const isSimple = typeof value !== 'object' || value instanceof Float;
    const found = isSimple && value !== undefined ? formatValue(value) : describeType(value);
    return new DataError('data.bad_meta', `${this.#file}: ${path} is ${found}`, {
      hint: `It must be ${expected}.`,
    });
  }
}

/** A number, or text that reads as one; anything else is not a number. */
export function toNumber(value: unknown): number {
  if (value instanceof Float) return value.value;
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
