import { nearestName } from '../base/nearest-name.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import { describeType, isMapping } from '../prompt/mapping.ts';

/** A part of `eval_cfg`: the name of its type, and options of its own. */
export interface Component {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** A component and its place in the config. */
export interface LocatedComponent {
  readonly component: Component;
  readonly path: ConfigPath;
}

/** A component, or several that are tried in order. */
export type Components = Component | readonly Component[];

/** The components at a place of the config, each with its own. */
export function locateAll(components: Components, path: ConfigPath): readonly LocatedComponent[] {
  if (!isList(components)) return [{ component: components, path }];
  return components.map((component, index) => ({ component, path: [...path, index] }));
}

function isList(components: Components): components is readonly Component[] {
  return Array.isArray(components);
}

/** How an option is read; `read` gives nothing for a value that will not do. */
export interface OptionReader<Value> {
  readonly expected: string;
  readonly read: (value: unknown) => Value | undefined;
}

type Readers = Readonly<Record<string, OptionReader<unknown>>>;
type Values<Shape extends Readers> = {
  readonly [Key in keyof Shape]?: Shape[Key] extends OptionReader<infer Value> ? Value : never;
};

/** Anything; whoever uses it has a closer look. */
export const anyValue: OptionReader<unknown> = { expected: 'a value', read: (value) => value };

export const trueOrFalse: OptionReader<boolean> = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const amount: OptionReader<number> = {
  expected: 'a number, 0 or above',
  read: (value) => (typeof value === 'number' && value >= 0 ? value : undefined),
};

export const nonEmptyText: OptionReader<string> = {
  expected: 'a text that is not empty',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

/** A list of texts; a single one may stand for itself. */
export const texts: OptionReader<readonly string[]> = {
  expected: 'a text or a list of texts, none of them empty',
  read(value) {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const read = list.flatMap((item) => nonEmptyText.read(item) ?? []);
    return read.length > 0 && read.length === list.length ? read : undefined;
  },
};

/** One of a few names. */
export function oneOfNames<Name extends string>(...names: readonly Name[]): OptionReader<Name> {
  return {
    expected: `one of ${names.join(', ')}`,
    read: (value) => names.find((name) => name === value),
  };
}

/** A component with a `type`, or a list of them. */
export const components: OptionReader<Components> = {
  expected: 'a mapping with a `type`, or a list of such mappings',
  read(value) {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.length > 0 && list.every(isComponent) ? (value as Components) : undefined;
  },
};

function isComponent(value: unknown): value is Component {
  return isMapping(value) && typeof (value as Partial<Component>).type === 'string';
}

/** A component inside another; refuses what is none. */
export function locateOne(value: unknown, path: ConfigPath): LocatedComponent {
  if (isComponent(value)) return { component: value, path };
  throw new ConfigError(
    'config.wrong_type',
    `${formatPath(path)} must be a mapping with a \`type\`, not ${describeType(value)}`,
    { path },
  );
}

/** Reads the options of a component; refuses unknown ones, and values of the wrong kind. */
export function readOptions<Shape extends Readers>(
  { component, path }: LocatedComponent,
  readers: Shape,
): Values<Shape> {
  const { type, ...options } = component;
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (!reader) throw unknownOption({ path, type, key, known: Object.keys(readers) });
    const read = reader.read(value);
    if (read === undefined) {
      const place = [...path, key];
      const message = `${formatPath(place)} must be ${reader.expected}, not ${describeType(value)}`;
      throw new ConfigError('config.wrong_type', message, { path: place });
    }
    values[key] = read;
  }
  return values as Values<Shape>;
}

interface UnknownOption {
  readonly path: ConfigPath;
  readonly type: string;
  readonly key: string;
  readonly known: readonly string[];
}

function unknownOption({ path, type, key, known }: UnknownOption): ConfigError {
  const near = nearestName(key, known);
  const list = known.length === 0 ? `\`${type}\` has no options.` : `Options: ${known.join(', ')}.`;
  return new ConfigError(
    'config.unknown_key',
    `${formatPath(path)} has the unknown option \`${key}\``,
    { path: [...path, key], hint: near ? `Did you mean \`${near}\`? ${list}` : list },
  );
}

/** Says that there is no such type, and which there are. */
export function unknownType(
  { component: { type }, path }: LocatedComponent,
  known: readonly string[],
): ConfigError {
  const near = nearestName(type, known);
  const list = `Available: ${known.join(', ')}.`;
  return new ConfigError(
    'config.unknown_type',
    `${formatPath(path)} is of the unknown type \`${type}\``,
    { path: [...path, 'type'], hint: near ? `Did you mean \`${near}\`? ${list}` : list },
  );
}

/** Says that an option is missing. */
export function missingOption({ path }: LocatedComponent, key: string): ConfigError {
  return new ConfigError('config.missing_key', `${formatPath(path)} has no \`${key}\``, {
    path,
    hint: `Add \`${key}\`.`,
  });
}
