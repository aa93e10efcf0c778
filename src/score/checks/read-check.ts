import * as z from 'zod';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import { describeType, isMapping, toPlain } from '../../prompt/mapping.ts';
import { type Component, readOptions, withValue } from '../component/component.ts';
import { amount, nonEmptyText, texts } from '../component/option-kinds.ts';
import { readJson } from './same-json.ts';

/** A check as it is written: an evaluator, with what a check says beside it. */
export interface ReadCheck {
  readonly component: Component;
  /** What it is called where it says nothing itself. */
  readonly type: string;
  readonly name?: string | undefined;
  readonly weight: number;
  /** The score that it has to reach; left out, it has to be right. */
  readonly threshold?: number | undefined;
  readonly isNegated: boolean;
  /** What is wanted in place of the right answer. */
  readonly value?: unknown;
  /** The column that holds what to expect. */
  readonly column?: string | undefined;
  /** The set that it counts in. */
  readonly set?: string | undefined;
  /** What changes the answer before it is looked at, one after the other. */
  readonly transforms: readonly string[];
  readonly path: ConfigPath;
}

const number = 'a number from 0 to 1';

export const share = z
  .number({ error: number })
  .min(0, { error: number })
  .max(1, { error: number });

/** What a check says beside its evaluator. */
const keys = z.looseObject({
  type: z.string(),
  name: nonEmptyText.optional(),
  metric: nonEmptyText.optional(),
  weight: amount.optional(),
  threshold: share.optional(),
  column: nonEmptyText.optional(),
  set: nonEmptyText.optional(),
  transform: texts.optional(),
});

/** What promptfoo calls a check, in our words. */
const otherNames: Readonly<Record<string, (options: Options) => Component>> = {
  'contains-any': (options) => ({ ...options, type: 'contains' }),
  icontains: (options) => ({ ...options, type: 'contains', ignore_case: true }),
  'icontains-any': (options) => ({ ...options, type: 'contains', ignore_case: true }),
  'icontains-all': (options) => ({ ...options, type: 'contains-all', ignore_case: true }),
  'contains-json': ({ value, ...options }) => jsonCheck({ ...options, anywhere: true }, value),
  'is-refusal': ({ value: _, ...options }) => ({ ...options, type: 'refusal' }),
  'llm-rubric': ({ value, provider, ...options }) => ({
    ...options,
    type: 'judge',
    rubric: value,
    ...(typeof provider === 'string' && { model: provider }),
  }),
  javascript: ({ value, ...options }) => ({ ...options, type: 'function', score: value }),
  'rouge-n': (options) => ({ ...options, type: 'rouge' }),
  'word-count': ({ value, ...options }) => ({
    ...options,
    ...(isMapping(value) ? (toPlain(value) as Options) : { min: value, max: value }),
    type: 'length',
    unit: 'words',
  }),
};

/** Names of checks that are read as others. */
export const otherCheckNames: readonly string[] = Object.keys(otherNames);

type Options = Readonly<Record<string, unknown>>;

/** The same for names that both have, and that mean more there. */
function readType(type: string, options: Options): Component {
  const other = Object.hasOwn(otherNames, type) ? otherNames[type] : undefined;
  if (other) return other(options);
  const { value, threshold, ...rest } = options;
  if (type === 'regex' && value !== undefined && rest.pattern === undefined) {
    return { ...rest, threshold, type: 'matches', pattern: value };
  }
  if (type === 'is-json' && value !== undefined) return jsonCheck({ ...rest, threshold }, value);
  const isMost = (type === 'latency' || type === 'cost') && rest.max === undefined;
  if (isMost && threshold !== undefined) return { ...rest, type, max: threshold };
  if (type === 'function' && typeof value === 'function')
    return { ...rest, threshold, type, score: value };
  return { ...options, type };
}

function jsonCheck(options: Options, schema: unknown): Component {
  return schema === undefined
    ? { ...options, type: 'is-json' }
    : {
        ...options,
        type: 'json-schema',
        // A text that is no JSON is refused as every other value that is no schema.
        schema: typeof schema === 'string' ? (readJson(schema)?.value ?? schema) : schema,
      };
}

/** Reads a check that stands in a config or in a row. */
export function readCheck(written: unknown, path: ConfigPath): ReadCheck {
  if (!isMapping(written) || typeof (toPlain(written) as Options).type !== 'string') {
    throw new ConfigError(
      'config.wrong_type',
      `${formatPath(path)} must be a check with a \`type\`, not ${describeType(written)}`,
      { path, hint: 'Write it as `{ type: contains, value: Paris }`.' },
    );
  }
  const { type: whole, ...options } = toPlain(written) as Options & { readonly type: string };
  const isNegated = whole.startsWith('not-');
  const component = readType(isNegated ? whole.slice('not-'.length) : whole, options);
  if (component.type === 'function' && typeof component.score === 'string') throw noCode(path);
  if (component.type === 'checks') throw noNesting(path);
  const read = readOptions({ component, path }, keys);
  // That of labels is an option of the evaluator.
  const isNamed = component.type !== 'classification';
  const { name = isNamed ? read.metric : undefined, weight = 1, column } = read;
  const { metric, ...others } = withoutKeys(component);
  const rest = isNamed || metric === undefined ? others : { ...others, metric };
  const takesValue = withValue.has(component.type) || column !== undefined;
  const { value, ...evaluator } = rest as Component & { readonly value?: unknown };
  return {
    component: (withValue.has(component.type) ? rest : evaluator) as Component,
    type: whole,
    name,
    weight,
    threshold: read.threshold ?? (component.type === 'similar' ? 0.75 : undefined),
    isNegated,
    ...(!takesValue && value !== undefined && { value }),
    column,
    set: read.set,
    transforms: read.transform ?? [],
    path,
  };
}

const ownKeys = ['name', 'weight', 'threshold', 'column', 'set', 'transform'];

function withoutKeys(component: Component): Component {
  const kept = Object.entries(component).filter(([key]) => !ownKeys.includes(key));
  return Object.fromEntries(kept) as unknown as Component;
}

function noNesting(path: ConfigPath): ConfigError {
  return new ConfigError('config.conflicting_keys', `${formatPath(path)} has its own checks`, {
    path,
    hint: 'Add them to the list itself.',
  });
}

function noCode(path: ConfigPath): ConfigError {
  return new ConfigError(
    'config.type_not_available',
    `${formatPath(path)} is code in a string, which is not run`,
    {
      path,
      hint: 'Write a function in a TypeScript config: `{ type: "function", score: (answer) => … }`.',
    },
  );
}
