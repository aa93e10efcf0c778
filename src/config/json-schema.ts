import * as z from 'zod';
import { editorSchemas } from './editor-schema.ts';
import { configSchema } from './schema.ts';

type Schema = Record<string, unknown>;

/** The schema of config files as JSON Schema, for editors. Insides of templates are left open. */
export function configJsonSchema(): Schema {
  const { $schema, ...config } = z.toJSONSchema(configSchema([]), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const described = editorSchemas.get(zodSchema);
      if (described) replace(jsonSchema, described);
      dropWidestBounds(jsonSchema);
    },
  });
  return {
    $schema,
    title: 'Typecase config',
    ...config,
    // A list may have any name that ends so.
    patternProperties: {
      '._models$': { $ref: '#/properties/models' },
      '._datasets$': { $ref: '#/properties/datasets' },
    },
  };
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
