import { resolve } from 'node:path';
import { spellNamedModel } from '../../config/flags.ts';
import { spelledConfig } from '../../config/load-config.ts';
import type { LoadedConfig } from '../../config/loaded-config.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import type { RecordedModel, RunFile } from '../../run/store/run-file.ts';
import type { SweepAxes } from '../sweep/axes.ts';
import { type ExpandedConfig, expandConfig } from '../sweep/expand-config.ts';
import { spellSweptTasks, sweptTasksIn } from '../sweep/spell-swept-tasks.ts';

/** What the command of a sweep set. */
interface SweepSettings {
  readonly axes?: SweepAxes;
  readonly sameTemplate?: boolean;
  readonly dataDir?: string;
  readonly dialect?: string;
  readonly completions?: boolean;
  readonly apiKeyEnv?: string;
}

/** The config of a sweep with its cells as datasets, as `folder` has its sources now. */
export async function expandRecordedSweep(
  { settings, models }: RunFile,
  { source, folder }: { readonly source: string; readonly folder: string },
): Promise<ExpandedConfig> {
  const { axes, sameTemplate = false, ...flags } = settings as SweepSettings;
  const tasks = sweptTasksIn(source);
  const loaded: LoadedConfig = tasks
    ? await spelledConfig(
        spellSweptTasks(tasks, {
          ...flags,
          models: models.map((model) => spellRecordedModel(model, flags, folder)),
        }),
        { folder },
      )
    : await readConfigFile(resolve(folder, source));
  return expandConfig(loaded, { axes, sameTemplate });
}

/** A model of a command line, which is on record by where it is. */
function spellRecordedModel(
  { name, config = {} }: RecordedModel,
  { completions, apiKeyEnv }: SweepSettings,
  folder: string,
) {
  const { path, baseUrl, model } = config;
  const modelName = typeof model === 'string' ? model : undefined;
  const flags = { modelName, completions, apiKeyEnv };
  return { ...spellNamedModel(flags, String(path ?? baseUrl), folder), abbr: name };
}
