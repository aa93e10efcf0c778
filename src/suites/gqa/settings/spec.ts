import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { entriesOf, getKey, isMapping } from '../../../prompt/mapping.ts';
import { checkSettings, unknownKey, wrongType } from './check-settings.ts';
import type { GqaPreset } from './presets.ts';
import type { GqaSettings } from './settings.ts';

/** Settings with their path in the file. */
export interface LocatedSettings {
  readonly path: ConfigPath;
  readonly settings: Partial<GqaSettings>;
}

/** A file of experiments. */
export interface GqaSpec {
  readonly presets: Readonly<Record<string, GqaPreset>>;
  readonly defaults: LocatedSettings;
  readonly experiments: readonly LocatedSettings[];
}

const topKeys = ['defaults', 'experiments', 'presets'];

/** Reads a spec: a list of experiments, or a mapping with `experiments`, `defaults` and `presets`. */
export function readSpec(value: unknown): GqaSpec {
  if (Array.isArray(value)) {
    return {
      presets: {},
      defaults: { path: [], settings: {} },
      experiments: readExperiments(value, []),
    };
  }
  if (!isMapping(value)) throw wrongType(value, { path: [], expected: 'a list or a mapping' });
  for (const [key] of entriesOf(value)) {
    if (!topKeys.includes(String(key))) throw unknownKey(String(key), { path: [], known: topKeys });
  }
  const experiments = getKey(value, 'experiments');
  if (!Array.isArray(experiments))
    throw wrongType(experiments, { path: ['experiments'], expected: 'a list' });
  return {
    presets: readPresets(getKey(value, 'presets') ?? {}),
    defaults: {
      path: ['defaults'],
      settings: checkSettings(getKey(value, 'defaults') ?? {}, { path: ['defaults'] }),
    },
    experiments: readExperiments(experiments, ['experiments']),
  };
}

function readExperiments(entries: readonly unknown[], parent: ConfigPath): LocatedSettings[] {
  return entries.map((entry, index) => {
    const path = [...parent, index];
    const settings = checkSettings(entry, { path });
    if (settings.name !== undefined) return { path, settings };
    throw new ConfigError('config.missing_key', 'An experiment has no `name`', {
      path,
      hint: 'Add a unique `name`.',
    });
  });
}

function readPresets(value: unknown): Record<string, GqaPreset> {
  if (!isMapping(value)) throw wrongType(value, { path: ['presets'], expected: 'a mapping' });
  const presets = entriesOf(value).map(([key, preset]) => {
    const name = String(key);
    const path = ['presets', name];
    return [name, { path, settings: checkSettings(preset, { path, otherKeys: ['description'] }) }];
  });
  return Object.fromEntries(presets);
}
