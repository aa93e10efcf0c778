/**
 * What one rendering may do. Chat templates come with models, so that they may be hostile. These
 * bounds lie far above what a conversation needs and below what a machine notices; they grow with
 * the conversation. Rendering never waits, so that one budget at a time is enough.
 */
const limits = { work: 1e8, characters: 2 ** 24, items: 2 ** 19 };
/** How much more each character of the conversation allows. */
const growth = { work: 4000, characters: 64, items: 16 };

const left = { ...limits };
const given = { ...limits };

/** A template asked for more than a rendering may do. */
export class BudgetFailure extends Error {}

/** Begins a rendering of so many characters of messages and variables. */
export function startBudget(characters: number): void {
  for (const key of ['work', 'characters', 'items'] as const) {
    given[key] = limits[key] + growth[key] * characters;
    left[key] = given[key];
  }
}

/** One evaluated expression or statement, in units of work. */
export const stepWork = 500;

/** Counts work, of which a unit is about what reading a character takes. */
export function spendWork(units: number): void {
  left.work -= units;
  if (left.work < 0) {
    const steps = Math.round(given.work / stepWork).toLocaleString('en');
    throw new BudgetFailure(`it does more than the ${steps} steps that a rendering may take`);
  }
}

/** Counts the work of looking for a text in another. */
export function spendSearch(text: string, wanted: string): void {
  spendWork(text.length * (1 + wanted.length / 16));
}

/** Counts characters before a text of them is made. */
export function spendCharacters(count: number): void {
  if (count > left.characters) refuse('characters', 'text', count);
  left.characters -= count;
}

/** Counts items before a list of them is made. */
export function spendItems(count: number): void {
  if (count > left.items) refuse('items', 'lists', count);
  left.items -= count;
}

function refuse(kind: 'characters' | 'items', what: 'text' | 'lists', count: number): never {
  const most = given[kind].toLocaleString('en');
  const one = count > given[kind] ? `, and this alone would be ${count.toLocaleString('en')}` : '';
  throw new BudgetFailure(
    `it makes more ${what} than a rendering may: at most ${most} ${kind}${one}`,
  );
}
