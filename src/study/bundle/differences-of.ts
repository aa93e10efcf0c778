import { joinKeys, listChanges } from '../compare/list-changes.ts';

/** A value that is said, and what it ought to be, as texts. */
export interface SaidOtherwise {
  readonly path: string;
  readonly a: string;
  readonly b: string;
}

/** Where what is said differs from what it ought to be, by path. */
export function differencesOf(said: unknown, due: unknown): SaidOtherwise[] {
  const changes = listChanges(rounded(said), rounded(due), { pathOf: joinKeys });
  return changes.map(({ path, a = 'nothing', b = 'nothing' }) => ({ path, a, b }));
}

const digits = 12;

/** As JSON has it; sums in another order may differ in the last digit. */
function rounded(value: unknown): unknown {
  const text = JSON.stringify(value, (_, item) =>
    typeof item === 'number' ? Number(item.toPrecision(digits)) : item,
  );
  return text === undefined ? undefined : JSON.parse(text);
}
