import { dirname, extname } from 'node:path';
import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { withPlace } from '../../config/with-place.ts';
import { hintForName, UsageError } from '../usage-error.ts';
import { createJudges, type Judges } from './judges.ts';
import { openJudge } from './open-model.ts';
import { quickConfig } from './quick-config.ts';
import { refuseUnused } from './refuse-unused.ts';
import type { RunOptions } from './run-options.ts';
import { namesTask, taskConfig } from './task-config.ts';

/** What is to be run, chosen by the command line. */
export interface OpenedRun {
  readonly config: Config;
  readonly folder: string;
  readonly models: readonly ModelConfig[];
  readonly datasets: readonly DatasetConfig[];
  /** Whether models may be asked how they are to be asked. */
  readonly mayAsk: boolean;
  /** The models of the config that evaluators ask. */
  readonly judges: Judges;
  /** Runs a step and adds the place in the config to its errors. */
  readonly placing: <Result>(step: () => Promise<Result>) => Promise<Result>;
}

const configExtensions = ['.ts', '.mts', '.js', '.mjs', '.yaml', '.yml'];

export async function openRun(options: RunOptions): Promise<OpenedRun> {
  if (namesTask(options)) {
    refuseUnused(options, 'a task');
    return { ...selected(await taskConfig(options), {}), placing: (step) => step() };
  }
  if (!(await isConfig(options))) {
    refuseUnused(options, 'a file of rows');
    const config = await quickConfig(options);
    return { ...selected(config, {}), placing: (step) => step() };
  }
  refuseUnused(options, 'a config');
  const loaded = await loadConfig(options.source);
  return { ...selected(parseConfig(loaded), options), placing: (step) => placed(loaded, step) };
}

/** A JSON file is a config unless it comes with a template. */
async function isConfig({ source, template }: RunOptions): Promise<boolean> {
  const extension = extname(source).toLowerCase();
  return configExtensions.includes(extension) || (extension === '.json' && template === undefined);
}

export async function placed<Result>(
  loaded: LoadedConfig,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw withPlace(loaded, error);
  }
}

export function selected(
  config: Config,
  { model, dataset }: Pick<RunOptions, 'model' | 'dataset'>,
) {
  return {
    config,
    folder: dirname(config.file),
    models: choose(
      config.models.filter(({ judge }) => !judge),
      model,
      'model',
    ),
    datasets: choose(config.datasets, dataset, 'data set'),
    mayAsk: true,
    judges: createJudges(config.models, (judge) => openJudge(config, judge)),
  };
}

export function choose<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  wanted: string | undefined,
  kind: string,
): readonly Entry[] {
  if (entries.length === 0) {
    throw new UsageError('usage.nothing_to_run', `The config has no ${kind}`, {
      hint: `Add one under \`${kind === 'model' ? 'models' : 'datasets'}\`.`,
    });
  }
  if (wanted === undefined) return entries;
  const found = entries.filter(({ abbr }) => abbr === wanted);
  if (found.length > 0) return found;
  const names = entries.map(({ abbr }) => abbr);
  throw new UsageError('usage.unknown_name', `There is no ${kind} \`${wanted}\``, {
    hint: hintForName(wanted, { names, kind: kind === 'model' ? 'Models' : 'Data sets' }),
  });
}
