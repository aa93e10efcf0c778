import type { Suite } from '../suite.ts';

export const gqa: Suite = {
  commands: [
    {
      name: 'gqa',
      group: 'Studies',
      summary: 'build the prompts and chunk texts of GQA, LLaVA and video data',
      load: async () => (await import('./gqa-command.ts')).runGqa,
      describe: async () => (await import('./gqa-command.ts')).describeGqa,
    },
    {
      name: 'cache-study',
      group: 'Studies',
      summary: 'measure how much a response cache would save, and how often it errs',
      load: async () =>
        (await import('./cache-study-command/cache-study-command.ts')).runCacheStudy,
      describe: async () => (await import('./cache-study-command/study-options.ts')).describeStudy,
    },
  ],
};
