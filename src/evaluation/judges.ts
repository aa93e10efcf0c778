import { hintForName } from '../base/nearest-name.ts';
import type { Config, ModelConfig } from '../config/config.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { Model } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import type { ModelFormat } from '../prompt/format.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { JudgeModel } from '../score/judge/judge-scorer.ts';
import type { Ask } from './asker.ts';
import type { JudgeRequest } from './evaluation.ts';
import {
  encoderOf,
  type KnownModel,
  openModel,
  type Purpose,
  paceOf,
  withKwargs,
} from './open-model.ts';
import { formatOfModel } from './setup-of-config.ts';

export type JudgeNamed = (name: string, path: ConfigPath) => JudgeModel;

/** The models of a config as judges; each is opened when it is first needed. */
export interface Judges {
  readonly judgeNamed: JudgeNamed;
  /** What judges are asked in a step that scores by them; they are not asked. */
  readonly collect: (step: (judgeNamed: JudgeNamed) => Promise<unknown>) => Promise<JudgeRequest[]>;
  /** What tells the verdicts of a judge from those of another, as far as the config says it. */
  readonly identityOf: (name: string) => unknown;
  readonly close: () => Promise<void>;
}

/** A model in place of another, to count what is asked of it. */
export type Meter = (model: Model, config: ModelConfig, encode: Encode | undefined) => Model;

export interface JudgeOptions {
  readonly purpose: Purpose;
  readonly known?: ReadonlyMap<string, KnownModel> | undefined;
  readonly meter: Meter;
}

export async function openJudges(
  config: Config,
  { purpose, known, meter }: JudgeOptions,
): Promise<Judges> {
  const formats = new Map<string, ModelFormat | Error>();
  const models = config.judges ?? config.models;
  for (const model of models) formats.set(model.abbr, await formatOrError(config, model));
  const opened = new Map<string, Promise<Model>>();
  const askers = new Map<string, Promise<Ask>>();
  const openJudge = async (model: ModelConfig): Promise<Model> => {
    const encode = await encoderOf(config, model);
    const opened = await openModel(config, withKwargs(model), {
      purpose,
      needsLikelihood: false,
      choosesExamples: false,
      encode,
      identify: purpose === 'plan' || known !== undefined,
      known: known?.get(model.abbr),
    });
    return meter(opened, model, encode);
  };
  const modelOf = (model: ModelConfig): Promise<Model> => {
    const ready = opened.get(model.abbr) ?? openJudge(model);
    opened.set(model.abbr, ready);
    return ready;
  };
  const openAsker = async (model: ModelConfig): Promise<Ask> => {
    const { createAsker } = await import('./asker.ts');
    return createAsker(await modelOf(model), paceOf(model));
  };
  const askerOf = (model: ModelConfig): Promise<Ask> => {
    const asker = askers.get(model.abbr) ?? openAsker(model);
    askers.set(model.abbr, asker);
    return asker;
  };
  const find = (name: string, path: ConfigPath) => {
    const model = models.find(({ abbr }) => abbr === name);
    if (!model) throw noJudge(name, { path, names: models.map(({ abbr }) => abbr) });
    const format = formats.get(name);
    if (format instanceof Error) throw format;
    return { model, format };
  };
  return {
    judgeNamed(name, path) {
      const { model, format } = find(name, path);
      return {
        name,
        format,
        ask: async (prompt, signal) => (await askerOf(model))(prompt, signal),
      };
    },
    async collect(step) {
      const asked: { readonly model: ModelConfig; readonly prompt: Prompt }[] = [];
      await step((name, path) => {
        const { model, format } = find(name, path);
        const ask: JudgeModel['ask'] = async (prompt) => {
          asked.push({ model, prompt });
          return { text: '' };
        };
        return { name, format, ask };
      });
      return Promise.all(
        asked.map(async ({ model, prompt }) => ({
          judge: model.abbr,
          model: await modelOf(model),
          prompt,
        })),
      );
    },
    identityOf(name) {
      const judge = models.find(({ abbr }) => abbr === name);
      if (!judge) return null;
      const { type, path, model, version, baseUrl, metaTemplate, chatTemplate } = judge;
      const { maxOutLen, stop, generationKwargs } = judge;
      const asked = { type, path, model, baseUrl, metaTemplate, chatTemplate };
      const named = version === undefined ? asked : { ...asked, version };
      return [named, { maxOutLen, stop, generationKwargs }];
    },
    async close() {
      for (const opening of opened.values()) {
        // One that could not be opened was reported by whoever needed it.
        const model = await opening.catch(() => undefined);
        await model?.close();
      }
      opened.clear();
      askers.clear();
    },
  };
}

/** What is wrong with the format of a model is said when that model has to judge. */
async function formatOrError(config: Config, model: ModelConfig): Promise<ModelFormat | Error> {
  try {
    return await formatOfModel(config, model);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function noJudge(
  name: string,
  { path, names }: { readonly path: ConfigPath; readonly names: readonly string[] },
): ConfigError {
  return new ConfigError(
    'config.unknown_model',
    `${formatPath(path)} is \`${name}\`, which is no model of this config`,
    { path, hint: hintForName(name, { names, kind: 'Models' }) },
  );
}
