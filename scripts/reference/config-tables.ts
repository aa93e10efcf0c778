import { configJsonSchema } from '../../src/config/json-schema.ts';
import { configNotes } from './config-notes.ts';
import { table } from './table.ts';

/** What of JSON Schema the config's has. */
interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly not?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Parts of the page with a table of their own; their keys are not listed above them. */
const parts: Readonly<Record<string, string>> = {
  top: '',
  sweep: 'sweep',
  models: 'models',
  datasets: 'datasets',
  reader_cfg: 'datasets.reader_cfg',
  infer_cfg: 'datasets.infer_cfg',
  template: 'datasets.infer_cfg.prompt_template',
  retriever: 'datasets.infer_cfg.retriever',
  inferencer: 'datasets.infer_cfg.inferencer',
  eval_cfg: 'datasets.eval_cfg',
};
const ownTables = new Set([...Object.values(parts), 'datasets.infer_cfg.ice_template']);
const names: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'whole number',
  boolean: '`true`, `false`',
  object: 'mapping',
  array: 'list',
  null: '`null`',
};

/** The tables of docs/reference/config.md, by the name of their place in the page. */
export function configTables(): ReadonlyMap<string, string> {
  const schema: Schema = configJsonSchema();
  const keys = keysOf(schema);
  const unknown = Object.keys(configNotes).filter((path) => !keys.has(path));
  if (unknown.length > 0) throw new Error(`config-notes.ts has keys of no config: ${unknown}`);
  const tables = Object.entries(parts).map(
    ([name, path]) =>
      [
        name,
        tableOf(
          [...keys].filter(([key]) => belongs(key, path)),
          path,
        ),
      ] as const,
  );
  return new Map([
    ...tables,
    ['evaluators', typesTable(schema.$defs?.evaluator)],
    ['postprocessors', typesTable(schema.$defs?.postprocessor)],
  ]);
}

/** Every key of a config with its schema, by its path. */
function keysOf(schema: Schema, path = ''): Map<string, Schema> {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, key]): [string, Schema][] => [
    [`${path}${name}`, key],
    ...keysOf(key, `${path}${name}.`),
  ]);
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) =>
    one ? [...keysOf(one, path)] : [],
  );
  return new Map([...own, ...inner]);
}

function belongs(key: string, path: string): boolean {
  if (path !== '' && !key.startsWith(`${path}.`)) return false;
  const above = key.split('.').slice(0, -1);
  const nearest = above
    .map((_, index) => above.slice(0, index + 1).join('.'))
    .filter((one) => ownTables.has(one));
  return (nearest.at(-1) ?? '') === path;
}

function tableOf(keys: readonly (readonly [string, Schema])[], path: string): string {
  const rows = keys.map(([key, schema]) => {
    const { default: value = '', more } = configNotes[key] ?? {};
    const name = path === '' ? key : key.slice(path.length + 1);
    const [described = ''] = (schema.description ?? '').split(/; [^;]* by default$/);
    const text = value === '' ? (schema.description ?? '') : described;
    return [`\`${name}\``, typeOf(schema), value, more ? `${text} (${more})` : text];
  });
  return table(['key', 'type', 'default', 'what it is'], rows);
}

/** Components that are told apart by their type, with their options. */
function typesTable(schema: Schema | undefined): string {
  const rows = (schema?.oneOf ?? []).flatMap((one) => {
    const { type, ...options } = one.properties ?? {};
    if (type?.const === undefined) return [];
    const required = new Set(one.required);
    const listed = Object.keys(options).map((name) =>
      required.has(name) ? `**\`${name}\`**` : `\`${name}\``,
    );
    return [[`\`${type.const}\``, one.description ?? '', listed.join(', ')]];
  });
  return table(['type', 'what it does', 'options (required in bold)'], rows);
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((one) => `\`${one}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.$ref) return `[${schema.$ref.split('/').at(-1)}](#${schema.$ref.split('/').at(-1)}s)`;
  if (schema.not) return 'function';
  if (schema.items && schema.type === 'array') {
    const item = typeOf(schema.items);
    return item === ''
      ? 'list'
      : `list of ${item.replace(/^mapping$/, 'mappings').replace(/^(string|number|whole number)$/, '$1s')}`;
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several && !schema.properties) {
    const types = new Set(several.map(typeOf).filter((one) => one !== ''));
    // A name that is not listed may be the import path of another system.
    if ([...types].some((one) => one.startsWith('`')) && types.has('string'))
      types.delete('string');
    return [...types].join(', or ');
  }
  return [schema.type ?? []]
    .flat()
    .map((one) => names[one] ?? one)
    .join(', or ');
}
