/** Runs a command with the arguments after its name, and gives the exit code. */
export type RunCommand = (args: readonly string[]) => Promise<number>;

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<RunCommand>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'view',
    summary: 'show the exact prompts of a config, and where each part comes from',
    load: async () => (await import('./view/run-view.ts')).runView,
  },
];
