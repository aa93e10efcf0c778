import { hintForName } from '../base/nearest-name.ts';

/** The version of tasks that have but one, or whose first has no name of its own. */
export const firstVersion = '0.0';

/**
 * The version that stands for a wanted one where a task lacks it: the longest among its versions
 * that the wanted name contains (`0.1` for `0.1.2`). Nothing if none does; `0.0` stands for itself.
 */
export function standIn(wanted: string, versions: readonly string[]): string | undefined {
  if (wanted === firstVersion) return versions.find((version) => version === firstVersion);
  const fitting = versions.filter(
    (version) => version !== firstVersion && `-${wanted}`.includes(`-${version}`),
  );
  return fitting.toSorted((left, right) => right.length - left.length)[0];
}

/** What to use in place of a version that a task lacks. */
export function hintForVersion(wanted: string, versions: readonly string[]): string {
  const other = standIn(wanted, versions);
  if (other === undefined) return hintForName(wanted, { names: versions, kind: 'Templates' });
  return `\`${other}\` stands in for it. Templates: ${versions.join(', ')}.`;
}
