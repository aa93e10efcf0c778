import * as z from 'zod';
import type { ComponentTypes } from '../score/component/component.ts';
import { nestedTypes } from '../score/component/option-kinds.ts';
import { evaluatorTypes } from '../score/evaluators/evaluator-types.ts';
import { postprocessorTypes } from '../score/extract/postprocessors.ts';
import { editorSchemas } from './editor-schema.ts';
import { configSchema } from './schema.ts';

export type Schema = Record<string, unknown>;

/** The schema of config files as JSON Schema, for editors. Insides of templates are left open. */
export function configJsonSchema(): Schema {
  return withoutTypes(describedConfig()) as Schema;
}

/** The same, with `tsType` where TypeScript has a type that JSON cannot tell. */
export function describedConfig(): Schema {
  const { $schema, ...config } = describe(configSchema([]));
  requireTaskOrParts(config);
  return {
    $schema,
    title: 'Typecase config',
    ...config,
    // A list may have any name that ends so.
    patternProperties: {
      '._models$': { $ref: '#/properties/models' },
      '._datasets$': { $ref: '#/properties/datasets' },
    },
    $defs: {
      evaluator: oneOfTypes(evaluatorTypes, importPath),
      check: checkSchema(),
      postprocessor: oneOfTypes(postprocessorTypes, importPath),
    },
  };
}

/** A dataset that names a task need not say how it is asked. */
function requireTaskOrParts({ properties }: Schema): void {
  const { datasets } = properties as { datasets: { items: Schema } };
  const { required, ...dataset } = datasets.items;
  datasets.items = { ...dataset, anyOf: [{ required: ['task'] }, { required }] };
}

function withoutTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTypes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'tsType');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTypes(inner)]));
}

/** A type may be written as the path that Python imports it by. */
const importPath = {
  description: 'Its options are those of the last part of the path',
  type: 'object',
  properties: { type: { type: 'string', pattern: '\\.', tsType: 'ImportPath' } },
  required: ['type'],
};

/** A check says more than its evaluator, or has a name that only checks have. */
function checkSchema(): Schema {
  const types = Object.keys(evaluatorTypes);
  const keys = ['name', 'weight', 'threshold', 'value', 'column', 'set', 'transform'];
  return {
    description: 'An evaluator used as one of several checks, with its own options',
    type: 'object',
    properties: {
      type: {
        description: 'The evaluator, or its negation, such as `not-contains`',
        anyOf: [{ enum: [...types, ...types.map((name) => `not-${name}`)] }, { type: 'string' }],
      },
      name: { description: 'Its name; its type by default', type: 'string' },
      weight: { description: 'Its weight; 1 by default, 0 only measures', type: 'number' },
      threshold: {
        description: 'The score it must reach; by default it must be right',
        type: 'number',
      },
      value: { description: 'What to expect, instead of the gold answer' },
      column: { description: 'The column that holds what to expect', type: 'string' },
      set: { description: 'The set of checks it belongs to', type: 'string' },
      transform: {
        description: 'Functions of `transforms` to apply to the answer first',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
    },
    required: ['type'],
    anyOf: [
      ...keys.map((key) => ({ required: [key] })),
      { properties: { type: { pattern: '^not-' } } },
    ],
  };
}

/** A component of one of the types, each with options of its own. */
function oneOfTypes(types: ComponentTypes<unknown, never>, ...others: Schema[]): Schema {
  const described = Object.entries(types).map(([name, { summary, options }]) => {
    const { $schema: _, properties, ...schema } = describe(options);
    return {
      description: summary,
      ...schema,
      properties: { ...(properties as Schema), type: { const: name } },
    };
  });
  return { oneOf: [...described, ...others] };
}

function describe(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const types = nestedTypes.get(zodSchema);
      const described = types ? oneOfTypes(types) : editorSchemas.get(zodSchema);
      if (described) replace(jsonSchema, described);
      dropWidestBounds(jsonSchema);
    },
  });
}

function replace(schema: Schema, described: Schema): void {
  for (const key of Object.keys(schema)) if (key !== 'description') delete schema[key];
  Object.assign(schema, described);
}

/** Bounds of whole numbers that only say how large JavaScript can count. */
function dropWidestBounds(schema: Schema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
