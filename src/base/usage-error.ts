import { TypecaseError } from '../errors.ts';
import { nearestName } from './nearest-name.ts';

/** A command line that asks for something that there is not. */
export class UsageError extends TypecaseError {}

export function unknownCommand(name: string, names: readonly string[]): UsageError {
  return new UsageError('usage.unknown_command', `There is no command \`${name}\``, {
    hint: hintForName(name, { names, kind: 'Commands' }),
  });
}

/** The nearest name, if one is near, and all the names there are. */
export function hintForName(
  name: string,
  { names, kind }: { names: readonly string[]; kind: string },
): string {
  const near = nearestName(name, names);
  return `${near ? `Did you mean \`${near}\`? ` : ''}${kind}: ${names.join(', ')}.`;
}
