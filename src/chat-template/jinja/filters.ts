import { fail } from '../../python/compat-error.ts';
import type { Value } from './library.ts';
import { attributeGetter, listFilters } from './list-filters.ts';
import { findTest } from './tests.ts';
import { valueFilters } from './value-filters.ts';
import { asString, iterate, type Operation, Sequence, toValue, truthy } from './values.ts';

const map: Operation = (self, { positional, named }) => {
  const [name, ...rest] = positional;
  if (named.has('attribute')) {
    const read = attributeGetter(named.get('attribute'), named.get('default'));
    return new Sequence('generator', itemsIn(self).map(read));
  }
  if (name === undefined) return fail('TypeError', 'map needs a filter or an attribute');
  const filter =
    filters.get(asString(name)) ?? fail('TypeError', `unknown filter ${asString(name)}`);
  const args = { positional: rest, named };
  return new Sequence(
    'generator',
    itemsIn(self).map((item) => toValue(filter(item, args))),
  );
};

/** These filters take anything that is false for an empty list. */
function itemsIn(value: Value): readonly Value[] {
  return truthy(value) ? iterate(value) : [];
}

/** `select`, `reject` and, when they first read an attribute, `selectattr` and `rejectattr`. */
function choosing({ keep, byAttribute }: { keep: boolean; byAttribute: boolean }): Operation {
  return (self, { positional, named }) => {
    if (byAttribute && positional.length === 0)
      return fail('TypeError', 'an attribute is needed here');
    const read = attributeGetter(byAttribute ? positional[0] : undefined);
    const [name, ...rest] = positional.slice(byAttribute ? 1 : 0);
    const args = { positional: rest, named };
    const test: Operation = name === undefined ? truthy : findTest(asString(name));
    const items = itemsIn(self).filter((item) => test(read(item), args) === keep);
    return new Sequence('generator', items);
  };
}

/** What can follow `|`; tests can too, under names such as `is defined`. */
export const filters: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...listFilters,
  ...valueFilters,
  ['map', map],
  ['reject', choosing({ keep: false, byAttribute: false })],
  ['rejectattr', choosing({ keep: false, byAttribute: true })],
  ['select', choosing({ keep: true, byAttribute: false })],
  ['selectattr', choosing({ keep: true, byAttribute: true })],
]);
