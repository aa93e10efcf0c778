import { UsageError } from '../usage-error.ts';
import type { RunOptions } from './run-options.ts';

type Kind = 'a config' | 'a task' | 'a file of rows';

const modelFlags = {
  modelName: '--model-name',
  completions: '--completions',
  metaTemplate: '--meta-template',
  apiKeyEnv: '--api-key-env',
} as const;
const rowFlags = {
  template: '--template',
  outputColumn: '--output-column',
  evaluator: '--evaluator',
} as const;

const unused: Readonly<Record<Kind, Readonly<Partial<Record<keyof RunOptions, string>>>>> = {
  'a config': { ...modelFlags, ...rowFlags, shots: '--shots' },
  'a task': { ...rowFlags, dataset: '--dataset', explain: '--explain' },
  'a file of rows': { shots: '--shots', dataset: '--dataset', explain: '--explain' },
};

/** Refuses options that would change nothing, so that nobody takes them for done. */
export function refuseUnused(options: RunOptions, kind: Kind): void {
  const flags = Object.entries(unused[kind]);
  const found = flags.find(([name]) => options[name as keyof RunOptions] !== undefined);
  if (found === undefined) return;
  throw new UsageError('usage.conflicting_options', `${kind} does not take \`${found[1]}\``, {
    hint: hintFor(options, kind),
  });
}

function hintFor({ source }: RunOptions, kind: Kind): string {
  if (kind !== 'a config') return 'Leave it out, or write a config.';
  const isJson = /\.json$/i.test(source);
  return `Set it in the config.${isJson ? ' A JSON file of rows comes with `--template`.' : ''}`;
}
