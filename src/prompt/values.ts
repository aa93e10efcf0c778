/**
 * A number that was written as a float although its value is whole (`1.0`), so that it is
 * printed as written. Numbers with a fraction need no wrapper.
 */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A row of data: column name to value. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The text of a value in a prompt: strings as they are, everything else as JSON.
 *
 * @example
 * formatValue({ name: 'Ann', ages: [7, new Float(8)] }); // '{"name": "Ann", "ages": [7, 8.0]}'
 */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return formatJson(value);
}

function formatJson(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
    case 'boolean':
    case 'number':
      return String(value);
    default:
  }
  if (value instanceof Float) {
    return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  }
  if (Array.isArray(value)) return `[${value.map(formatJson).join(', ')}]`;
  const entries = value instanceof Map ? [...value] : Object.entries(value as object);
  return `{${entries.map(([key, item]) => `${JSON.stringify(String(key))}: ${formatJson(item)}`).join(', ')}}`;
}
