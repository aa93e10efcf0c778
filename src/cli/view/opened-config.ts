import { dirname, resolve } from 'node:path';
import type { Compat, Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { loadTaskData } from '../../config/load-task-data.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { taskOfConfig } from '../../config/task-of-config.ts';
import { withPlace } from '../../config/with-place.ts';
import { prepareTaskPrompts, type TaskData } from '../../infer/task-prompts.ts';
import type { Encode } from '../../model/request.ts';
import { loadEncoder } from '../load-encoder.ts';
import { openWeighing } from './open-weighing.ts';
import { makeView, type PromptView, type ViewSource } from './prompt-view.ts';
import { openRequestMaker } from './request-maker.ts';

/** A config that is read and checked. */
export interface OpenedConfig {
  readonly config: Config;
  open(model: ModelConfig | undefined, dataset: DatasetConfig): Promise<OpenedPair>;
}

/** The prompts of one model on one data set, ready to look at. */
export interface OpenedPair {
  readonly model: ModelConfig | undefined;
  readonly dataset: DatasetConfig;
  readonly rowCount: number;
  view(index: number): Promise<PromptView>;
  close(): Promise<void>;
}

export async function openConfig(file: string, compat?: Compat | 'none'): Promise<OpenedConfig> {
  const loaded = await loadConfig(file);
  const config = overrideCompat(parseConfig(loaded), compat);
  const readData = dataReader(config);
  const readEncoder = encoderReader(config);
  return {
    config,
    open: (model, dataset) =>
      placing(loaded, async () => {
        const pair = { config, dataset, model };
        const task = await taskOfConfig(pair);
        const data = await readData(dataset, task.compat);
        const given = await readEncoder(model);
        const requests = await openRequestMaker(pair, given);
        const encode = given ?? requests.encode;
        const weighing = await openWeighing(pair);
        try {
          return openPair(
            {
              ...pair,
              task: { ...task, weigher: weighing?.weigher },
              loaded,
              data,
              requests,
              encode,
            },
            async () => weighing?.close(),
          );
        } catch (error) {
          await weighing?.close();
          throw error;
        }
      }),
  };
}

function openPair(parts: Omit<ViewSource, 'prompts'>, close: OpenedPair['close']): OpenedPair {
  const { model, dataset, loaded, task, data } = parts;
  const prompts = prepareTaskPrompts(task, data);
  return {
    model,
    dataset,
    rowCount: data.test.length,
    view: (index) =>
      placing(loaded, async () => {
        const named = data.test[index];
        if (named) await prompts.prepare?.([{ ...named, index }]);
        return makeView({ ...parts, prompts }, index);
      }),
    close,
  };
}

function overrideCompat(config: Config, mode: Compat | 'none' | undefined): Config {
  if (mode === undefined) return config;
  const compat = mode === 'none' ? undefined : mode;
  return { ...config, compat, models: config.models.map((model) => ({ ...model, compat })) };
}

/** Rows are read once for all models whose mode takes the same ones. */
function dataReader({ file }: Config) {
  const known = new Map<string, Promise<TaskData>>();
  return (dataset: DatasetConfig, compat: Compat | undefined): Promise<TaskData> => {
    const key = `${compat} ${dataset.abbr}`;
    const data = known.get(key) ?? loadTaskData({ file, compat }, dataset);
    known.set(key, data);
    return data;
  };
}

function encoderReader({ file }: Config) {
  const known = new Map<string, Promise<Encode>>();
  return async (model: ModelConfig | undefined): Promise<Encode | undefined> => {
    if (model?.tokenizer === undefined) return undefined;
    const tokenizer = resolve(dirname(file), model.tokenizer);
    const encode = known.get(tokenizer) ?? loadEncoder(tokenizer, [...model.source, 'tokenizer']);
    known.set(tokenizer, encode);
    return encode;
  };
}

/** Runs a step and adds the place in the config to its errors. */
async function placing<Result>(
  loaded: LoadedConfig,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw withPlace(loaded, error);
  }
}
