import { entriesOf, getKey, isMapping, type Mapping } from '../mapping.ts';
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

const modalities = ['image', 'audio', 'video'] as const;

/** A medium that a part in the form of chat APIs shows, and what the part says beside it. */
export interface PartMedium {
  readonly type: (typeof modalities)[number];
  readonly source: string;
  /** Keys beside the address, such as `detail`, */
  readonly inside: Readonly<Record<string, unknown>>;
  /** and beside the mapping that has it, such as `fps`. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/**
 * The medium of a content part in the form of chat APIs; nothing if it is another part.
 *
 * @example
 * mediumIn({ type: 'image_url', image_url: { url: 'a.png', detail: 'low' } });
 * // { type: 'image', source: 'a.png', inside: { detail: 'low' }, beside: {} }
 */
export function mediumIn(part: unknown): PartMedium | undefined {
  if (!isMapping(part)) return undefined;
  const input = getKey(part, 'input_audio');
  if (isMapping(input)) {
    const source = `data:audio/${getKey(input, 'format')};base64,${getKey(input, 'data')}`;
    const inside = without(input, ['data', 'format']);
    return { type: 'audio', source, inside, beside: without(part, ['type', 'input_audio']) };
  }
  for (const type of modalities) {
    const key = [`${type}_url`, type].find((name) => getKey(part, name) !== undefined);
    const target = key === undefined ? undefined : getKey(part, key);
    const source = isMapping(target) ? getKey(target, 'url') : target;
    if (key === undefined || typeof source !== 'string') continue;
    const inside = isMapping(target) ? without(target, ['url']) : {};
    return { type, source, inside, beside: without(part, ['type', key]) };
  }
  return undefined;
}

/** How a part is written that says what the row has beside its medium; what the template writes goes before it. */
export function formWith(
  { type, inside, beside }: PartMedium,
  written: PartForm | undefined,
): PartForm | undefined {
  if (Object.keys(inside).length === 0 && Object.keys(beside).length === 0) return written;
  const key = String(written?.at[0] ?? `${type}_url`);
  const { [key]: own = { url: '' }, ...others } = written?.part ?? { type: key };
  // Twice: keys stand where the template has them, and have its values.
  const target = { ...(own as object), ...inside, ...(own as object) };
  return {
    part: { ...others, [key]: target, ...beside, ...others },
    at: written?.at ?? [key, 'url'],
  };
}

function without(mapping: Mapping, keys: readonly string[]): Record<string, unknown> {
  return plainMapping(mapping, (key) => !keys.includes(key));
}

/** Whether a column names no medium. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  return value === undefined || value === null || value === '';
}
