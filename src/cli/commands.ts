import { suites } from '../suites/index.ts';
import type { CommandEntry, CommandGroup } from '../terminal/command.ts';

export const commandGroups: readonly CommandGroup[] = [
  'Evaluate',
  'Look',
  'Compare and share',
  'Other harnesses',
  'Studies',
  'Tools',
];

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    group: 'Evaluate',
    summary: 'create a starter config with sample data',
    load: async () => (await import('./init/init-command.ts')).runInit,
    describe: async () => (await import('./init/init-command.ts')).describeInit,
  },
  {
    name: 'run',
    group: 'Evaluate',
    summary: 'evaluate models on datasets; rerun to resume',
    keepsOutput: true,
    load: async () => (await import('./run/run-command.ts')).runRun,
    describe: async () => (await import('../terminal/run/run-options.ts')).describeRun,
  },
  {
    name: 'worker',
    group: 'Evaluate',
    summary: 'answer the requests of runs that use a queue (run --queue)',
    load: async () => (await import('./worker/worker-command.ts')).runWorker,
    describe: async () => (await import('./worker/worker-command.ts')).describeWorker,
  },
  {
    name: 'sweep',
    group: 'Evaluate',
    summary: 'find the best template for a model, with confidence',
    keepsOutput: true,
    load: async () => (await import('./sweep/sweep-command.ts')).runSweep,
    describe: async () => (await import('./sweep/sweep-options.ts')).describeSweep,
  },
  {
    name: 'view',
    group: 'Look',
    summary: 'show the exact prompts, and where every part comes from',
    keepsOutput: true,
    load: async () => (await import('./view/run-view.ts')).runView,
    describe: async () => (await import('./view/view-options.ts')).describeView,
  },
  {
    name: 'import',
    group: 'Other harnesses',
    summary: 'convert OpenCompass, AISBench and promptfoo configs, without Python',
    load: async () => (await import('./import/import-command.ts')).runImport,
    describe: async () => (await import('./import/import-command.ts')).describeImport,
  },
  {
    name: 'open',
    group: 'Other harnesses',
    summary: 'open results of another harness as a run and rescore them',
    load: async () => (await import('./open/open-command.ts')).runOpen,
    describe: async () => (await import('./open/open-command.ts')).describeOpen,
  },
  {
    name: 'explain',
    group: 'Look',
    summary: 'show every value of a config, and where it comes from',
    keepsOutput: true,
    load: async () => (await import('./explain/explain-command.ts')).runExplain,
    describe: async () => (await import('./explain/explain-command.ts')).describeExplain,
  },
  {
    name: 'plan',
    group: 'Evaluate',
    summary: 'estimate requests, tokens, time and cost; sends nothing',
    keepsOutput: true,
    load: async () => (await import('./plan/plan-command.ts')).runPlan,
    describe: async () => (await import('./plan/plan-command.ts')).describePlan,
  },
  {
    name: 'show',
    group: 'Look',
    summary: 'show everything a run knows about a row',
    keepsOutput: true,
    load: async () => (await import('./show/show-command.ts')).runShow,
    describe: async () => (await import('./show/show-command.ts')).describeShow,
  },
  {
    name: 'bundle',
    group: 'Compare and share',
    summary: 'pack a run into one file that another machine can verify',
    load: async () => (await import('./bundle/bundle-command.ts')).runBundle,
    describe: async () => (await import('./bundle/bundle-command.ts')).describeBundle,
  },
  {
    name: 'cache',
    group: 'Look',
    summary: 'explain why a request is reused or sent again (cache explain)',
    keepsOutput: true,
    load: async () => (await import('./cache/cache-command.ts')).runCache,
    describe: async () => (await import('./cache/cache-command.ts')).describeExplain,
  },
  {
    name: 'export',
    group: 'Compare and share',
    summary: 'write the rows of a run as JSONL, CSV or Parquet',
    load: async () => (await import('./export/export-command.ts')).runExport,
    describe: async () => (await import('./export/export-command.ts')).describeExport,
  },
  {
    name: 'score',
    group: 'Evaluate',
    summary: 'rescore the saved answers of a run, without asking the models',
    keepsOutput: true,
    load: async () => (await import('./score/score-command.ts')).runScore,
    describe: async () => (await import('./score/score-command.ts')).describeScore,
  },
  {
    name: 'compare',
    group: 'Compare and share',
    summary: 'test whether one run is better than another, and on which rows',
    keepsOutput: true,
    load: async () => (await import('./compare/compare-command.ts')).runCompare,
    describe: async () => (await import('./compare/compare-options.ts')).describeCompare,
  },
  {
    name: 'report',
    group: 'Compare and share',
    summary: 'write runs as a stand-alone page or a static site',
    load: async () => (await import('./report/report-command.ts')).runReport,
    describe: async () => (await import('./report/report-command.ts')).describeReport,
  },
  ...suites.flatMap((suite) => suite.commands),
  {
    name: 'leaderboard',
    group: 'Compare and share',
    summary: 'rank models, and mark those with no clear difference',
    load: async () => (await import('./leaderboard/leaderboard-command.ts')).runLeaderboard,
    describe: async () =>
      (await import('./leaderboard/leaderboard-command.ts')).describeLeaderboard,
  },
  {
    name: 'serve',
    group: 'Look',
    summary: 'browse runs: from a score to its rows and prompts',
    load: async () => (await import('./serve/serve-command.ts')).runServe,
    describe: async () => (await import('./serve/serve-command.ts')).describeServe,
  },
  {
    name: 'serve-model',
    group: 'Tools',
    summary: 'serve a local ONNX model with an OpenAI-compatible API',
    load: async () => (await import('./serve-model/serve-model-command.ts')).runServeModel,
    describe: async () => (await import('./serve-model/serve-model-command.ts')).describeServeModel,
  },
  {
    name: 'completion',
    group: 'Tools',
    summary: 'print the completion script of a shell',
    load: async () => (await import('./completion/completion-command.ts')).completionOf(commands),
    describe: async () => (await import('./completion/completion-command.ts')).describeCompletion,
  },
  {
    name: 'list',
    group: 'Look',
    summary: 'list tasks, templates, model formats, evaluators and retrievers',
    load: async () => (await import('./list/list-command.ts')).runList,
    describe: async () => (await import('./list/list-command.ts')).describeList,
  },
];

/** The command of a name that takes these arguments. */
export function commandFor(name: string, args: readonly string[]): CommandEntry | undefined {
  return commands.find((entry) => entry.name === name && (entry.takes?.(args) ?? true));
}
