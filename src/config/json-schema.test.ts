import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configJsonSchema } from './json-schema.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Every key with its schema. The keys of components are their own business. */
function* keysOf(schema: Schema, path = ''): Generator<[path: string, key: Schema]> {
  for (const [name, key] of Object.entries(schema.properties ?? {})) {
    if (schema.additionalProperties === false) yield [`${path}${name}`, key];
    yield* keysOf(key, `${path}${name}.`);
  }
  for (const inner of [schema.items, ...(schema.anyOf ?? [])])
    if (inner) yield* keysOf(inner, path);
}

const schema = configJsonSchema();
const keys = [...keysOf(schema as Schema)];

test('schema/typecase.schema.json is up to date (npx tsx scripts/write-schema.ts)', () => {
  expect(JSON.parse(read('schema/typecase.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(schema)),
  );
});

test('every key is described, here and in docs/config.md', () => {
  expect(keys.length).toBeGreaterThan(80);
  expect(keys.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
  const page = read('docs/config.md');
  const names = new Set(keys.map(([path]) => path.split('.').at(-1)));
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test.each([
  ['models.stop', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
  ['models.timeout', { type: 'number', exclusiveMinimum: 0 }],
  ['models.max_out_len', { type: 'integer', exclusiveMinimum: 0 }],
  ['models.generation_kwargs', { type: 'object' }],
  ['datasets.infer_cfg.prompt_template.template', {}],
])('%s', (path, expected) => {
  const { description: _, ...found } = new Map(keys).get(path) ?? {};
  expect(found).toEqual(expected);
});

test('lists of any name', () => {
  expect(schema.patternProperties).toEqual({
    '._models$': { $ref: '#/properties/models' },
    '._datasets$': { $ref: '#/properties/datasets' },
  });
});
