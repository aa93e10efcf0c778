import type { Why, WhyCause } from '../comparison.ts';
import type { LoggedTask } from '../load-flips.ts';
import type { TaskMetric } from '../metric-of.ts';
import type { PairedRows, RowPair } from '../pair-rows.ts';
import { explain } from './explain.ts';
import { readTexts, type SideTexts } from './row-texts.ts';
import { type ScoredOtherwise, scoreOtherwise } from './score-otherwise.ts';

interface Tasks {
  readonly a: LoggedTask;
  readonly b: LoggedTask;
}

interface Texts {
  readonly a: SideTexts;
  readonly b: SideTexts;
}

/** Texts of more rows than this are not held in memory at once. */
const mostRows = 200_000;

/** The texts of both sides; nothing where there are too many of them. */
export async function readSides({ a, b }: Tasks): Promise<Texts | undefined> {
  const isMany = [a, b].some(({ rows }) => [...rows.ids()].length > mostRows);
  return isMany ? undefined : { a: await readTexts(a), b: await readTexts(b) };
}

/** Whether the prompts of a pair read the same; nothing where one is not known. */
export function areAskedAlike({ a, b }: Texts, pair: RowPair): boolean | undefined {
  const [left, right] = [a.rows.get(pair.a)?.prompt, b.rows.get(pair.b)?.prompt];
  return left === undefined || right === undefined ? undefined : left === right;
}

interface Explained {
  readonly texts: Texts;
  readonly rows: PairedRows;
  readonly names: TaskMetric['names'];
}

/** Why the scores of two tasks differ. */
export async function whyOf(
  { a, b }: Tasks,
  { texts, rows, names }: Explained,
): Promise<Why | undefined> {
  const { scored, unscored } = rows;
  const otherwise = await scoreOtherwise(scored, {
    a: { task: a, texts: texts.a },
    b: { task: b, texts: texts.b },
  });
  const why = explain({
    a: { rows: a.rows, texts: texts.a },
    b: { rows: b.rows, texts: texts.b },
    ...{ scored, unscored, other: otherwise?.other },
  });
  if (!why) return undefined;
  const notes = [
    ...(names ? [`A is measured by ${names.a}, B by ${names.b}.`] : []),
    ...sideNotes('A', texts.a),
    ...sideNotes('B', texts.b),
    ...(why.differing.answers > 0 && hasScoring(why) ? scoringNote(otherwise) : []),
  ];
  return { ...why, notes };
}

const scoringCauses = new Set<WhyCause>(['extraction', 'gold', 'metric', 'scoring']);

function hasScoring({ parts }: Pick<Why, 'parts'>): boolean {
  return parts.some(({ cause }) => scoringCauses.has(cause));
}

function sideNotes(name: string, { harness, rows, noPrompts }: SideTexts): string[] {
  const answered = [...rows.values()].filter(({ answer }) => answer !== undefined);
  const read = answered.filter(({ extracted }) => extracted !== undefined);
  return [
    ...(noPrompts === undefined ? [] : [`Prompts of ${name} are not all known: ${noPrompts}.`]),
    ...(read.length < answered.length
      ? [
          `${name} (${harness}) does not record what was read out of ${read.length === 0 ? 'answers' : 'some answers'}: there, extraction and verdict cannot be told apart.`,
        ]
      : []),
  ];
}

function scoringNote(otherwise: ScoredOtherwise | undefined): string[] {
  if (!otherwise) return [];
  const [of, by] = otherwise.other.of === 'a' ? ['A', 'B'] : ['B', 'A'];
  return [
    `Where answers differ, those of ${of} were scored as ${by} scores, by \`${otherwise.evaluator}\`, which gives every row of ${by} its score: so much of the change is scoring.`,
  ];
}
