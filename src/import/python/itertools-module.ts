import { PyTuple, type PyValue } from '../../python/values.ts';
import { binary } from './arithmetic.ts';
import { spendItems, spendSteps } from './machine.ts';
import { type Arguments, PyClass, PyIterator, PyModule } from './objects.ts';
import { iterate, toIndex, toList } from './operations.ts';
import { bind, builtin, functionsOf } from './signature.ts';

function* product(pools: readonly (readonly PyValue[])[], row: PyValue[] = []): Generator<PyValue> {
  const [pool, ...rest] = pools;
  if (!pool) {
    spendSteps(1);
    spendItems(row.length);
    yield new PyTuple([...row]);
    return;
  }
  for (const item of pool) yield* product(rest, [...row, item]);
}

function* choose(
  items: readonly PyValue[],
  { count, isOrdered }: { count: number; isOrdered: boolean },
): Generator<PyValue> {
  function* from(start: number, picked: readonly number[]): Generator<PyValue> {
    spendSteps(1);
    if (picked.length === count) {
      spendItems(count);
      yield new PyTuple(picked.map((index) => items[index] ?? null));
      return;
    }
    for (let index = isOrdered ? 0 : start; index < items.length; index++) {
      if (isOrdered && picked.includes(index)) continue;
      yield* from(index + 1, [...picked, index]);
    }
  }
  yield* from(0, []);
}

function* chain(sources: Iterator<PyValue>): Generator<PyValue> {
  for (let source = sources.next(); !source.done; source = sources.next()) {
    const items = iterate(source.value);
    for (let next = items.next(); !next.done; next = items.next()) yield next.value;
  }
}

function* count(start: PyValue, step: PyValue): Generator<PyValue> {
  for (let value = start; ; value = binary('Add', value, step)) yield value;
}

function* repeat(value: PyValue, times: number): Generator<PyValue> {
  for (let done = 0; done < times; done++) yield value;
}

function* cycle(items: readonly PyValue[]): Generator<PyValue> {
  while (items.length > 0) yield* items;
}

function* slice(
  items: PyValue,
  { start, stop, step }: { start: number; stop: number; step: number },
): Generator<PyValue> {
  const source = iterate(items);
  for (let index = 0; index < stop; index++) {
    spendSteps(1);
    const next = source.next();
    if (next.done) return;
    if (index >= start && (index - start) % step === 0) yield next.value;
  }
}

const iterator = (name: string, source: Iterator<PyValue>) =>
  new PyIterator(`itertools.${name}`, source);
const iteratorClass = (
  name: string,
  make: (args: Arguments) => Iterator<PyValue>,
  attributes?: ReadonlyMap<string, PyValue>,
) =>
  new PyClass(name, (args) => iterator(name, make(args)), {
    module: 'itertools',
    ...(attributes && { attributes }),
  });

/** Python's `itertools`. */
export const itertoolsModule = new PyModule(
  'itertools',
  new Map<string, PyValue>(
    functionsOf(
      iteratorClass('product', ({ positional, named }) => {
        const pools = positional.map(toList);
        const times = toIndex(named.get('repeat') ?? 1);
        spendItems(pools.length * times);
        return product(Array.from({ length: times }, () => pools).flat());
      }),
      iteratorClass(
        'chain',
        ({ positional }) => chain(positional.values()),
        new Map<string, PyValue>([
          [
            'from_iterable',
            builtin('from_iterable', ['iterable'], (items) =>
              iterator('chain', chain(iterate(items ?? null))),
            ),
          ],
        ]),
      ),
      iteratorClass('count', (args) => {
        const [start, step] = bind('count()', ['start?', 'step?'], args);
        return count(start ?? 0, step ?? 1);
      }),
      iteratorClass('repeat', (args) => {
        const [value, times] = bind('repeat()', ['object', 'times?'], args);
        return repeat(value ?? null, times === undefined ? Infinity : toIndex(times));
      }),
      iteratorClass('cycle', (args) =>
        cycle(toList(bind('cycle()', ['iterable'], args)[0] ?? null)),
      ),
      iteratorClass('permutations', (args) => {
        const [items, size] = bind('permutations()', ['iterable', 'r?'], args);
        const list = toList(items ?? null);
        return choose(list, {
          count: size === undefined || size === null ? list.length : toIndex(size),
          isOrdered: true,
        });
      }),
      iteratorClass('combinations', (args) => {
        const [items, size] = bind('combinations()', ['iterable', 'r'], args);
        return choose(toList(items ?? null), { count: toIndex(size ?? null), isOrdered: false });
      }),
      iteratorClass('islice', (args) => {
        const [items, first, second, third] = bind(
          'islice()',
          ['iterable', 'start', 'stop?', 'step?'],
          args,
        );
        const bound = (value: PyValue | undefined, other: number) =>
          value === undefined || value === null ? other : toIndex(value);
        if (second === undefined)
          return slice(items ?? null, { start: 0, stop: bound(first, Infinity), step: 1 });
        return slice(items ?? null, {
          start: bound(first, 0),
          stop: bound(second, Infinity),
          step: bound(third, 1),
        });
      }),
    ),
  ),
);
