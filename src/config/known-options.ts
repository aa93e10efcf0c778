import { nearestName } from '../base/nearest-name.ts';
import { UsageError } from '../base/usage-error.ts';

/** The names that options have; the type sees to it that none is forgotten. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Refuses options of other names: nobody would heed them. */
export function checkOptionNames<Options>(options: object, known: OptionNames<Options>): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const near = nearestName(name.replaceAll(/[_-]/g, ''), names);
    throw new UsageError('usage.no_such_option', `Unknown option \`${name}\``, {
      hint: near ? `Did you mean \`${near}\`?` : `Options: ${names.join(', ')}.`,
    });
  }
}

/** Those of some values that are options. */
export function pickOptions<Values extends object, Options>(
  values: Values,
  known: OptionNames<Options>,
): Pick<Values, keyof Values & keyof Options> {
  const entries = Object.entries(values).filter(([name]) => Object.hasOwn(known, name));
  return Object.fromEntries(entries) as Pick<Values, keyof Values & keyof Options>;
}
