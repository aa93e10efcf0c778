import type { ModelConfig } from '../../config/config.ts';
import { modelDefaults } from '../../config/run-defaults.ts';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import type { Model } from '../../model/index.ts';
import { nearestName } from '../../nearest-name.ts';
import { type Ask, createAsker } from '../../run/asker.ts';
import type { JudgeModel } from '../../score/index.ts';

export interface Judges {
  readonly judgeNamed: (name: string, path: ConfigPath) => JudgeModel;
  readonly close: () => Promise<void>;
}

/** The models of a config as judges; each is opened when it is first asked. */
export function createJudges(
  models: readonly ModelConfig[],
  open: (model: ModelConfig) => Promise<Model>,
): Judges {
  const opened = new Map<string, Promise<Model>>();
  const askers = new Map<string, Promise<Ask>>();
  const askerOf = (config: ModelConfig): Promise<Ask> => {
    const model = open(config);
    opened.set(config.abbr, model);
    const maxConcurrency = config.batchSize ?? modelDefaults.batchSize;
    return model.then((ready) => createAsker(ready, { maxConcurrency }));
  };
  return {
    judgeNamed(name, path) {
      const config = models.find(({ abbr }) => abbr === name);
      if (!config) throw noJudge(name, { path, names: models.map(({ abbr }) => abbr) });
      return {
        ask: async (prompt, signal) => {
          const asker = askers.get(name) ?? askerOf(config);
          askers.set(name, asker);
          return (await asker)(prompt, signal);
        },
      };
    },
    async close() {
      for (const model of opened.values()) await (await model).close();
      opened.clear();
      askers.clear();
    },
  };
}

function noJudge(
  name: string,
  { path, names }: { readonly path: ConfigPath; readonly names: readonly string[] },
): ConfigError {
  const near = nearestName(name, names);
  return new ConfigError(
    'config.unknown_model',
    `${formatPath(path)} is \`${name}\`, which is no model of this config`,
    { path, hint: `${near ? `Did you mean \`${near}\`? ` : ''}Models: ${names.join(', ')}.` },
  );
}
