import type { Suite } from '../suite.ts';

/** The `type` that datasets of the financial tasks have in configs and records. */
export const datasetType = 'JapaneseFinancial';

export const japaneseFinancial: Suite = {
  commands: [
    {
      name: 'lm-eval',
      group: 'Other harnesses',
      summary: 'evaluate a model exactly as lm-evaluation-harness does',
      load: async () => (await import('./lm-eval/lm-eval-command.ts')).runLmEval,
      describe: async () => (await import('./lm-eval/lm-eval-options.ts')).describeLmEval,
    },
  ],
  tasks: async () => {
    const [{ listTasks, listTemplates }, { runTaskView }] = await Promise.all([
      import('./list-tasks.ts'),
      import('./task-view.ts'),
    ]);
    return { listTasks, listTemplates, view: runTaskView };
  },
  datasets: {
    type: datasetType,
    tasks: async () => (await import('./task-source.ts')).taskSource,
    open: async () => (await import('./open-dataset.ts')).financialDatasets,
  },
  readResult: async () => (await import('./scoring/read-result.ts')).readResult,
};
