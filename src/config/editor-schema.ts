import * as z from 'zod';

/** JSON Schema for parts that zod cannot describe by itself. */
export const editorSchemas = z.registry<Readonly<Record<string, unknown>>>();

/** Says what editors are told of a schema. */
export function forEditors<Schema extends z.ZodType>(
  schema: Schema,
  described: Readonly<Record<string, unknown>>,
): Schema {
  editorSchemas.add(schema, described);
  return schema;
}

export const editorText = { type: 'string' };
export const editorMapping = { type: 'object' };

/** One of these, or a list of them. */
export function oneOrMore(item: Readonly<Record<string, unknown>>) {
  return { anyOf: [item, { type: 'array', items: item }] };
}

/** A mapping from names to values. */
export function editorRecord(value: Readonly<Record<string, unknown>>) {
  return { type: 'object', additionalProperties: value };
}
