import { Float } from '../../prompt/values.ts';
import { reprFloat } from '../../python/repr.ts';
import { compareText } from '../../python/text.ts';
import { plainText } from '../../python/traced-text.ts';
import { isText, PyDict, PyTuple, type PyValue, typeName } from '../../python/values.ts';
import type { LoadedPython } from './load-python.ts';
import { PyBuiltin, PyBytes, PyClass, PyFunction, PyReference, PySet } from './objects.ts';

const maxKnown = 50_000;

/** Writes values in one way only, so that configs can be compared byte for byte. */
export class Canonical {
  readonly #prefix: string;
  readonly #known = new Map<string, string>();

  /** Strings lose the path of the root. */
  constructor(root: string) {
    this.#prefix = `${root}/`;
  }

  /** The config as the loader's `to_dict()` keeps it. */
  ofConfig(config: LoadedPython): string {
    return `{${this.namesOf(config)
      .map(([name, text]) => `${this.#text(name)}:${text}`)
      .join(',')}}`;
  }

  /** The names of a config with the text of each. */
  namesOf(config: LoadedPython): (readonly [string, string])[] {
    return keptNames(config).map(([name, value]) => [name, this.of(value)]);
  }

  of(value: PyValue): string {
    if (value === null) return 'null';
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'boolean':
        return value ? 'true' : 'false';
      case 'bigint':
        return `{"$int":"${value}"}`;
      case 'number':
        return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : floatText(value);
      default:
    }
    if (value instanceof PyDict) return this.#dict(value);
    if (Array.isArray(value)) return this.#list(value as PyValue[]);
    if (value instanceof PyTuple) return this.#list(value.items);
    if (value instanceof Float) return floatText(value.value);
    if (isText(value)) return this.#text(plainText(value));
    if (value instanceof PyReference) return `{"$ref":${this.#text(value.dotted)}}`;
    if (value instanceof PySet) {
      return `[${value
        .items()
        .map((item) => this.of(item))
        .sort(compareText)
        .join(',')}]`;
    }
    if (value instanceof PyBytes)
      return `{"$bytes":"${Buffer.from(value.bytes, 'latin1').toString('hex')}"}`;
    if (value instanceof PyClass) return `{"$ref":${this.#text(`${value.module}.${value.name}`)}}`;
    if (value instanceof PyFunction || value instanceof PyBuiltin)
      return `{"$function":${this.#text(value.name)}}`;
    return `{"$object":${this.#text(`builtins.${typeName(value)}`)}}`;
  }

  #text(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const written = JSON.stringify(
      text.includes(this.#prefix) ? text.replaceAll(this.#prefix, '') : text,
    );
    if (this.#known.size > maxKnown) this.#known.clear();
    this.#known.set(text, written);
    return written;
  }

  #list(items: readonly PyValue[]): string {
    let text = '[';
    for (let index = 0; index < items.length; index++) {
      if (index > 0) text += ',';
      text += this.of(items[index] as PyValue);
    }
    return `${text}]`;
  }

  #dict(dict: PyDict): string {
    let text = '';
    for (const [key, value] of dict.live()) {
      if (!isText(key) || plainText(key).startsWith('$')) return this.#pairs(dict);
      if (text !== '') text += ',';
      text += `${this.of(key)}:${this.of(value)}`;
    }
    return `{${text}}`;
  }

  #pairs(dict: PyDict): string {
    return `{"$pairs":[${dict
      .entries()
      .map((entry) => this.#list(entry))
      .join(',')}]}`;
  }
}

function floatText(value: number): string {
  const text = reprFloat(value);
  return !Number.isInteger(value) && text === String(value) ? text : `{"$float":"${text}"}`;
}

/** What of a config is data, with its names. */
export function keptNames({ names, imported }: LoadedPython): (readonly [string, PyValue])[] {
  return names
    .entries()
    .map(([key, value]) => [plainText(key as string), value] as const)
    .filter(([name, value]) => !imported.has(name) && isData(value));
}

function isData(value: PyValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const isObject =
    value instanceof PyReference || value instanceof PySet || value instanceof PyBytes;
  if (isObject || value instanceof PyClass) return true;
  return (
    Array.isArray(value) ||
    value instanceof PyTuple ||
    value instanceof PyDict ||
    value instanceof Float ||
    isText(value)
  );
}
