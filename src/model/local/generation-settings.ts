import { hintForName } from '../../base/nearest-name.ts';
import { ConfigError, type ConfigPath, ModelError } from '../../errors.ts';
import type { Sampling } from './engine/sample.ts';

export interface GenerationSettings extends Sampling {
  readonly seed: number;
  /** Tokens that end an answer, beside those of the model. */
  readonly stopTokenIds: readonly number[];
}

interface Setting {
  readonly fits: (value: number) => boolean;
  readonly wanted: string;
}

/** In the spelling of the wire. */
const known: Readonly<Record<string, Setting>> = {
  temperature: { fits: (value) => value >= 0, wanted: 'a number, 0 or above' },
  top_p: { fits: (value) => value > 0 && value <= 1, wanted: 'a number above 0 and at most 1' },
  top_k: {
    fits: (value) => Number.isInteger(value) && value >= 0,
    wanted: 'a whole number, 0 or above',
  },
  seed: { fits: Number.isInteger, wanted: 'a whole number' },
};
const names = [...Object.keys(known), 'stop_token_ids'];

/** Reads settings of generation. Without a temperature the likeliest tokens are taken. */
export function readGenerationSettings(
  given: Readonly<Record<string, unknown>>,
): GenerationSettings {
  const { stop_token_ids: stopTokenIds = [], ...settings } = given;
  if (!isIdList(stopTokenIds)) {
    const problem = `\`stop_token_ids\` is ${JSON.stringify(stopTokenIds)}`;
    throw badSetting(problem, 'It must be a list of token ids.');
  }
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.hasOwn(known, name)) throw unknownSetting(name);
    const { fits, wanted } = known[name] as Setting;
    if (typeof value !== 'number' || !Number.isFinite(value) || !fits(value)) {
      throw badSetting(`\`${name}\` is ${JSON.stringify(value)}`, `It must be ${wanted}.`);
    }
  }
  const numberOf = (name: string, defaultValue: number) =>
    (settings[name] ?? defaultValue) as number;
  return {
    temperature: numberOf('temperature', 0),
    topP: numberOf('top_p', 1),
    topK: numberOf('top_k', 0),
    seed: numberOf('seed', 0),
    stopTokenIds,
  };
}

/** Says before anything is loaded what no request could do. */
export function checkGenerationSettings(
  settings: Readonly<Record<string, unknown>>,
  path: ConfigPath | undefined,
): void {
  try {
    readGenerationSettings(settings);
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    const { code, message, hint } = cause;
    throw new ConfigError(code, message, { hint, path, cause });
  }
}

function isIdList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((id) => Number.isInteger(id) && id >= 0);
}

function unknownSetting(name: string): ModelError {
  const hint = hintForName(name, { names, kind: 'Settings' });
  return badSetting(`local models have no setting \`${name}\``, hint);
}

function badSetting(problem: string, hint: string): ModelError {
  return new ModelError('model.bad_setting', problem, { retryable: false, hint });
}
