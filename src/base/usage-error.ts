import { TypecaseError } from '../errors.ts';
import { hintForName } from './nearest-name.ts';

/** A command line that asks for something that there is not. */
export class UsageError extends TypecaseError {}

export function unknownCommand(name: string, names: readonly string[]): UsageError {
  return new UsageError('usage.unknown_command', `There is no command \`${name}\``, {
    hint: hintForName(name, { names, kind: 'Commands' }),
  });
}
