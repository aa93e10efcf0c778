import { dirname, join } from 'node:path';
import { hintForName } from '../../../base/nearest-name.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { ConfigError, TypecaseError } from '../../../errors.ts';
import type { GqaCompat } from '../compat.ts';
import { type FamilyOptions, givenSettings } from '../family-options.ts';
import { checkSettings } from './check-settings.ts';
import { originalExperiments, originalFlags, withoutUsual } from './experiment2-settings.ts';
import { type LoadedSpec, loadSpec } from './load-spec.ts';
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts';
import type { GqaSetting, GqaSettings } from './settings.ts';
import { type GqaSpec, readSpec } from './spec.ts';

/** What is to be done, with all settings. */
export interface Experiment extends ResolvedSettings {
  /** Does something, and says where in the spec an error comes from. */
  placing<Result>(step: () => Promise<Result>): Promise<Result>;
}

/** The experiments that the command line asks for: those of a spec, or one without. */
export async function openExperiments(
  options: FamilyOptions,
  given: Partial<GqaSettings> = {},
): Promise<Experiment[]> {
  const flags = { ...givenSettings(options), ...given };
  if (!options.compat) checkFlags(flags);
  const file = options.spec ?? options.specs;
  if (file === undefined) {
    if (options.experiment !== undefined) {
      throw new UsageError('gqa.unknown_experiment', '`--experiment` chooses one of a spec', {
        hint: 'Add `--spec FILE`, or name the experiment with `--experiment-name`.',
      });
    }
    const resolved = options.compat
      ? { settings: originalFlags(flags), paths: new Map() }
      : resolveSettings({ flags });
    return [{ ...resolved, placing: (step) => step() }];
  }
  const loaded = await loadSpec(file);
  const placing: Experiment['placing'] = (step) => locate(loaded, step);
  const all = await placing(async () =>
    options.compat
      ? originalOnes(loaded, { flags, compat: options.compat })
      : resolvedOnes(loaded, flags),
  );
  return choose(all, options.experiment).map((resolved) => ({
    ...withPaths(resolved, loaded.file),
    placing,
  }));
}

/** Values of flags are checked like those of a spec, but stand in no file. */
function checkFlags(flags: Partial<GqaSettings>): void {
  try {
    checkSettings(flags, { path: [] });
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    throw new UsageError(error.code, error.message, { hint: error.hint });
  }
}

function resolvedOnes(loaded: LoadedSpec, flags: Partial<GqaSettings>): ResolvedSettings[] {
  const spec = readSpec(loaded.value);
  refuseSameNames(spec);
  return spec.experiments.map((experiment) => resolveSettings({ flags, spec, experiment }));
}

/** Files and lines of logs are told apart by the names of experiments. */
function refuseSameNames({ experiments }: GqaSpec): void {
  const names = new Set<unknown>();
  for (const { path, settings } of experiments) {
    if (names.has(settings.name)) {
      throw new ConfigError(
        'gqa.duplicate_experiment',
        `Two experiments are called \`${settings.name}\``,
        { path: [...path, 'name'], hint: 'Give each a different name.' },
      );
    }
    names.add(settings.name);
  }
}

function originalOnes(
  loaded: LoadedSpec,
  { flags, compat }: { readonly flags: Partial<GqaSettings>; readonly compat: GqaCompat },
): ResolvedSettings[] {
  const { preset, ...others } = flags;
  return originalExperiments(loaded.value, { compat, preset }).map((settings) => ({
    settings: { ...settings, ...withoutUsual(others) },
    paths: new Map(),
  }));
}

function choose(all: readonly ResolvedSettings[], wanted: string | undefined): ResolvedSettings[] {
  const names = all.map(({ settings }) => settings.name ?? '');
  const chosen = all.filter((_, index) => wanted === undefined || names[index] === wanted);
  if (chosen.length > 0) return chosen;
  throw new UsageError(
    'gqa.unknown_experiment',
    wanted === undefined ? 'The spec has no experiments' : `Unknown experiment \`${wanted}\``,
    { hint: hintForName(wanted ?? '', { names, kind: 'Experiments' }) },
  );
}

const pathSettings = ['data', 'image_root'] as const satisfies readonly GqaSetting[];

/** Paths of a spec are relative to it. */
function withPaths({ settings, paths }: ResolvedSettings, file: string): ResolvedSettings {
  const moved = pathSettings.map((key) => {
    const value = settings[key];
    const isPath = value !== null && paths.has(key) && !/^[a-z]+:\/\//i.test(value);
    return [key, isPath ? join(dirname(file), value) : value];
  });
  return { settings: { ...settings, ...Object.fromEntries(moved) }, paths };
}

async function locate<Result>(loaded: LoadedSpec, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw loaded.locate(error);
  }
}
