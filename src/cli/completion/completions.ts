/** What can be completed, for the script of any shell. */
export interface Completions {
  readonly commands: readonly CompletedCommand[];
  readonly tasks: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** What its first argument may be, where that is a word of a list. */
  readonly words: readonly string[];
}

interface CompletedOption {
  readonly flag: string;
  readonly summary: string;
  readonly takesValue: boolean;
  /** The values that it takes, where they are a list. */
  readonly values: readonly string[];
}

/** Commands whose arguments may be `task:NAME`. */
export const takesTasks: readonly string[] = ['run', 'plan', 'view', 'sweep'];
