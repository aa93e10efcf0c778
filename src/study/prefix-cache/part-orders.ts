import { PrefixCache, type PrefixCacheSettings } from './prefix-cache.ts';
import { instructions, type PartedPrompt } from './prompt-parts.ts';

/** An order of a template's parts, and what it shares. */
export interface PartOrder {
  readonly names: readonly string[];
  readonly tokens: number;
  readonly saved: number;
}

/** What other orders of a template's parts would share. */
export interface PartOrders {
  readonly prompts: number;
  readonly written: PartOrder;
  /** The others, those that save the most first; of equal ones, the nearest to what is written. */
  readonly others: readonly PartOrder[];
}

/** With more parts than this not every order is tried. */
const mostPermuted = 5;
const mostOthers = 5;

/** Tries a template's parts in other orders; nothing where the prompts have not all the same parts, or only one. */
export function comparePartOrders(
  prompts: readonly PartedPrompt[],
  settings: PrefixCacheSettings = {},
): PartOrders | undefined {
  const names = prompts[0]?.parts.map(({ name }) => name) ?? [];
  const alike = prompts.every(
    ({ parts }) =>
      parts.length === names.length && parts.every(({ name }, index) => name === names[index]),
  );
  if (!alike || names.length < 2) return undefined;
  const own = names.map((_, index) => index);
  const measure = (order: readonly number[]): PartOrder => {
    const cache = new PrefixCache(settings);
    for (const { parts, end } of prompts) {
      cache.send({ tokens: concat([...order.map((index) => parts[index]?.tokens), end]) });
    }
    const { tokens, saved } = cache.savings;
    return { names: order.map((index) => names[index] ?? ''), tokens, saved };
  };
  const orders = ordersToTry(own, { prompts, names });
  const others = orders
    .map((order) => ({ measured: measure(order), moved: inversions(order) }))
    .sort((one, other) => other.measured.saved - one.measured.saved || one.moved - other.moved);
  return {
    prompts: prompts.length,
    written: measure(own),
    others: others.slice(0, mostOthers).map(({ measured }) => measured),
  };
}

function ordersToTry(
  own: readonly number[],
  {
    prompts,
    names,
  }: { readonly prompts: readonly PartedPrompt[]; readonly names: readonly string[] },
): readonly (readonly number[])[] {
  if (own.length <= mostPermuted) return permutations(own).slice(1);
  const distinct = own.map(
    (index) => new Set(prompts.map(({ parts }) => String(parts[index]?.tokens))).size,
  );
  const byVariety = own.toSorted((one, other) => (distinct[one] ?? 0) - (distinct[other] ?? 0));
  const isText = (index: number) => names[index] === instructions;
  const textFirst = [...own.filter(isText), ...own.filter((index) => !isText(index))];
  return [byVariety, textFirst].filter((order) => inversions(order) > 0);
}

/** All orders, the given one first. */
function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  );
}

/** How many pairs stand the other way round. */
function inversions(order: readonly number[]): number {
  return order.reduce(
    (sum, item, index) => sum + order.slice(index + 1).filter((later) => later < item).length,
    0,
  );
}

function concat(arrays: readonly (Uint32Array | undefined)[]): Uint32Array {
  const all = new Uint32Array(arrays.reduce((sum, one) => sum + (one?.length ?? 0), 0));
  let end = 0;
  for (const one of arrays) {
    if (!one) continue;
    all.set(one, end);
    end += one.length;
  }
  return all;
}
