import { TypecaseError } from '../errors.ts';
import { nearestName } from './nearest-name.ts';

/** A command line that asks for something that does not exist. */
export class UsageError extends TypecaseError {}

export function unknownCommand(name: string, names: readonly string[]): UsageError {
  const near = nearestName(name, names) ?? names.find((one) => letters(one) === letters(name));
  const first = near === undefined ? '' : `Did you mean \`${near}\`? `;
  return new UsageError('usage.unknown_command', `Unknown command \`${name}\``, {
    hint: `${first}See \`typecase --help\`.`,
  });
}

/** Letters of a word in one order: two that were swapped are the same then, as in `rnu`. */
function letters(word: string): string {
  return [...word].sort().join('');
}
