import { countOf, formatCount, oneLine } from '../../base/format.ts';
import { formatSigned, formatValue } from '../../study/compare/compare-format.ts';
import type {
  PromptDifferences,
  PromptPlace,
  RowPlace,
  Scale,
  Why,
  WhyCause,
  WhyPart,
} from '../../study/compare/comparison.ts';

/** A line of the way from one score to the other. */
export interface WhyLine {
  readonly cause: string;
  readonly points: string;
  /** Rows, and what they say. */
  readonly rows: string;
}

const causes: Readonly<Record<WhyCause, string>> = {
  rows: 'rows that only one has',
  unscored: 'rows that only one has a score for',
  prompts: 'other prompt, other answer',
  answers: 'same prompt, other answer',
  answers_unknown_prompts: 'other answer, prompt not known',
  extraction: 'same answer, other value read from it',
  gold: 'same value, other gold answer',
  metric: 'same value, other verdict',
  scoring: 'same answer, other verdict, value or gold not known',
};

/** The scores of both sides and what lies between them. */
export function whyLines({ a, b, difference, parts }: Why, scale: Scale): readonly WhyLine[] {
  return [
    { cause: 'A', points: formatValue(a, scale), rows: '' },
    ...parts.map((part) => ({
      cause: causes[part.cause],
      points: formatSigned(part.points, scale),
      rows: describeRows(part),
    })),
    ...(parts.length === 0
      ? [{ cause: 'nothing changes a score', points: formatSigned(difference, scale), rows: '' }]
      : []),
    { cause: 'B', points: formatValue(b, scale), rows: '' },
  ];
}

function describeRows({ cause, rows, sides, first }: WhyPart): string {
  const isAlone = cause === 'rows' || cause === 'unscored';
  const [ofA, ofB] = [formatCount(sides.a), formatCount(sides.b)];
  const counts = isAlone
    ? `${ofA} in A alone, ${ofB} in B alone`
    : `${countOf(rows, 'row')}: ${ofB} higher in B, ${ofA} in A`;
  return `${counts}; ${first.map(placeName).join(', ')}${rows > first.length ? ' …' : ''}`;
}

/** `row 3`, or `row 3 of A` where it has another number, or none, in B. */
function placeName({ a, b }: RowPlace): string {
  if (a === b) return `row ${a}`;
  if (b === undefined) return `row ${a} of A`;
  return a === undefined ? `row ${b} of B` : `row ${a} of A, ${b} of B`;
}

/** What prompts say otherwise, and what is not recorded, in sentences. */
export function describeWhy({ prompts, differing, notes }: Why): string[] {
  return [...describePrompts(prompts), describeDiffering(differing), ...notes];
}

function describeDiffering({ answers, extracted, gold }: Why['differing']): string {
  const others = [
    ['values read from them', extracted],
    ['gold answers', gold],
  ] as const;
  const known = others.flatMap(([name, count]) =>
    count === null ? [] : [`${name} in ${formatCount(count)}`],
  );
  const unknown = others.flatMap(([name, count]) => (count === null ? [name] : []));
  return [
    `Of the pairs, ${[`answers differ in ${formatCount(answers)}`, ...known].join(', ')}`,
    ...(unknown.length > 0 ? [`${unknown.join(' and ')} are not known of both sides`] : []),
  ]
    .join('; ')
    .concat('.');
}

function describePrompts({
  same,
  other,
  whiteSpace,
  unknown,
  places,
}: PromptDifferences): string[] {
  const known = same + other;
  if (known === 0) return [];
  if (other === 0) return [`Prompts are the same in ${countOf(known, 'row')}.`];
  const spaces =
    whiteSpace === 0
      ? ''
      : `, ${whiteSpace === other ? 'all' : formatCount(whiteSpace)} in white space alone`;
  const rest = unknown === 0 ? '' : `; ${formatCount(unknown)} are not known`;
  return [
    `Prompts differ in ${formatCount(other)} of ${countOf(known, 'row')}${spaces}${rest}.`,
    ...places.map(describePlace),
  ];
}

function describePlace({ rows, row, line, column, before, a, b }: PromptPlace): string {
  const after = before === '' ? 'at the start' : `after ${quoted(before, 'end')}`;
  return `First in ${countOf(rows, 'row')} (${placeName(row)}, line ${line}, column ${column}) ${after}: A has ${quoted(a, 'start')}, B has ${quoted(b, 'start')}.`;
}

function quoted(text: string, kept: 'start' | 'end'): string {
  if (text === '') return 'nothing more';
  const shown = oneLine(JSON.stringify(text).slice(1, -1));
  return kept === 'start' ? `“${shown}”` : `“…${shown}”`;
}
