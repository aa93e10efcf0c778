import { keyedRandom, type Random, sampleWithoutReplacement } from '../base/keyed-random.ts';
import { formatValue } from '../prompt/values.ts';
import type { Choices, Pool } from './pool.ts';
import type { Retriever } from './retriever.ts';

export interface DrawSettings {
  readonly pool: Pool;
  readonly count: number;
  readonly seed: number;
}

/**
 * Examples drawn for each row from its id and the seed alone, so that the draw does not change
 * with the order, the number or the choice of rows. A row is never its own example.
 */
export function randomRetriever({ pool, count, seed }: DrawSettings): Retriever {
  pool.require(count);
  return (query) => {
    const { members, own } = pool.choicesFor(query, count);
    const drawn = sampleWithoutReplacement(
      keyedRandom(seed, query.id),
      members.length,
      count + own.length,
    );
    return drawn
      .map((index) => members[index] as number)
      .filter((index) => !own.includes(index))
      .slice(0, count);
  };
}

/** Members by the value of the output column, with the values in the order of the pool. */
type Classes = readonly (readonly number[])[];

/**
 * Examples spread as evenly as possible over the values of the output column, drawn for each row
 * from its id and the seed alone, in an order that is drawn as well.
 */
export function balancedRetriever(
  { pool, count, seed }: DrawSettings,
  outputColumn: string,
): Retriever {
  pool.require(count);
  const known = new Map<number, Classes>();
  return (query) => {
    const choices = pool.choicesFor(query, count);
    const all = known.get(choices.group) ?? classesOf(pool, choices, outputColumn);
    known.set(choices.group, all);
    const classes = choices.own.length === 0 ? all : without(all, choices.own);
    return draw(classes, count, keyedRandom(seed, query.id));
  };
}

function classesOf({ rows }: Pool, { members }: Choices, column: string): Classes {
  const classes = new Map<string, number[]>();
  for (const index of members) {
    const value = formatValue(rows[index]?.row[column]);
    const known = classes.get(value);
    if (known) known.push(index);
    else classes.set(value, [index]);
  }
  return [...classes.values()];
}

function without(classes: Classes, own: readonly number[]): Classes {
  return classes
    .map((members) => members.filter((index) => !own.includes(index)))
    .filter((members) => members.length > 0);
}

function draw(classes: Classes, count: number, random: Random): number[] {
  const order = sampleWithoutReplacement(random, classes.length, classes.length);
  const drawnClasses = order.map((index) => classes[index] ?? []);
  const shares = shareOut(drawnClasses, count);
  const drawn = drawnClasses.flatMap((members, index) =>
    sampleWithoutReplacement(random, members.length, shares[index] ?? 0).map(
      (member) => members[member] as number,
    ),
  );
  return sampleWithoutReplacement(random, count, count).map((index) => drawn[index] as number);
}

/** How many examples each class gives: one in turn, as long as it has any left. */
function shareOut(classes: Classes, count: number): number[] {
  const shares = classes.map(() => 0);
  for (let given = 0, turn = 0; given < count; turn = (turn + 1) % classes.length) {
    const share = shares[turn] ?? 0;
    if (share >= (classes[turn]?.length ?? 0)) continue;
    shares[turn] = share + 1;
    given += 1;
  }
  return shares;
}
