import { UsageError } from '../../base/usage-error.ts';
import { type ModelFlags, namesTask, spellNamedModel } from '../../config/flags.ts';
import { spelledConfig } from '../../config/load-config.ts';
import type { LoadedConfig } from '../../config/loaded-config.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { checkAxis } from '../../study/sweep/expand-cells.ts';
import { spellSweptTasks } from '../../study/sweep/spell-swept-tasks.ts';
import type { SweepFlags } from './sweep-options.ts';

/** The config that a command line names, or spells by tasks and models. */
export async function configOfSources(flags: SweepFlags): Promise<LoadedConfig> {
  const { sources } = flags;
  const [first = ''] = sources;
  if (sources.every(namesTask)) return spelledConfig(spellTasks(flags));
  if (sources.length === 1) {
    refuseForConfig(flags);
    return readConfigFile(first);
  }
  throw new UsageError('usage.several_sources', 'A sweep takes one config, or tasks', {
    hint: 'Give tasks as `task:arithmetic task:word`.',
  });
}

function refuseForConfig({ dataDir, dialect }: SweepFlags): void {
  const [flag, key] = dataDir === undefined ? ['--dialect', 'dialect'] : ['--data-dir', 'path'];
  if (dataDir === undefined && dialect === undefined) return;
  throw new UsageError('usage.conflicting_options', `\`${flag}\` does not apply to a config`, {
    hint: `Set \`${key}\` of the dataset in the config.`,
  });
}

function spellTasks(flags: SweepFlags) {
  const { sources, models } = flags;
  if (!models) {
    throw new UsageError('usage.model_missing', 'A task needs a model', {
      hint: 'Add `--models typecase-tiny`, which comes with Typecase, or `--models http://127.0.0.1:8000/v1`.',
    });
  }
  checkAxis('models', models);
  return spellSweptTasks(sources, { ...flags, models: spellModels(flags, models) });
}

/**
 * The models of the command line in the spelling of configs. Results are kept by names, so those that
 * would have the same one are called by where they are.
 */
export function spellModels(flags: ModelFlags, models: readonly string[]) {
  const spelled = models.map((model) => spellNamedModel(flags, model));
  const names = spelled.map(({ abbr }) => abbr);
  return models.map((model, index) => {
    const isShared = names.filter((name) => name === names[index]).length > 1;
    return { ...spelled[index], ...(isShared && { abbr: placeOf(model) }) };
  });
}

/** A folder as it was given; of an address neither a password nor parameters. */
function placeOf(model: string): string {
  if (!/^https?:/i.test(model)) return model;
  const { host, pathname } = new URL(model);
  return `${host}${pathname}`;
}
