import type { Suite } from '../suite.ts';

/** The `type` that tasks of lm-evaluation-harness have in configs and records. */
export const datasetType = 'LmEval';

export const lmEval: Suite = {
  commands: [
    {
      name: 'lm-eval',
      group: 'Other harnesses',
      summary: 'evaluate a model on YAML tasks of lm-evaluation-harness',
      takes: namesYamlTasks,
      load: async () => (await import('./command/lm-eval-command.ts')).runLmEval,
      describe: async () => (await import('./command/lm-eval-options.ts')).describeLmEval,
    },
  ],
  datasets: {
    type: datasetType,
    tasks: async () => (await import('./task-source.ts')).taskSource,
    open: async () => (await import('./open-dataset.ts')).lmEvalDatasets,
  },
};

/** Whether arguments of `typecase lm-eval` are about tasks in YAML files. */
function namesYamlTasks(args: readonly string[]): boolean {
  return args.some((arg) => /^--include_path(?:=|$)/.test(arg) || /\.ya?ml(?:,|$)/.test(arg));
}
