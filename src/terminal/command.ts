import type { Command } from 'commander';

/** Runs a command with the arguments after its name, and gives the exit code. */
export type RunCommand = (args: readonly string[]) => Promise<number>;

/** The headings of the help. */
export type CommandGroup =
  | 'Evaluate'
  | 'Look'
  | 'Compare and share'
  | 'Other harnesses'
  | 'Studies'
  | 'Tools';

export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** With `--json` nothing but its result goes to the output: it loads code of others. */
  readonly keepsOutput?: true;
  /** Of two commands of one name, the first one that takes the arguments is run. */
  readonly takes?: (args: readonly string[]) => boolean;
  readonly load: () => Promise<RunCommand>;
  /** Its arguments and options. */
  readonly describe: () => Promise<() => Command>;
}
