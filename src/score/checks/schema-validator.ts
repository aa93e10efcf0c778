import type { Ajv, ErrorObject } from 'ajv';
import { contentHash } from '../../base/content-hash.ts';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';

let loaded: Ajv | undefined;
let of2020: Ajv | undefined;

/** Loads what checks values by a JSON Schema; to be waited for before `schemaFaults`. */
export async function loadSchemaValidator(): Promise<void> {
  if (loaded) return;
  const [{ Ajv }, { Ajv2020 }, { default: formats }] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  // Keywords and formats of others are remarks, as the specification has it.
  const options = { allErrors: true, strict: false, logger: false } as const;
  const [plain, newer] = [new Ajv(options), new Ajv2020(options)];
  for (const validator of [plain, newer]) formats.default(validator);
  [loaded, of2020] = [plain, newer];
}

export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}

const compiled = new Map<string, (value: unknown) => readonly string[]>();
const maxCompiled = 1000;

/** A check of values by a schema: says what is wrong with one. Fails for a schema that is none. */
function schemaFaults(schema: JsonSchema): (value: unknown) => readonly string[] {
  const name = contentHash(schema);
  const known = compiled.get(name);
  if (known) return known;
  const is2020 = typeof schema === 'object' && /2020-12/.test(String(schema.$schema ?? ''));
  const validator = is2020 ? of2020 : loaded;
  if (!validator) throw new TypeError('await prepareScorer before a JSON Schema is used');
  const { $schema: _, $id: __, ...plain } = schema === true || schema === false ? {} : schema;
  const validate = validator.compile(typeof schema === 'boolean' ? schema : plain);
  const faultsOf = (value: unknown) =>
    validate(value) ? [] : (validate.errors ?? []).map(describeFault);
  if (compiled.size < maxCompiled) compiled.set(name, faultsOf);
  return faultsOf;
}

/** The same; a schema that is none is a mistake at a place of the config. */
export function compileSchema(schema: JsonSchema, path: ConfigPath) {
  try {
    return schemaFaults(schema);
  } catch (cause) {
    if (cause instanceof TypeError) throw cause;
    throw new ConfigError(
      'config.bad_schema',
      `${formatPath(path)} is not a JSON Schema: ${cause instanceof Error ? cause.message : cause}`,
      { path, cause },
    );
  }
}

function describeFault({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath.slice(1).replaceAll('/', '.');
  const { additionalProperty, allowedValues } = params as Readonly<Record<string, unknown>>;
  const named =
    additionalProperty === undefined
      ? Array.isArray(allowedValues)
        ? `: ${allowedValues.map((one) => JSON.stringify(one)).join(', ')}`
        : ''
      : `: \`${additionalProperty}\``;
  return `${place} ${message}${named}`;
}
