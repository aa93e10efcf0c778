import { suites } from '../suites/index.ts';
import type { CommandEntry } from '../terminal/command.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'start a config, with a few rows to ask about',
    load: async () => (await import('./init/init-command.ts')).runInit,
  },
  {
    name: 'run',
    summary: 'evaluate models on datasets; the same command again does what is missing',
    keepsOutput: true,
    load: async () => (await import('./run/run-command.ts')).runRun,
  },
  {
    name: 'worker',
    summary: 'ask models for runs that go through a queue (run --queue)',
    load: async () => (await import('./worker/worker-command.ts')).runWorker,
  },
  {
    name: 'sweep',
    summary: 'say which template suits a model, and how sure that is',
    keepsOutput: true,
    load: async () => (await import('./sweep/sweep-command.ts')).runSweep,
  },
  {
    name: 'view',
    summary: 'show the exact prompts of a config, and where each part comes from',
    keepsOutput: true,
    load: async () => (await import('./view/run-view.ts')).runView,
  },
  {
    name: 'import',
    summary: 'read a config of OpenCompass or AISBench that is written in Python, without Python',
    load: async () => (await import('./import/import-command.ts')).runImport,
  },
  {
    name: 'open',
    summary: 'open results of another harness as a run, and score their rows again',
    load: async () => (await import('./open/open-command.ts')).runOpen,
  },
  {
    name: 'explain',
    summary: 'show every value of a config, and where it comes from',
    keepsOutput: true,
    load: async () => (await import('./explain/explain-command.ts')).runExplain,
  },
  {
    name: 'plan',
    summary: 'say what a run would send and may take, without sending anything',
    keepsOutput: true,
    load: async () => (await import('./plan/plan-command.ts')).runPlan,
  },
  {
    name: 'show',
    summary: 'show everything that a run holds of a row',
    keepsOutput: true,
    load: async () => (await import('./show/show-command.ts')).runShow,
  },
  {
    name: 'bundle',
    summary: 'put a run into one file that another machine verifies',
    load: async () => (await import('./bundle/bundle-command.ts')).runBundle,
  },
  {
    name: 'cache',
    summary: 'say why a request is answered from what is there, or asked (cache explain)',
    keepsOutput: true,
    load: async () => (await import('./cache/cache-command.ts')).runCache,
  },
  {
    name: 'export',
    summary: 'write the rows of a run as JSONL, CSV or Parquet',
    load: async () => (await import('./export/export-command.ts')).runExport,
  },
  {
    name: 'score',
    summary: 'score the saved answers of a run again, without asking the models',
    keepsOutput: true,
    load: async () => (await import('./score/score-command.ts')).runScore,
  },
  {
    name: 'compare',
    summary: 'say whether one run is better than another, and on which rows',
    keepsOutput: true,
    load: async () => (await import('./compare/compare-command.ts')).runCompare,
  },
  {
    name: 'report',
    summary: 'write runs as one page, or as a site, to look at without Typecase',
    load: async () => (await import('./report/report-command.ts')).runReport,
  },
  ...suites.flatMap((suite) => suite.commands),
  {
    name: 'leaderboard',
    summary: 'rank models by their results, and say which cannot be told apart',
    load: async () => (await import('./leaderboard/leaderboard-command.ts')).runLeaderboard,
  },
  {
    name: 'serve',
    summary: 'look at runs in the browser: from a score to the rows to the prompts',
    load: async () => (await import('./serve/serve-command.ts')).runServe,
  },
  {
    name: 'serve-model',
    summary: "serve a local ONNX model in the way of OpenAI's API",
    load: async () => (await import('./serve-model/serve-model-command.ts')).runServeModel,
  },
  {
    name: 'list',
    summary: 'list tasks, templates, model formats, evaluators or retrievers',
    load: async () => (await import('./list/list-command.ts')).runList,
  },
];

/** The command of a name that takes these arguments. */
export function commandFor(name: string, args: readonly string[]): CommandEntry | undefined {
  return commands.find((entry) => entry.name === name && (entry.takes?.(args) ?? true));
}
