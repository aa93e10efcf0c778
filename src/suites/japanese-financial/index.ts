import type { Suite } from '../suite.ts';

export const japaneseFinancial: Suite = {
  commands: [
    {
      name: 'lm-eval',
      summary: 'evaluate a model on the Japanese financial tasks as their harness does',
      load: async () => (await import('./lm-eval/lm-eval-command.ts')).runLmEval,
    },
  ],
  tasks: async () => {
    const [{ listTasks, listTemplates }, { runTaskView }] = await Promise.all([
      import('./list-tasks.ts'),
      import('./task-view.ts'),
    ]);
    return { listTasks, listTemplates, view: runTaskView };
  },
  readResult: async () => (await import('./scoring/read-result.ts')).readResult,
};
