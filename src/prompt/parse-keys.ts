import { nearestName } from '../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { describeType, entriesOf, isMapping, type Mapping } from './mapping.ts';

/** Refuses keys that are not known, with the nearest one that is. */
export function checkKeys(mapping: Mapping, known: readonly string[], path: ConfigPath): void {
  for (const [key] of entriesOf(mapping)) {
    const name = String(key);
    if (name === key && known.includes(name)) continue;
    const near = nearestName(name, known);
    const first = near ? `Did you mean \`${near}\`? ` : '';
    throw new TemplateError(
      'template.unknown_key',
      `${formatPath(path)} has the unknown key \`${name}\``,
      {
        path: [...path, name],
        hint: `${name === 'api_role' ? 'It goes with a role. ' : first}Known keys: ${known.join(', ')}.`,
      },
    );
  }
}

export function requireMapping(value: unknown, path: ConfigPath, what: string): Mapping {
  if (isMapping(value)) return value;
  throw wrongType(value, path, what);
}

export function optionalString(value: unknown, path: ConfigPath): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw wrongType(value, path, 'a string');
}

export function optionalBoolean(value: unknown, path: ConfigPath): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw wrongType(value, path, 'true or false');
}

export function wrongType(value: unknown, path: ConfigPath, expected: string): TemplateError {
  return new TemplateError(
    'template.wrong_type',
    `${formatPath(path)} must be ${expected}, not ${describeType(value)}`,
    { path },
  );
}
