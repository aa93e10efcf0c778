import type { LeftOut, Pairing } from './comparison.ts';
import type { LoggedRows, Trouble } from './logged-rows.ts';

/** A row of A and the same row in B. */
export interface RowPair {
  readonly a: number;
  readonly b: number;
}

export interface PairedRows {
  readonly pairing: Pairing;
  readonly scored: readonly RowPair[];
  /** In both runs, but without a score on one side or both. */
  readonly unscored: readonly RowPair[];
  readonly leftOut: readonly LeftOut[];
}

interface PairSettings {
  readonly a: LoggedRows;
  readonly b: LoggedRows;
  /** Whether the runs read the same data files, so that a number means the same row. */
  readonly isSameData: boolean;
  /** Pairs rows of other harnesses, by what they ask about. */
  readonly texts?: PairTexts | undefined;
}

/** What the texts of rows say of them. */
export interface PairTexts {
  readonly pair: (rest: Rest) => TextPairs;
  /** Whether prompts read the same; nothing where one is not known. */
  readonly isAskedAs: (pair: RowPair) => boolean | undefined;
}

/** Rows that were paired by their texts, and those that are left. */
export interface TextPairs extends Rest {
  readonly pairs: readonly RowPair[];
}

/**
 * Pairs rows that hold the same: first those with the same number, then, in case rows moved, the
 * rest; last those whose number, prompt and gold answer are the same, whatever other columns hold. A
 * row that the log says nothing of goes by its number, if numbers can be trusted.
 */
export function pairRows(settings: PairSettings): PairedRows {
  const { a, b } = settings;
  const { pairs, hasContent, restA, restB } = pairByNumber(settings);
  const { moved, ...rest } = pairByContent(settings, { restA, restB });
  const { asked, ...others } = pairByAsked(settings, rest);
  const texts = settings.texts?.pair(others) ?? { pairs: [], ...others };
  const { restA: missedA, restB: missedB } = texts;
  const later = [...moved, ...asked, ...texts.pairs];
  const all = later.length === 0 ? pairs : [...pairs, ...later].sort((x, y) => x.a - y.a);
  const lists = new Reasons();
  const scored = all.filter((pair) => a.isScored(pair.a) && b.isScored(pair.b));
  const unscored = all.filter((pair) => !a.isScored(pair.a) || !b.isScored(pair.b));
  for (const pair of unscored) lists.add(reasonOf(pair, settings), pair.a);
  for (const id of missedA) lists.add(whyMissed(id, settings), id);
  const said = new Set(missedA);
  for (const id of missedB) if (!said.has(id)) lists.add('only in B', id);
  return {
    pairing: {
      by: hasContent ? 'content' : 'number',
      rows: all.length,
      moved: moved.length,
      ...(asked.length > 0 && { otherColumns: asked.length }),
      ...(texts.pairs.length > 0 && { byText: texts.pairs.length }),
      unpaired: { a: missedA.length, b: missedB.length },
      ...promptsOf(all, settings),
      ...examplesOf(all, settings),
    },
    scored,
    unscored,
    leftOut: lists.list(),
  };
}

/** How prompts are sent is not what harnesses record: there, what they say counts. */
function isAskedAlike(pair: RowPair, { a, b, texts }: PairSettings): boolean {
  return texts?.isAskedAs(pair) ?? a.isAskedAs(pair.a, b, pair.b);
}

/** How prompts differ: later turns of dialogues hold what was answered before. */
function promptsOf(
  pairs: readonly RowPair[],
  settings: PairSettings,
): Pick<Pairing, 'otherPrompts' | 'otherHistories'> {
  const { a, b } = settings;
  const others = pairs.filter((pair) => !isAskedAlike(pair, settings));
  const told = new Set(others);
  const histories = pairs.filter(
    (pair) => !told.has(pair) && a.hasOtherHistory(pair.a, b, pair.b),
  ).length;
  return {
    otherPrompts: others.length,
    ...(histories > 0 && { otherHistories: histories }),
  };
}

/** How the examples of paired rows differ; an older log does not name them. */
function examplesOf(
  pairs: readonly RowPair[],
  { a, b }: PairSettings,
): Pick<Pairing, 'otherExamples' | 'dropped'> {
  const others = pairs.filter((pair) => a.examplesOf(pair.a) !== b.examplesOf(pair.b)).length;
  const isDropped = {
    a: (pair: RowPair) => a.isCut(pair.a),
    b: (pair: RowPair) => b.isCut(pair.b),
  };
  const dropped = {
    a: pairs.filter(isDropped.a).length,
    b: pairs.filter(isDropped.b).length,
  };
  return {
    ...(others > 0 && a.namesExamples && b.namesExamples && { otherExamples: others }),
    ...(dropped.a + dropped.b > 0 && { dropped }),
  };
}

interface NumberPairs {
  readonly pairs: RowPair[];
  readonly hasContent: boolean;
  readonly restA: readonly number[];
  readonly restB: readonly number[];
}

function pairByNumber({ a, b, isSameData }: PairSettings): NumberPairs {
  let agreeing = 0;
  let differing = 0;
  for (const id of a.ids()) {
    const content = a.contentOf(id);
    const other = b.contentOf(id);
    if (content === undefined || other === undefined) continue;
    if (content === other) agreeing += 1;
    else differing += 1;
  }
  const areNumbersSafe = isSameData || (agreeing > 0 && differing === 0);
  const pairs: RowPair[] = [];
  const restA: number[] = [];
  for (const id of a.ids()) {
    const content = a.contentOf(id);
    const other = b.contentOf(id);
    const isUnknown = content === undefined || other === undefined;
    const isSame = isUnknown ? areNumbersSafe : content === other;
    if (b.has(id) && isSame) pairs.push({ a: id, b: id });
    else restA.push(id);
  }
  const paired = new Set(pairs.map((pair) => pair.b));
  const restB = [...b.ids()].filter((id) => !paired.has(id));
  return { pairs, hasContent: agreeing + differing > 0, restA, restB };
}

export interface Rest {
  readonly restA: readonly number[];
  readonly restB: readonly number[];
}

/** Copies of a row pair in their order. */
function pairByContent({ a, b }: PairSettings, { restA, restB }: Rest) {
  const places = new Map<number, number[]>();
  for (const id of restB) {
    const content = b.contentOf(id);
    if (content === undefined) continue;
    const ids = places.get(content);
    if (ids) ids.push(id);
    else places.set(content, [id]);
  }
  const moved: RowPair[] = [];
  const missedA: number[] = [];
  const taken = new Set<number>();
  const next = new Map<number, number>();
  for (const id of restA) {
    const content = a.contentOf(id) ?? -1;
    const place = next.get(content) ?? 0;
    const other = places.get(content)?.[place];
    if (other === undefined) {
      missedA.push(id);
      continue;
    }
    next.set(content, place + 1);
    taken.add(other);
    moved.push({ a: id, b: other });
  }
  return { moved, restA: missedA, restB: restB.filter((id) => !taken.has(id)) };
}

/** Rows of one number that were asked the same, and have the same gold answer. */
function pairByAsked({ a, b }: PairSettings, { restA, restB }: Rest) {
  const left = new Set(restB);
  const asked: RowPair[] = [];
  const missedA: number[] = [];
  for (const id of restA) {
    const isKnown = a.contentOf(id) !== undefined && b.contentOf(id) !== undefined;
    const isAsked = a.isAsked(id) && a.isAskedAs(id, b, id);
    if (left.has(id) && isKnown && isAsked && a.goldOf(id) === b.goldOf(id)) {
      left.delete(id);
      asked.push({ a: id, b: id });
    } else missedA.push(id);
  }
  return { asked, restA: missedA, restB: [...left] };
}

/** Why rows are left out of which a log of an older version does not say what they hold. */
export const unknownContent = 'whose content an older log lacks';

function whyMissed(id: number, { a, b, texts }: PairSettings): string {
  if (!b.has(id)) return 'only in A';
  if (texts) return 'of A that ask about nothing that B asks about';
  const isKnown = a.contentOf(id) !== undefined && b.contentOf(id) !== undefined;
  return isKnown ? 'with different content, prompt or gold answer in B' : unknownContent;
}

/** `unscored in A (no answer found)`. */
function reasonOf({ a, b }: RowPair, rows: PairSettings): string {
  const inA = rows.a.troubleOf(a);
  const inB = rows.b.troubleOf(b);
  if (inA && inB && inA.outcome === inB.outcome && inA.reason === inB.reason) {
    return describe(inA, 'A and B');
  }
  return [...(inA ? [describe(inA, 'A')] : []), ...(inB ? [describe(inB, 'B')] : [])].join(', ');
}

function describe({ outcome, reason }: Trouble, sides: string): string {
  return `${outcome} in ${sides} (${reason})`;
}

const listedIds = 20;

/** Counts rows by reason and remembers the first of each. */
class Reasons {
  readonly #reasons = new Map<string, { rows: number; ids: number[] }>();

  add(reason: string, id: number): void {
    const known = this.#reasons.get(reason) ?? { rows: 0, ids: [] };
    known.rows += 1;
    if (known.ids.length < listedIds) known.ids.push(id);
    this.#reasons.set(reason, known);
  }

  list(): LeftOut[] {
    return [...this.#reasons]
      .map(([reason, { rows, ids }]) => ({ reason, rows, ids }))
      .sort((x, y) => y.rows - x.rows);
  }
}
