import { hintForName } from '../base/nearest-name.ts';
import { UsageError } from '../base/usage-error.ts';

/** The entries of a config with these names, in the order of the names. */
export function chooseNamed<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  names: readonly string[] | undefined,
  kind: 'model' | 'dataset',
): readonly Entry[] {
  if (entries.length === 0) {
    throw new UsageError('usage.nothing_to_run', `The config has no ${kind}`, {
      hint: `Add one under \`${kind}s\`.`,
    });
  }
  if (names?.length === 0) {
    throw new UsageError('usage.nothing_to_run', `No ${kind} is selected`, {
      hint: `Leave \`${kind}s\` out to use all of them.`,
    });
  }
  return names?.map((name) => findNamed(entries, name, kind)) ?? entries;
}

function findNamed<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  name: string,
  kind: 'model' | 'dataset',
): Entry {
  const found = entries.find(({ abbr }) => abbr === name);
  if (found) return found;
  throw new UsageError('usage.unknown_name', `Unknown ${kind} \`${name}\``, {
    hint: hintForName(name, {
      names: entries.map(({ abbr }) => abbr),
      kind: kind === 'model' ? 'Models' : 'Datasets',
    }),
  });
}
