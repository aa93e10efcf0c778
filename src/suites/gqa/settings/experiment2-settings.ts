import { isMapping } from '../../../prompt/mapping.ts';
import { fail } from '../../../python/compat-error.ts';
import type { GqaCompat } from '../compat.ts';
import { builtInPresets } from './presets.ts';
import { type GqaSetting, type GqaSettings, originalSettings, settingNames } from './settings.ts';

/**
 * Settings from flags by the rules of the original program: a flag that says what holds anyway
 * says nothing, and a preset comes before it.
 */
export function originalFlags(flags: Partial<GqaSettings>): GqaSettings {
  const { notes: _, ...preset } = flags.preset ? presetOf(flags.preset) : {};
  return { ...originalSettings, ...preset, ...withoutUsual(flags) };
}

/** The flags that differ from what holds without them. */
export function withoutUsual(flags: Partial<GqaSettings>): Partial<GqaSettings> {
  const isUsual = (key: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(originalSettings[key as GqaSetting]);
  return Object.fromEntries(Object.entries(flags).filter(([key, value]) => !isUsual(key, value)));
}

/**
 * The experiments of a spec by the rules of the original program, with the errors it raises. A
 * preset of the command line takes the place of those that the spec names.
 */
export function originalExperiments(
  spec: unknown,
  { compat, preset }: { readonly compat: GqaCompat; readonly preset?: string | null | undefined },
): GqaSettings[] {
  const { defaults = {}, experiments = [] } = Array.isArray(spec)
    ? { experiments: spec }
    : (spec as { defaults?: unknown; experiments?: readonly unknown[] });
  return experiments.map((entry) => originalExperiment(entry, { defaults, compat, preset }));
}

/** One experiment of a spec. */
export function originalExperiment(
  entry: unknown,
  {
    defaults,
    compat,
    preset,
  }: {
    readonly defaults: unknown;
    readonly compat: GqaCompat;
    readonly preset?: string | null | undefined;
  },
): GqaSettings {
  if (!isMapping(entry)) fail('ValueError', 'an experiment is not a mapping');
  const shared = { ...(defaults as Partial<GqaSettings> | null) };
  const given = { ...(entry as Partial<GqaSettings>), ...(preset && { preset }) };
  const name = 'preset' in given ? given.preset : shared.preset;
  const merged = { ...shared, ...(name ? presetOf(name) : {}), ...given };
  const layers: unknown = merged.embedding_layers ?? [];
  for (const key of Object.keys(merged)) {
    if (!originalNames(compat).includes(key)) fail('TypeError', `\`${key}\` is not a setting`);
  }
  if (!('name' in merged && 'model' in merged)) {
    fail('TypeError', 'an experiment has no `name` or no `model`');
  }
  return {
    ...originalSettings,
    ...merged,
    embedding_layers: typeof layers === 'string' ? [layers] : (layers as readonly string[]),
  };
}

const ownSettings: readonly GqaSetting[] = ['dataset', 'data', 'image_root'];

function originalNames(compat: GqaCompat): readonly string[] {
  return settingNames.filter(
    (name) => !ownSettings.includes(name) && (name !== 'cache_max_size_gb' || compat === '48bab23'),
  );
}

function presetOf(name: string): Partial<GqaSettings> {
  if (!Object.hasOwn(builtInPresets, name)) fail('ValueError', `unknown preset \`${name}\``);
  return builtInPresets[name]?.settings ?? {};
}
