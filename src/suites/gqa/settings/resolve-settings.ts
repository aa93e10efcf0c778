import type { ConfigPath } from '../../../errors.ts';
import { builtInPresets, presetNamed } from './presets.ts';
import { defaultSettings, type GqaSetting, type GqaSettings } from './settings.ts';
import type { GqaSpec, LocatedSettings } from './spec.ts';

export interface SettingSources {
  /** What the command line says. */
  readonly flags: Partial<GqaSettings>;
  readonly spec?: GqaSpec | undefined;
  /** The experiment of the spec. */
  readonly experiment?: LocatedSettings | undefined;
}

export interface ResolvedSettings {
  readonly settings: GqaSettings;
  /** Where in the spec a setting stands, if it comes from there. */
  readonly paths: ReadonlyMap<GqaSetting, ConfigPath>;
}

/**
 * Puts settings together: flags come before the experiment, then its preset, the defaults of the
 * spec, and those of the program.
 */
export function resolveSettings({ flags, spec, experiment }: SettingSources): ResolvedSettings {
  const { name, path } = chosenPreset({ flags, spec, experiment });
  const presets = { ...builtInPresets, ...spec?.presets };
  const layers: readonly Partial<LocatedSettings>[] = [
    { settings: defaultSettings },
    ...(spec ? [spec.defaults] : []),
    ...(name === null ? [] : [presetNamed(name, { presets, path })]),
    ...(experiment ? [experiment] : []),
    { settings: { ...flags, preset: name } },
  ];
  const settings: Partial<Record<GqaSetting, unknown>> = {};
  const paths = new Map<GqaSetting, ConfigPath>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer.settings ?? {})) {
      if (value === undefined) continue;
      settings[key as GqaSetting] = value;
      if (layer.path) paths.set(key as GqaSetting, [...layer.path, key]);
      else paths.delete(key as GqaSetting);
    }
  }
  return { settings: settings as unknown as GqaSettings, paths };
}

interface ChosenPreset {
  readonly name: string | null;
  readonly path?: ConfigPath;
}

/** The name nearest to the user; null in an experiment takes away that of the defaults. */
function chosenPreset({ flags, experiment, spec }: SettingSources): ChosenPreset {
  if (flags.preset !== undefined) return { name: flags.preset };
  for (const source of [experiment, spec?.defaults]) {
    const name = source?.settings.preset;
    if (source && name !== undefined) return { name, path: [...source.path, 'preset'] };
  }
  return { name: null };
}
