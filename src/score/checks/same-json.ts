/** Whether two values are the same as JSON has them, whatever the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameJson(at(one, key), at(other, key)));
}

/** Whether a value holds all that another says: of mappings some keys, of lists the same items. */
export function holdsJson(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return isSameJson(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value) || value.length !== wanted.length) return false;
    return wanted.every((item, index) => holdsJson(value[index], item));
  }
  return Object.keys(wanted).every(
    (key) => Object.hasOwn(value, key) && holdsJson(at(value, key), at(wanted, key)),
  );
}

function at(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** What a JSON text holds; nothing if it is none. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
