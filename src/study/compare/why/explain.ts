import type { RowPlace, Why, WhyCause, WhyPart } from '../comparison.ts';
import type { LoggedRows } from '../logged-rows.ts';
import type { RowPair } from '../pair-rows.ts';
import { promptDifferences } from './prompt-places.ts';
import type { RowTexts, SideTexts } from './row-texts.ts';

/** What one side says, in scores and in texts. */
export interface ExplainedSide {
  readonly rows: LoggedRows;
  readonly texts: SideTexts;
}

/** What the answer of a row comes to by the scoring of the other side. */
export interface OtherScore {
  readonly score: number;
  readonly extracted?: string | undefined;
}

/** Answers of one side scored as the other side scores. */
export interface OtherScoring {
  /** Whose answers these are. */
  readonly of: 'a' | 'b';
  /** By the number of the row in A. */
  readonly scores: ReadonlyMap<number, OtherScore>;
}

export interface ExplainedRows {
  readonly a: ExplainedSide;
  readonly b: ExplainedSide;
  readonly scored: readonly RowPair[];
  readonly unscored: readonly RowPair[];
  readonly other?: OtherScoring | undefined;
}

/** The way from the score of A to that of B; the parts add up to the difference. */
export function explain(explained: ExplainedRows): Omit<Why, 'notes'> | undefined {
  const { a, b, scored, unscored } = explained;
  const pairs = [...scored, ...unscored];
  const all = { a: scoredIds(a.rows), b: scoredIds(b.rows) };
  if (all.a.length === 0 || all.b.length === 0 || scored.length === 0) return undefined;
  const means = { a: meanOf(a.rows, all.a), b: meanOf(b.rows, all.b) };
  const moves = scored.flatMap((pair) => movesOf(pair, explained));
  return {
    ...means,
    difference: means.b - means.a,
    parts: [
      ...rowParts(explained, all),
      ...order.flatMap((cause) => partOf(cause, { moves, pairs: scored.length }) ?? []),
    ],
    prompts: promptDifferences(
      pairs.map((pair) => ({
        row: pair,
        a: a.texts.rows.get(pair.a)?.prompt,
        b: b.texts.rows.get(pair.b)?.prompt,
      })),
    ),
    differing: countDiffering(explained, pairs),
  };
}

function scoredIds(rows: LoggedRows): number[] {
  return [...rows.ids()].filter((id) => rows.isScored(id));
}

function meanOf(rows: LoggedRows, ids: readonly number[]): number {
  return ids.reduce((sum, id) => sum + rows.scoreOf(id), 0) / ids.length;
}

const listedRows = 5;

/** Rows that count on one side alone: what leaving them out of it changes. */
function rowParts(
  { a, b, scored, unscored }: ExplainedRows,
  all: { readonly a: readonly number[]; readonly b: readonly number[] },
): WhyPart[] {
  const stepsOf = (side: 'a' | 'b', { rows }: ExplainedSide) => {
    const common = new Set(scored.map((pair) => pair[side]));
    const partners = new Set([...common, ...unscored.map((pair) => pair[side])]);
    const paired = all[side].filter((id) => partners.has(id));
    const [whole, ofPaired, ofCommon] = [all[side], paired, [...common]].map((ids) =>
      meanOf(rows, ids),
    ) as [number, number, number];
    return {
      rows: { points: ofPaired - whole, ids: all[side].filter((id) => !partners.has(id)) },
      unscored: { points: ofCommon - ofPaired, ids: paired.filter((id) => !common.has(id)) },
    };
  };
  const [ofA, ofB] = [stepsOf('a', a), stepsOf('b', b)];
  return (['rows', 'unscored'] as const).flatMap((cause) => {
    const [left, right] = [ofA[cause], ofB[cause]];
    if (left.ids.length + right.ids.length === 0) return [];
    return {
      cause,
      points: left.points - right.points,
      rows: left.ids.length + right.ids.length,
      sides: { a: left.ids.length, b: right.ids.length },
      first: [...left.ids.map((id) => ({ a: id })), ...right.ids.map((id) => ({ b: id }))].slice(
        0,
        listedRows,
      ),
    };
  });
}

/** What changed the score of a row, and by how much. */
interface Move {
  readonly cause: WhyCause;
  readonly change: number;
  readonly row: RowPlace;
}

const order: readonly WhyCause[] = [
  'prompts',
  'answers',
  'answers_unknown_prompts',
  'extraction',
  'gold',
  'metric',
  'scoring',
];

function partOf(
  cause: WhyCause,
  { moves, pairs }: { readonly moves: readonly Move[]; readonly pairs: number },
): WhyPart | undefined {
  const own = moves.filter((move) => move.cause === cause && move.change !== 0);
  if (own.length === 0) return undefined;
  return {
    cause,
    points: own.reduce((sum, { change }) => sum + change, 0) / pairs,
    rows: own.length,
    sides: {
      a: own.filter(({ change }) => change < 0).length,
      b: own.filter(({ change }) => change > 0).length,
    },
    first: own.slice(0, listedRows).map(({ row }) => row),
  };
}

/** A pair moves by its answers, by its scoring, or by both where one side's answers were scored as the other's. */
function movesOf(pair: RowPair, { a, b, other }: ExplainedRows): Move[] {
  const [left, right] = [a.texts.rows.get(pair.a), b.texts.rows.get(pair.b)];
  const change = b.rows.scoreOf(pair.b) - a.rows.scoreOf(pair.a);
  if (!left || !right) return [{ cause: 'answers_unknown_prompts', change, row: pair }];
  if (isSame(left.answer, right.answer))
    return [{ cause: scoringCause(left, right), change, row: pair }];
  const again = other?.scores.get(pair.a);
  if (again) {
    const isOfA = other?.of === 'a';
    const scoring = isOfA
      ? again.score - a.rows.scoreOf(pair.a)
      : b.rows.scoreOf(pair.b) - again.score;
    const cause = isOfA
      ? scoringCause(left, { ...right, extracted: again.extracted })
      : scoringCause({ ...left, extracted: again.extracted }, right);
    return [
      { cause, change: scoring, row: pair },
      { cause: answerCause(left, right), change: change - scoring, row: pair },
    ];
  }
  const isReadAlike = left.extracted !== undefined && isSameValue(left.extracted, right.extracted);
  const cause = isReadAlike ? scoringCause(left, right) : answerCause(left, right);
  return [{ cause, change, row: pair }];
}

function answerCause(left: RowTexts, right: RowTexts): WhyCause {
  if (left.prompt === undefined || right.prompt === undefined) return 'answers_unknown_prompts';
  return left.prompt === right.prompt ? 'answers' : 'prompts';
}

type ReadTexts = Pick<RowTexts, 'extracted' | 'gold'>;

/** Of one answer: what of its scoring differs. */
function scoringCause(left: ReadTexts, right: ReadTexts): WhyCause {
  if (left.extracted === undefined || right.extracted === undefined) return 'scoring';
  if (!isSameValue(left.extracted, right.extracted)) return 'extraction';
  if (left.gold === undefined || right.gold === undefined) return 'scoring';
  return isSameValue(left.gold, right.gold) ? 'metric' : 'gold';
}

/** White space around an answer is kept by some harnesses alone. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.trim() === other?.trim();
}

/** `4` and `4.0` are one value, and so are `1,000` and `1000`. */
function isSameValue(one: string | undefined, other: string | undefined): boolean {
  if (isSame(one, other)) return true;
  const [left, right] = [numberIn(one), numberIn(other)];
  return left !== undefined && left === right;
}

function numberIn(text: string | undefined): number | undefined {
  const plain = text?.trim().replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '') ?? '';
  return /^[-+]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

function countDiffering({ a, b }: ExplainedRows, pairs: readonly RowPair[]): Why['differing'] {
  const count = (differ: (left: RowTexts, right: RowTexts) => boolean) =>
    pairs.filter((pair) => {
      const [left, right] = [a.texts.rows.get(pair.a), b.texts.rows.get(pair.b)];
      return left && right && differ(left, right);
    }).length;
  const countOther = (key: 'extracted' | 'gold') => {
    const isKnown = (left: RowTexts, right: RowTexts) =>
      left[key] !== undefined && right[key] !== undefined;
    if (count(isKnown) === 0) return null;
    return count((left, right) => isKnown(left, right) && !isSameValue(left[key], right[key]));
  };
  return {
    answers: count((left, right) => !isSame(left.answer, right.answer)),
    extracted: countOther('extracted'),
    gold: countOther('gold'),
  };
}
