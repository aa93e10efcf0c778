/** Runs a command with the arguments after its name, and gives the exit code. */
type RunCommand = (args: readonly string[]) => Promise<number>;

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<RunCommand>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'evaluate models on data sets; the same command again does what is missing',
    load: async () => (await import('./run/run-command.ts')).runRun,
  },
  {
    name: 'view',
    summary: 'show the exact prompts of a config, and where each part comes from',
    load: async () => (await import('./view/run-view.ts')).runView,
  },
];
