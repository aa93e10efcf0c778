import type { Rest, RowPair, TextPairs } from '../pair-rows.ts';
import type { RowTexts, SideTexts } from './row-texts.ts';

interface Sides {
  readonly a: SideTexts;
  readonly b: SideTexts;
}

/**
 * Pairs rows that ask the same in the same words, those of one number first; then rows that share words which no other row of their side has, each the best partner of the other;
 * then rows of one number, where numbers mean the same on both sides. What stays over stays unpaired.
 */
export function pairByText(sides: Sides, { restA, restB }: Rest): TextPairs {
  const same = pairByPrompt(sides, { restA, restB });
  const others = withoutPairs({ restA, restB }, same);
  const found = [...same, ...pairByWords(sides, others)];
  const left = withoutPairs({ restA, restB }, found);
  const numbered = pairByNumber(sides, { rest: left, found });
  return { pairs: [...found, ...numbered], ...withoutPairs(left, numbered) };
}

/** Rows with one prompt and no other gold answer; copies pair in their order. */
function pairByPrompt({ a, b }: Sides, rest: Rest): RowPair[] {
  const ofB = new Set(rest.restB);
  const numbered = rest.restA.flatMap((id) => {
    const [left, right] = [a.rows.get(id), b.rows.get(id)];
    const isAsked = left?.prompt !== undefined && left.prompt === right?.prompt;
    const isOther =
      left?.gold !== undefined && right?.gold !== undefined && !haveSameGold(left, right);
    return ofB.has(id) && isAsked && !isOther ? [{ a: id, b: id }] : [];
  });
  const { restA, restB } = withoutPairs(rest, numbered);
  const places = new Map<string, number[]>();
  for (const id of restB) {
    const asked = askedIn(b, id);
    if (asked !== undefined) places.set(asked, [...(places.get(asked) ?? []), id]);
  }
  const moved = restA.flatMap((id) => {
    const other = places.get(askedIn(a, id) ?? '')?.shift();
    return other === undefined ? [] : [{ a: id, b: other }];
  });
  return [...numbered, ...moved];
}

function askedIn({ rows }: SideTexts, id: number): string | undefined {
  const { prompt, gold = '' } = rows.get(id) ?? {};
  return prompt === undefined ? undefined : `${prompt}\0${gold.trim()}`;
}

function withoutPairs({ restA, restB }: Rest, pairs: readonly RowPair[]): Rest {
  const [ofA, ofB] = [new Set(pairs.map(({ a }) => a)), new Set(pairs.map(({ b }) => b))];
  return {
    restA: restA.filter((id) => !ofA.has(id)),
    restB: restB.filter((id) => !ofB.has(id)),
  };
}

/** Questions stand at the end of a prompt, after instructions and examples. */
const longestTail = 2000;
const gramLength = 3;

/** Places of grams in a table; those that share one count as said by several rows. */
const tableSize = 2 ** 23;

/** The runs of three words, signs or characters of Chinese and Japanese at the end of a prompt, as numbers. */
function gramsOf({ prompt = '' }: Pick<RowTexts, 'prompt'>): Set<number> {
  const tail = prompt.slice(-longestTail).toLowerCase();
  const words = tail.match(word) ?? [];
  const padded = ['', ...words, ''];
  const grams = new Set<number>();
  for (let at = 0; at + gramLength <= padded.length; at += 1)
    grams.add(placeOf(padded.slice(at, at + gramLength).join(' ')));
  return grams;
}

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+|\S/gu;

function placeOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % tableSize;
}

const shared = -1;

/** By gram: the number plus one of the row of a side that alone has it, or that several have it. */
function ownersOf({ rows }: SideTexts): Int32Array {
  const owners = new Int32Array(tableSize);
  for (const [id, texts] of rows) {
    for (const place of gramsOf(texts)) owners[place] = owners[place] === 0 ? id + 1 : shared;
  }
  return owners;
}

interface Candidate {
  readonly id: number;
  readonly votes: number;
}

function pairByWords({ a, b }: Sides, { restA, restB }: Rest): RowPair[] {
  const [ofA, ofB] = [ownersOf(a), ownersOf(b)];
  const open = new Set(restB);
  const ownOf = (side: SideTexts, id: number, owners: Int32Array) =>
    [...gramsOf(side.rows.get(id) ?? {})].filter((place) => owners[place] === id + 1);
  const candidates = new Map<number, Candidate & { readonly own: number }>();
  const bestOfB = new Map<number, Candidate>();
  for (const id of restA) {
    const own = ownOf(a, id, ofA);
    const votes = new Map<number, number>();
    for (const place of own) {
      const other = (ofB[place] ?? 0) - 1;
      if (open.has(other)) votes.set(other, (votes.get(other) ?? 0) + 1);
    }
    const best = bestIn(votes);
    if (!best) continue;
    candidates.set(id, { ...best, own: own.length });
    const rival = bestOfB.get(best.id);
    if (!rival || best.votes > rival.votes) bestOfB.set(best.id, { id, votes: best.votes });
    else if (best.votes === rival.votes)
      bestOfB.set(best.id, { id: Number.NaN, votes: best.votes });
  }
  return [...candidates].flatMap(([id, { id: other, votes, own }]) => {
    if (bestOfB.get(other)?.id !== id) return [];
    const fewest = Math.min(own, ownOf(b, other, ofB).length);
    const least = haveSameGold(a.rows.get(id), b.rows.get(other)) ? 1 / 6 : 1 / 3;
    return votes >= fewest * least ? [{ a: id, b: other }] : [];
  });
}

/** The row with the most votes, if it is one alone. */
function bestIn(votes: ReadonlyMap<number, number>): Candidate | undefined {
  const [first, second] = [...votes].sort(([, one], [, other]) => other - one);
  return first && first[1] !== second?.[1] ? { id: first[0], votes: first[1] } : undefined;
}

function haveSameGold(a: RowTexts | undefined, b: RowTexts | undefined): boolean {
  return a?.gold !== undefined && a.gold.trim() === b?.gold?.trim();
}

interface NumberRest {
  readonly rest: Rest;
  readonly found: readonly RowPair[];
}

/**
 * Numbers count where rows that pair by their words have the same ones; or, if a side records no prompts,
 * where the gold answers of all rows agree.
 */
function pairByNumber({ a, b }: Sides, { rest, found }: NumberRest): RowPair[] {
  const ofB = new Set(rest.restB);
  const same = rest.restA.filter((id) => ofB.has(id));
  const isAgreed = (id: number) => haveSameGold(a.rows.get(id), b.rows.get(id));
  const agreed = same.filter(isAgreed);
  const golds = new Set(agreed.map((id) => a.rows.get(id)?.gold));
  const byGold = found.length === 0 && agreed.length === same.length && golds.size > 1;
  const byWords = found.length > 0 && found.every((pair) => pair.a === pair.b);
  const isBlind = (id: number) =>
    a.rows.get(id)?.prompt === undefined || b.rows.get(id)?.prompt === undefined;
  return agreed.filter((id) => byWords || (byGold && isBlind(id))).map((id) => ({ a: id, b: id }));
}
