import { type Command, CommanderError } from 'commander';
import { UsageError } from '../base/usage-error.ts';

/**
 * Reads arguments by a command's definition. Help is printed here and gives undefined; wrong usage
 * is an error like any other.
 */
export function parseArguments(command: Command, args: readonly string[]): Command | undefined {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  try {
    return command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return undefined;
    throw usageError(command.name(), error);
  }
}

/** `commander.unknownOption` is `usage.unknown_option`. */
function usageError(name: string, { code, message }: CommanderError): UsageError {
  const kind = code.replace('commander.', '').replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  const [what = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const near = suggestion?.match(/\(Did you mean (.+)\?\)/)?.[1];
  // What is given to an option that does not exist may be a key.
  const shown = kind === 'unknown_option' ? what.replace(/=.*/s, "'") : what;
  return new UsageError(`usage.${kind}`, shown, {
    hint: `${near ? `Did you mean \`${near}\`? ` : ''}See \`${name} --help\`.`,
  });
}
