import { type Command, CommanderError } from 'commander';
import { UsageError } from '../base/usage-error.ts';
import { describeTerminal } from './terminal.ts';

/** What a command line does, and the command line. */
export type Example = readonly [purpose: string, line: string];

/** Adds examples to the help of a command, below its options. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  const lines = examples.map(([purpose, line]) => `  # ${purpose}\n  ${line}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n\n')}`);
}

/**
 * Reads arguments by a command's definition. Help is printed here and gives undefined; wrong usage
 * is an error like any other.
 */
export function parseArguments(command: Command, args: readonly string[]): Command | undefined {
  command
    .optionsGroup('Help:')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: describeTerminal(process.stdout).width, minWidthToWrap: 20 });
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
