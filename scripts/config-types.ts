/** Writes the types of a config from the schema that configs are checked by. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describedConfig, type Schema } from '../src/config/json-schema.ts';
import { keysOfTypes } from '../src/config/model-schema.ts';
import { modelTypes } from '../src/config/type-names.ts';
import { otherCheckNames } from '../src/score/checks/read-check.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Types that schemas name by `tsType`, and where they are. */
const imports: Readonly<Record<string, string>> = {
  GenerateFunction: '../model/function-model.ts',
  ModelObject: './model-schema.ts',
  RetrieveFunction: '../retrieve/retriever.ts',
  ToolFunction: '../model/tool.ts',
  ScoreFunction: '../score/evaluators/function-evaluator.ts',
  TransformFunction: '../score/checks/transform-answer.ts',
  TemplateInput: './template-input.ts',
  MessagesInput: './template-input.ts',
};

/** The text of `src/config/config-input.ts`. */
export function configTypes(): string {
  const config = describedConfig();
  const properties = config.properties as Record<string, Schema>;
  const { models, datasets, ...others } = properties;
  const defs = config.$defs as Record<string, Schema>;
  const dataset = itemOf(datasets);
  const parts = [
    `/** Of a list that could be changed compilers say what is wrong with an item, of another one only that it does not fit. */\ntype List<Item> = Item[] | readonly Item[];`,
    `/** Any value. Of an \`unknown\` option editors would take a list for one, and complete nothing in it. */\ntype Option = NonNullable<unknown> | null | undefined;`,
    `/** A type may be written as the path that Python imports it by. */\ntype ImportPath = \`\${string}.\${string}\`;`,
    `export type EvaluatorInput = ${typeOf(defs.evaluator)};`,
    checkText(defs.check),
    `export type PostprocessorInput = ${typeOf(defs.postprocessor)};`,
    modelTypesText(itemOf(models)),
    // Where a dataset fits neither, compilers tell what the last one misses: by its place, or by its name.
    `/** A dataset that names a task: what it does not say itself, the task says. */
export interface DatasetOfTaskInput extends Omit<OwnDatasetInput, 'task' | 'reader_cfg' | 'infer_cfg'> {
  ${docOf(property(dataset, 'task'))}readonly task: string;
  ${docOf(property(dataset, 'reader_cfg'))}readonly reader_cfg?: Partial<OwnDatasetInput['reader_cfg']> | undefined;
  ${docOf(property(dataset, 'infer_cfg'))}readonly infer_cfg?: Partial<OwnDatasetInput['infer_cfg']> | undefined;
}`,
    `/** A dataset that says itself how it is asked. */\nexport interface OwnDatasetInput ${typeOf(ownDataset(dataset))}`,
    'export type DatasetInput = DatasetOfTaskInput | OwnDatasetInput;',
    `/** What a config file may hold, spelled as in the file. */
export interface ConfigInput {
  ${docOf(models)}readonly models?: readonly ModelInput[] | undefined;
  ${docOf(datasets)}readonly datasets?: readonly DatasetInput[] | undefined;
  ${membersOf({ properties: others })}
  /** Tells a config that was read and checked from one that is spelled; not a key. */
  readonly written?: undefined;
  readonly [list: \`\${string}_models\`]: readonly ModelInput[] | undefined;
  readonly [list: \`\${string}_datasets\`]: readonly DatasetInput[] | undefined;
}`,
  ];
  const body = parts.join('\n\n');
  const used = Object.entries(imports).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body));
  const head = [...new Set(used.map(([, file]) => file))].map((file) => {
    const names = used.filter(([, other]) => other === file).map(([name]) => name);
    return `import type { ${names.join(', ')} } from '${file}';`;
  });
  return formatted(
    `// Written by scripts/write-schema.ts from the schema that configs are checked by.\n${head.join('\n')}\n\n${body}\n`,
  );
}

function ownDataset(dataset: Schema): Schema {
  const properties = dataset.properties as Record<string, Schema>;
  return {
    ...dataset,
    anyOf: undefined,
    properties: { ...properties, task: { ...properties.task, tsType: 'undefined' } },
    required: ['reader_cfg', 'infer_cfg'],
  };
}

/** An evaluator with what a check says beside it, its contrary, and checks that are read as others. */
function checkText(check: Schema | undefined): string {
  const { type: _, ...properties } = (check?.properties ?? {}) as Record<string, Schema>;
  const names = otherCheckNames.flatMap((name) => [`'${name}'`, `'not-${name}'`]);
  return `interface CheckKeys {
  ${membersOf({ properties })}
}

type Checked<Part> = Part extends { readonly type: infer Name extends string }
  ? Omit<Part, 'type'> & CheckKeys & { readonly type: Name | \`not-\${Name}\` }
  : never;

interface OtherCheckInput extends CheckKeys {
  readonly type: ${names.join(' | ')};
  readonly [option: string]: Option;
}

/** One of several checks: an evaluator with a name, a weight and a threshold, or its contrary. */
export type CheckInput = Checked<EvaluatorInput> | OtherCheckInput;`;
}

/**
 * One type for each `type` of a model, with the keys that it needs and without those that it does not
 * use. A function, or a model that a program made, says itself how it is asked.
 */
function modelTypesText(model: Schema): string {
  const { type, ...properties } = model.properties as Record<string, Schema>;
  const { needed, unused, unusedElsewhere, all } = keysOfTypes;
  const special = new Set<string>([...all, 'generate', 'export']);
  const shared = Object.fromEntries(
    Object.entries(properties).filter(([key]) => !special.has(key)),
  );
  const of = (name: string, { tag, required, keys }: ModelKeys) => {
    const own = Object.fromEntries(
      Object.entries(properties).filter(([key]) => special.has(key) && keys.includes(key)),
    );
    // Only a model that has no type can be one that a program made.
    const written = own.model && !required.includes('model object');
    const members = {
      ...own,
      ...(written && { model: { ...own.model, anyOf: undefined, type: 'string' } }),
    };
    return `interface ${name} extends SharedModelInput {
  ${docOf(type)}${tag}
  ${membersOf({ properties: members, required: [...required, ...(written ? [] : ['model'])] })}
}`;
  };
  const named = modelTypes.filter((name) => name !== 'function');
  const usedBy = (left: readonly string[]) => all.filter((key) => !left.includes(key));
  const interfaces = {
    ...Object.fromEntries(
      named.map((name) => [
        `${name}ModelInput`,
        {
          tag: `readonly type: '${name}';`,
          required: needed[name] ?? [],
          keys: usedBy(unused[name] ?? unusedElsewhere),
        },
      ]),
    ),
    FileModelInput: {
      tag: "readonly type: 'function'; readonly generate?: undefined;",
      required: ['file'],
      keys: ['file', 'export'],
    },
    FunctionModelInput: {
      tag: "readonly type?: 'function' | undefined;",
      required: ['generate'],
      keys: ['generate'],
    },
    ObjectModelInput: {
      tag: 'readonly type?: undefined;',
      required: ['model object'],
      keys: ['model'],
    },
    ImportedModelInput: { tag: 'readonly type: ImportPath;', required: [], keys: all },
    UntypedModelInput: {
      tag: 'readonly type?: undefined;',
      required: [],
      keys: usedBy(unusedElsewhere),
    },
  } satisfies Record<string, ModelKeys>;
  return [
    `interface SharedModelInput ${typeOf({ type: 'object', properties: shared, additionalProperties: false })}`,
    ...Object.entries(interfaces).map(([name, keys]) => of(name, keys)),
    `export type ModelInput = ${Object.keys(interfaces).join(' | ')};`,
  ].join('\n\n');
}

interface ModelKeys {
  readonly tag: string;
  readonly required: readonly string[];
  readonly keys: readonly string[];
}

function itemOf(list: Schema | undefined): Schema {
  return list?.items as Schema;
}

function property(schema: Schema, key: string): Schema | undefined {
  return (schema.properties as Record<string, Schema>)[key];
}

function docOf(schema: Schema | undefined): string {
  const text = schema?.description;
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /')} */\n` : '';
}

function membersOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties as Record<string, Schema>)
    .map(([key, value]) => {
      const name = /^[\w$]+$/.test(key) ? key : JSON.stringify(key);
      const type = typeOf(value);
      if ((required as string[]).includes(key)) return `${docOf(value)}readonly ${name}: ${type};`;
      const optional = type === 'undefined' ? type : `${type} | undefined`;
      return `${docOf(value)}readonly ${name}?: ${optional};`;
    })
    .join('\n');
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown';
  const { tsType, $ref, anyOf, oneOf, type } = schema;
  if (typeof tsType === 'string') return tsType;
  if (typeof $ref === 'string') return `${capital($ref.split('/').at(-1) ?? '')}Input`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.properties ? undefined : (anyOf ?? oneOf);
  if (Array.isArray(choices)) return unionOf(choices);
  if (Array.isArray(type)) return unionOf(type.map((one) => ({ type: one })));
  return simpleType(schema);
}

function unionOf(choices: readonly Schema[]): string {
  const types = choices.map((choice) => {
    const written = typeOf(withDescribedType(choice));
    const type = written.startsWith('\n| ') ? written.slice('\n| '.length) : written;
    return /^readonly \([\s\S]*[}A-Z][\s\S]*\)\[\]$/.test(type)
      ? `List<${type.slice('readonly ('.length, -')[]'.length)}>`
      : type;
  });
  return [...new Set(types)].map((type) => `\n| ${type}`).join('');
}

/** Editors show what stands at a key: what a component is for belongs to its `type`. */
function withDescribedType(choice: Schema): Schema {
  const { properties, description } = choice;
  const { type, ...others } = (properties ?? {}) as Record<string, Schema>;
  if (!type || description === undefined) return choice;
  return { ...choice, properties: { type: { ...type, description }, ...others } };
}

function simpleType(schema: Schema): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema);
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function arrayType({ prefixItems, items }: Schema): string {
  if (!Array.isArray(prefixItems)) return `readonly (${typeOf(items as Schema | undefined)})[]`;
  return `readonly [${prefixItems.map(typeOf).join(', ')}]`;
}

function objectType(schema: Schema): string {
  const { properties, additionalProperties: others } = schema;
  const isOpen = others !== false;
  const rest = typeof others === 'object' && others ? typeOf(others as Schema) : 'unknown';
  const open = isOpen ? `readonly [name: string]: ${properties ? 'Option' : rest};` : '';
  const members = `{\n${properties ? membersOf(schema) : ''}\n${open}\n}`;
  return [members, ...oneOfKeys(schema)].join(' & ');
}

/** Where one of some keys has to be there. */
function oneOfKeys({ anyOf, properties }: Schema): string[] {
  if (!Array.isArray(anyOf) || !properties) return [];
  const keys = anyOf.flatMap(({ required }: Schema) => required as string[]);
  return [`(${keys.map((key) => `{ readonly ${key}: unknown }`).join(' | ')})`];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function formatted(text: string): string {
  const args = ['check', '--write', '--stdin-file-path=src/config/config-input.ts'];
  return execFileSync(`${root}node_modules/.bin/biome`, args, {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
}
