import * as z from 'zod';
import { nearestName } from '../../base/nearest-name.ts';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import { isMapping } from '../../prompt/mapping.ts';
import { fewValues, problemError, schemaProblems } from '../../schema/schema-problems.ts';
import { strictMapping } from '../../schema/strict-mapping.ts';
import type { ReadColumn } from '../scorer.ts';

/** A part of `eval_cfg`: the name of its type, and options of its own. */
export interface Component {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** A component, or several that are tried in order. */
export type Components = Component | readonly Component[];

/** A component and where in the config it is. */
export interface LocatedComponent {
  readonly component: Component;
  readonly path: ConfigPath;
  /** Keys that may stand there and are read by others. */
  readonly otherKeys?: readonly string[] | undefined;
}

/** The components at a path of the config, each with its own. */
export function locateAll(components: Components, path: ConfigPath): readonly LocatedComponent[] {
  if (!isList(components)) return [{ component: components, path }];
  return components.map((component, index) => ({ component, path: [...path, index] }));
}

function isList(components: Components): components is readonly Component[] {
  return Array.isArray(components);
}

export function isComponent(value: unknown): value is Component {
  return isMapping(value) && typeof (value as Partial<Component>).type === 'string';
}

/** What components of a type stand for. */
interface ComponentBuilder<Built, Parts> {
  readonly build: (located: LocatedComponent, parts: Parts) => Built;
}

/** Builders by the names of their types. */
export type ComponentBuilders<Built, Parts = unknown> = Readonly<
  Record<string, ComponentBuilder<Built, Parts>>
>;

/** A type that components can have: what it is for, its options, and what it makes of them. */
export interface ComponentType<Built, Parts = unknown> extends ComponentBuilder<Built, Parts> {
  readonly summary: string;
  readonly options: z.ZodObject;
}

/** Types by their names. */
export type ComponentTypes<Built, Parts = unknown> = Readonly<
  Record<string, ComponentType<Built, Parts>>
>;

/** What a type is made of; `build` is given its options as they were read. */
interface TypeSettings<Shape extends z.core.$ZodLooseShape, Built, Parts> {
  readonly summary: string;
  readonly options?: Shape;
  readonly build: (
    options: z.output<z.ZodObject<Shape>>,
    parts: Parts,
    located: LocatedComponent,
  ) => Built;
}

/** Describes a type of component. */
export function componentType<Shape extends z.core.$ZodLooseShape, Built, Parts = unknown>({
  summary,
  options: shape = {} as Shape,
  build,
}: TypeSettings<Shape, Built, Parts>): ComponentType<Built, Parts> {
  const options = optionsSchema(shape);
  return {
    summary,
    options,
    build: (located, parts) => build(readOptions(located, options), parts, located),
  };
}

/** The schema of a component with the given options and no others. */
export function optionsSchema<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return strictMapping({ type: z.string(), ...shape }) as unknown as z.ZodObject<Shape>;
}

/** Reads the options of a component; refuses unknown ones, and values that will not do. */
export function readOptions<Output>(
  { component, path, otherKeys = [] }: LocatedComponent,
  schema: z.ZodType<Output>,
): Output {
  const result = schema.safeParse(component, fewValues);
  if (result.success) return result.data;
  const problems = schemaProblems(result.error.issues, otherKeys);
  // A key too many may be why another is missing.
  const problem = problems.find(({ code }) => code === 'config.unknown_key') ?? problems[0];
  if (!problem) throw result.error;
  throw problemError({ ...problem, path: [...path, ...problem.path] });
}

/** Builds a component of one of the given types. */
export function buildComponent<Built, Parts>(
  types: ComponentBuilders<Built, Parts>,
  located: LocatedComponent,
  parts: Parts,
): Built {
  const { type } = located.component;
  const found = Object.hasOwn(types, type) ? types[type] : undefined;
  if (!found) throw unknownType(located, Object.keys(types));
  return found.build(located, parts);
}

export function unknownType(
  { component: { type }, path }: LocatedComponent,
  known: readonly string[],
): ConfigError {
  const near = nearestName(type, known);
  const list = `Available: ${known.join(', ')}.`;
  return new ConfigError(
    'config.unknown_type',
    `${formatPath(path)} has the unknown type \`${type}\``,
    { path: [...path, 'type'], hint: near ? `Did you mean \`${near}\`? ${list}` : list },
  );
}

/** Says that an option is missing. */
export function missingOption(path: ConfigPath, key: string): ConfigError {
  const message = `has no \`${key}\``;
  return problemError({ code: 'config.missing_key', path, key, message, hint: `Add \`${key}\`.` });
}

/** What a check says beside its evaluator, and single evaluators do not know. */
export const checkKeys = [
  ...['name', 'weight', 'threshold', 'value', 'column', 'set', 'transform'],
] as const;

/** Evaluators that have an option `value` of their own. */
export const withValue: ReadonlySet<string> = new Set([
  'equals',
  'contains-all',
  'starts-with',
  'similar',
]);

/** Names that promptfoo has for checks, which are read as ours. */
const otherNames =
  /^(?:not-.*|contains-any|i?contains-(?:any|all|json)|icontains|is-refusal|llm-rubric|javascript|rouge-n)$/;

/** A check that stands alone is a list of one. */
export function asChecks(evaluator: Component): Component {
  return isCheck(evaluator) ? { type: 'checks', checks: [evaluator] } : evaluator;
}

/** Whether an evaluator is a check: it says something that single evaluators do not know. */
function isCheck({ type, ...options }: Component): boolean {
  if (type === 'checks') return false;
  if (withValue.has(type) && options.threshold === undefined && options.weight === undefined) {
    return options.name !== undefined || options.column !== undefined;
  }
  if (type !== 'contains-all' && otherNames.test(type)) return true;
  return checkKeys.some((key) => options[key] !== undefined);
}

/** Options whose values are names of columns, whatever the type of the component. */
const columnOptions: ReadonlySet<string> = new Set([
  ...['text_columns', 'question_column', 'against', 'entry_point'],
]);

/** The columns that a component and those inside it name. */
export function optionColumns({ component, path }: LocatedComponent): ReadColumn[] {
  return Object.entries(component).flatMap(([option, value]) => {
    const own = [...path, option];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item: unknown, index): readonly ReadColumn[] => {
      const at = Array.isArray(value) ? [...own, index] : own;
      if (isComponent(item)) return optionColumns({ component: item, path: at });
      if (!columnOptions.has(option) || typeof item !== 'string') return [];
      return [{ name: item, path: at }];
    });
  });
}
