import { fail } from '../../python/compat-error.ts';
import { spendItems } from './budget.ts';
import { classes, type Value } from './library.ts';
import { itemsOf } from './methods.ts';
import { calculate, compare, equals } from './operators.ts';
import { joinTexts } from './text.ts';
import {
  asString,
  characters,
  getItem,
  isText,
  iterate,
  missing,
  none,
  type Operation,
  optionalInteger,
  Sequence,
  takes,
  text,
  toText,
  toValue,
  truthy,
} from './values.ts';

type Given = Value | undefined;
type Getter = (item: Value) => Value;

/** Reads `'a.b.0'` of an item; without a path, the item itself. */
export function attributeGetter(path: Given, fallback: Given = missing): Getter {
  if (path === undefined || path.type === 'NullValue') return (item) => item;
  const keys = toText(path)
    .value.split('.')
    .map((key) => toValue(/^\d+$/.test(key) ? Number(key) : key));
  return (item) => keys.reduce((value, key) => getItem(value, key) ?? fallback, item);
}

/** Sorting and comparing ignores case unless told otherwise. */
function sortKey(path: Given, caseSensitive: Given): Getter {
  const read = attributeGetter(path);
  return (item) => {
    const value = read(item);
    return isText(value) && !truthy(caseSensitive) ? text(value.value.toLowerCase()) : value;
  };
}

function sorted(items: readonly Value[], { key, reverse }: { key: Getter; reverse: Given }) {
  const sign = truthy(reverse) ? -1 : 1;
  return items.toSorted((left, right) => sign * compare(key(left), key(right)));
}

function extreme(sign: 1 | -1): Operation {
  return takes(['case_sensitive?', 'attribute?'], (self, [caseSensitive, attribute]) => {
    const key = sortKey(attribute, caseSensitive);
    const better = (best: Value, item: Value) => sign * compare(key(item), key(best)) > 0;
    const [first = missing, ...rest] = iterate(self);
    return rest.reduce((best, item) => (better(best, item) ? item : best), first);
  });
}

const dictSort = takes(
  ['case_sensitive?', 'by?', 'reverse?'],
  (self, [caseSensitive, by = text('key'), reverse]) => {
    const position = ['key', 'value'].indexOf(asString(by));
    if (position < 0) fail('ValueError', "dictsort can sort by 'key' or by 'value'");
    return sorted(itemsOf(self), { key: sortKey(toValue(position), caseSensitive), reverse });
  },
);

const unique = takes(['case_sensitive?', 'attribute?'], (self, [caseSensitive, attribute]) => {
  const key = sortKey(attribute, caseSensitive);
  const items = iterate(self);
  const keys = items.map(key);
  const kept = items.filter(
    (_, index) => keys.findIndex((other) => equals(other, keys[index] ?? none)) === index,
  );
  return new Sequence('generator', kept);
});

const batch = takes(['linecount', 'fill_with?'], (self, [lineCount, filler = none]) => {
  const size = optionalInteger(lineCount) ?? fail('TypeError', 'batch needs the size of a batch');
  const items = iterate(self);
  const rows: Value[] = [];
  // In Python a batch of none comes first and one of all items follows.
  if (size === 0 && items.length > 0) rows.push(new classes.List([]));
  const step = size > 0 ? size : Math.max(1, items.length);
  for (let start = 0; start < items.length; start += step) {
    const row = items.slice(start, start + step);
    const room = filler === none ? 0 : Math.max(0, size - row.length);
    spendItems(row.length + room);
    rows.push(new classes.List([...row, ...Array.from({ length: room }, () => filler)]));
  }
  return new Sequence('generator', rows);
});

const reverse = takes([], (self) =>
  isText(self)
    ? joinTexts(characters(self).toReversed())
    : new Sequence('generator', iterate(self).toReversed()),
);

const join = takes(['d?', 'attribute?'], (self, [separator = text(''), attribute]) =>
  joinTexts(iterate(self).map(attributeGetter(attribute)).map(toText), toText(separator)),
);

const sort = takes(
  ['reverse?', 'case_sensitive?', 'attribute?'],
  (self, [isReversed, caseSensitive, attribute]) =>
    sorted(iterate(self), { key: sortKey(attribute, caseSensitive), reverse: isReversed }),
);

const sum = takes(['attribute?', 'start?'], (self, [attribute, start = toValue(0)]) =>
  iterate(self)
    .map(attributeGetter(attribute))
    .reduce((total, item) => calculate('+', total, item), start),
);

/** Filters that work on several items. */
export const listFilters: readonly (readonly [string, Operation])[] = [
  ['batch', batch],
  ['dictsort', dictSort],
  ['first', takes([], (self) => iterate(self)[0])],
  [
    'items',
    takes([], (self) => {
      const isNothing = self.type === 'UndefinedValue';
      return new Sequence('generator', isNothing ? [] : itemsOf(self));
    }),
  ],
  ['join', join],
  ['last', takes([], (self) => iterate(self).at(-1))],
  [
    'list',
    takes([], (self) => {
      const items = iterate(self);
      spendItems(items.length);
      return [...items];
    }),
  ],
  ['max', extreme(1)],
  ['min', extreme(-1)],
  ['reverse', reverse],
  ['sort', sort],
  ['sum', sum],
  ['unique', unique],
];
