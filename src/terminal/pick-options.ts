import type { OptionNames } from '../config/check-option-names.ts';

/** Those of some values that are options. */
export function pickOptions<Values extends object, Options>(
  values: Values,
  known: OptionNames<Options>,
): Pick<Values, keyof Values & keyof Options> {
  const entries = Object.entries(values).filter(([name]) => Object.hasOwn(known, name));
  return Object.fromEntries(entries) as Pick<Values, keyof Values & keyof Options>;
}
