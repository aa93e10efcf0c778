import { entriesOf, isMapping, type Mapping } from '../mapping.ts';
import { Float } from '../values.ts';

/** A place inside a part, as keys and indices. */
export type FormPath = readonly (string | number)[];

/** How a part is written, where that is more than its medium: the part, and where the medium stands in it. */
export interface PartForm {
  readonly part: Readonly<Record<string, unknown>>;
  readonly at: FormPath;
}

/** The same value with something else at a place; keys keep their order. */
export function putAt(value: unknown, [key, ...rest]: FormPath, leaf: unknown): unknown {
  if (key === undefined) return leaf;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? putAt(item, rest, leaf) : item));
  }
  const inside = value as Readonly<Record<string, unknown>>;
  return { ...inside, [key]: putAt(inside[key], rest, leaf) };
}

/** Whether a part is `{type: image_url, image_url: {url}}` or the like, and nothing more. */
export function isUsualForm({ part, at }: PartForm): boolean {
  const [key = ''] = at;
  if (!String(key).endsWith('_url')) return false;
  const usual = { type: key, [key]: { url: '' } };
  return JSON.stringify(putAt(part, at, '')) === JSON.stringify(usual);
}

/** A mapping as JSON has it, or some of its keys. */
export function plainMapping(
  mapping: Mapping,
  isKept: (key: string) => boolean = () => true,
): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(mapping).flatMap(([key, value]) =>
      isKept(String(key)) ? [[String(key), plainValue(value)]] : [],
    ),
  );
}

/** Numbers, texts and what holds them, as JSON has them. */
function plainValue(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(plainValue);
  return isMapping(value) ? plainMapping(value) : value;
}
