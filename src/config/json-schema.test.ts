import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evaluatorTypes } from '../score/evaluators/evaluator-types.ts';
import { configJsonSchema } from './json-schema.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
  readonly additionalProperties?: unknown;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Every key with its schema. */
function* keysOf(schema: Schema, path = ''): Generator<[path: string, key: Schema]> {
  for (const [name, key] of Object.entries(schema.properties ?? {})) {
    if (schema.additionalProperties === false) yield [`${path}${name}`, key];
    yield* keysOf(key, `${path}${name}.`);
  }
  for (const inner of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    if (inner) yield* keysOf(inner, path);
}

const schema = configJsonSchema() as Schema & { readonly [part: string]: unknown };
const components = schema.$defs as Readonly<Record<'evaluator' | 'postprocessor', Schema>>;
const keys = [...keysOf(schema)];

test('schema/typecase.schema.json is up to date (npx tsx scripts/write-schema.ts)', () => {
  expect(JSON.parse(read('schema/typecase.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(schema)),
  );
});

test('every key is described, here and in docs/reference/config.md', () => {
  expect(keys.length).toBeGreaterThan(80);
  expect(keys.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
  const page = read('docs/reference/config.md');
  const names = new Set(keys.map(([path]) => path.split('.').at(-1)));
  expect([...names].filter((name) => !page.includes(`${name}\``))).toEqual([]);
});

test.each(['evaluator', 'postprocessor'] as const)(
  'every option of each %s is described, here and in the docs',
  (kind) => {
    const options = (components[kind].oneOf ?? []).flatMap((type) => {
      const { type: name, ...properties } = type.properties ?? {};
      const found = [...keysOf({ ...type, properties })];
      return found.map(([path, option]) => [`${name?.const}.${path}`, option] as const);
    });
    expect(options.length).toBeGreaterThan(30);
    const isDescribed = (path: string, { description }: Schema) =>
      description !== undefined || path.endsWith('.type');
    expect(options.filter(([path, option]) => !isDescribed(path, option))).toEqual([]);
    const pages = ['scoring', 'checks', 'metrics', 'judges', 'code-checks', 'compat'].map((name) =>
      read(`docs/reference/${name}.md`),
    );
    const names = new Set(options.map(([path]) => path.split('.').at(-1) ?? ''));
    expect([...names].filter((name) => !pages.some((page) => page.includes(name)))).toEqual([]);
  },
);

test('evaluators are told apart by their type, and names that there are not are refused', () => {
  const types = (components.evaluator.oneOf ?? []).map(({ properties }) => properties?.type);
  expect(types).toEqual([
    ...Object.keys(evaluatorTypes).map((name) => ({ const: name })),
    { type: 'string', pattern: '\\.' },
  ]);
  const one = [{ $ref: '#/$defs/evaluator' }, { $ref: '#/$defs/check' }];
  expect(new Map(keys).get('datasets.eval_cfg.evaluator')).toMatchObject({
    anyOf: [...one, { type: 'array', items: { anyOf: one } }],
  });
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
