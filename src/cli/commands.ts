/** Runs a command with the arguments after its name, and gives the exit code. */
type RunCommand = (args: readonly string[]) => Promise<number>;

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<RunCommand>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'start a config, with a few rows to ask about',
    load: async () => (await import('./init/init-command.ts')).runInit,
  },
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
  {
    name: 'explain',
    summary: 'show every value of a config, and where it comes from',
    load: async () => (await import('./explain/explain-command.ts')).runExplain,
  },
  {
    name: 'plan',
    summary: 'say what a run would send and may take, without sending anything',
    load: async () => (await import('./plan/plan-command.ts')).runPlan,
  },
  {
    name: 'score',
    summary: 'score the saved answers of a run again, without asking anything',
    load: async () => (await import('./score/score-command.ts')).runScore,
  },
  {
    name: 'list',
    summary: 'list model formats, evaluators or retrievers',
    load: async () => (await import('./list/list-command.ts')).runList,
  },
];
