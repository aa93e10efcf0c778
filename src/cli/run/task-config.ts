import { parseConfig } from '../../config/parse-config.ts';
import { UsageError } from '../usage-error.ts';
import { spellQuickModel } from './quick-model.ts';
import type { RunOptions } from './run-options.ts';
import { loadSpelled } from './spelled-config.ts';

const prefix = 'task:';

/** Whether the command line names a task in place of a file. */
export function namesTask({ source }: Pick<RunOptions, 'source'>): boolean {
  return source.startsWith(prefix);
}

/** A config made of a task, one of its templates, and flags: `task:arithmetic/equation`. */
export async function taskConfig(options: RunOptions) {
  const [task = '', version] = options.source.slice(prefix.length).split('/', 2);
  if (options.model === undefined) {
    throw new UsageError('usage.model_missing', 'A task needs a model to ask', {
      hint: 'Add `--model typecase-tiny`, which comes with Typecase, or `--model http://127.0.0.1:8000/v1`.',
    });
  }
  const { shots = 0 } = options;
  const value = {
    models: [spellQuickModel(options, options.model)],
    datasets: [
      {
        task,
        ...(version !== undefined && { version }),
        infer_cfg: {
          retriever:
            shots > 0 ? { type: 'RandomRetriever', ice_num: shots } : { type: 'ZeroRetriever' },
        },
      },
    ],
  };
  return parseConfig(await loadSpelled(value));
}
