import type { Suite } from '../suite.ts';

export const gqa: Suite = {
  commands: [
    {
      name: 'gqa',
      summary: 'make the prompts and chunk texts of GQA, LLaVA and video data',
      load: async () => (await import('./gqa-command.ts')).runGqa,
    },
    {
      name: 'cache-study',
      summary: 'say what a cache of answers would save on a dataset, and what it would spoil',
      load: async () =>
        (await import('./cache-study-command/cache-study-command.ts')).runCacheStudy,
    },
  ],
};
