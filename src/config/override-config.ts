import type { Compat } from '../compat/compat.ts';
import { ConfigError } from '../errors.ts';
import { limitNames } from '../model/model.ts';
import type { Config, InferencerConfig } from './config.ts';

/** Settings that hold for all models and datasets, whatever the config says. */
export interface ConfigOverrides {
  readonly maxOutLen?: number | undefined;
  readonly temperature?: number | undefined;
  /** Maximum concurrent requests. */
  readonly concurrency?: number | undefined;
  /** Maximum requests per second. */
  readonly rps?: number | undefined;
  readonly retries?: number | undefined;
  /** Time limit per request, in seconds. */
  readonly timeout?: number | undefined;
  /** Price per million input tokens, */
  readonly priceIn?: number | undefined;
  /** and of a million tokens answered. */
  readonly priceOut?: number | undefined;
  readonly compat?: Compat | 'none' | undefined;
}

/** The config as it is with some of its settings replaced. */
export function overrideConfig(config: Config, overrides: ConfigOverrides): Config {
  checkOverrides(overrides);
  const { maxOutLen, temperature, concurrency, rps, retries, timeout, compat } = overrides;
  const { priceIn, priceOut } = overrides;
  const mode = compat === 'none' ? undefined : compat;
  const pace = {
    ...(concurrency !== undefined && { batchSize: concurrency }),
    ...(rps !== undefined && { maxRps: rps }),
    ...(retries !== undefined && { retries }),
    ...(timeout !== undefined && { timeout }),
  };
  return {
    ...config,
    ...(compat !== undefined && { compat: mode }),
    // Flags say how fast judges are asked, and not what.
    judges: (config.judges ?? config.models).map((judge) => ({ ...judge, ...pace })),
    models: config.models.map((model) => ({
      ...model,
      ...(maxOutLen !== undefined && { maxOutLen }),
      ...overrideSettings(
        temperature === undefined ? model.generationKwargs : { ...model.generationKwargs },
        overrides,
      ),
      ...pace,
      ...((priceIn !== undefined || priceOut !== undefined) && {
        price: { in: priceIn ?? model.price?.in, out: priceOut ?? model.price?.out },
      }),
      ...(compat !== undefined && { compat: mode }),
    })),
    datasets: config.datasets.map((dataset) => ({
      ...dataset,
      inferCfg: {
        ...dataset.inferCfg,
        inferencer: overrideInferencer(dataset.inferCfg.inferencer, overrides),
      },
    })),
  };
}

/** What a dataset sets by itself gives way too: the temperature, and a limit for each turn of a dialogue. */
function overrideInferencer(
  inferencer: InferencerConfig,
  { maxOutLen, temperature }: ConfigOverrides,
): InferencerConfig {
  return {
    ...inferencer,
    ...(maxOutLen !== undefined && { maxOutLen, maxOutLens: undefined }),
    ...overrideSettings(inferencer.generationKwargs, { maxOutLen, temperature }),
  };
}

/** A limit keeps the name that the settings give it, which the server may need. */
function overrideSettings(
  settings: InferencerConfig['generationKwargs'],
  { maxOutLen, temperature }: ConfigOverrides,
): Pick<InferencerConfig, 'generationKwargs'> {
  if (!settings) return {};
  const limits = limitNames.filter((name) => settings[name] !== undefined);
  const limited = maxOutLen === undefined ? [] : limits.map((name) => [name, maxOutLen]);
  return {
    generationKwargs: {
      ...settings,
      ...(temperature !== undefined && { temperature }),
      ...Object.fromEntries(limited),
    },
  };
}

const isCount = (value: number) => Number.isInteger(value) && value > 0;
const isPositive = (value: number) => value > 0;

/** What each option may be, and how that is said. */
const bounds = {
  maxOutLen: [isCount, 'a whole number above 0'],
  concurrency: [isCount, 'a whole number above 0'],
  retries: [isCount, 'a whole number above 0'],
  rps: [isPositive, 'a number above 0'],
  timeout: [isPositive, 'a number of seconds above 0'],
  temperature: [(value: number) => value >= 0, 'a number, 0 or above'],
} as const;

function checkOverrides(overrides: ConfigOverrides): void {
  for (const [name, [isAllowed, wanted]] of Object.entries(bounds)) {
    const value = overrides[name as keyof typeof bounds];
    if (value === undefined || (typeof value === 'number' && isAllowed(value))) continue;
    throw new ConfigError('config.wrong_type', `\`${name}\` is ${value}; it must be ${wanted}`, {});
  }
  const { compat } = overrides;
  const modes = ['opencompass', 'aisbench', 'none'];
  if (compat === undefined || modes.includes(compat)) return;
  throw new ConfigError('config.wrong_type', `\`compat\` is \`${compat}\``, {
    hint: `It must be one of ${modes.join(', ')}.`,
  });
}
