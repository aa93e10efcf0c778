import type {
  BestTemplate,
  RankFlip,
  ScoreKind,
  SheetSummary,
  SweepSummary,
  ValueComparison,
} from '../../run/sweep-summary.ts';
import type { Estimate } from '../../stats/index.ts';
import {
  formatLevel,
  formatPText,
  formatSigned,
  formatSize,
  formatValue,
} from '../compare/compare-format.ts';
import type { Scale } from '../compare/comparison.ts';
import { countOf, formatCount } from '../format.ts';

/** A heading and what there is to say under it. */
export interface Finding {
  readonly title: string;
  readonly text: string;
}

const mostPairs = 3;

export function scaleOf({ metric, direction, plain }: ScoreKind): Scale {
  return { metric, direction: direction ?? 'higher', isShare: !plain };
}

/** `98.3 [95.0, 99.9]`. */
export function formatEstimate({ value, low, high }: Estimate, scale: Scale): string {
  const [middle, ...ends] = [value, low, high].map((score) => formatValue(score, scale));
  return `${middle} [${ends.join(', ')}]`;
}

/** What a sheet says, in words. */
export function describeSheet(sheet: SheetSummary): Finding[] {
  const scale = scaleOf(sheet);
  return [
    ...spreadFinding(sheet, scale),
    ...varianceFinding(sheet),
    ...changingFinding(sheet),
    ...axisFindings(sheet, scale),
    ...sheet.remarks.map((text) => ({ title: 'Note', text })),
  ];
}

function spreadFinding({ spread, templates }: SheetSummary, scale: Scale): Finding[] {
  if (!spread) return [];
  const text = `${formatSize(spread.range, scale)} between the best template (${templates[0]?.template}) and the worst (${spread.worst}); standard deviation ${formatSize(spread.deviation, scale)}.`;
  return [{ title: 'Spread', text }];
}

function varianceFinding({ variance }: SheetSummary): Finding[] {
  if (!variance) return [];
  const parts = variance.map(
    ({ source, share }) => `${source.replaceAll('_', ' ')} ${Math.round(share * 100)} %`,
  );
  return [{ title: 'Variance', text: `${parts.join(', ')}.` }];
}

function changingFinding({ changing, rows }: SheetSummary): Finding[] {
  if (!changing) return [];
  const { value, low, high } = changing.share;
  const [share, from, to] = [value, low, high].map((one) => `${Math.round(one * 100)} %`);
  const text = `${formatCount(changing.rows)} of ${countOf(rows, 'row')} (${share}, interval ${from} to ${to}) are right with one template and wrong with another.`;
  return [{ title: 'Rows', text }];
}

function axisFindings({ comparisons }: SheetSummary, scale: Scale): Finding[] {
  const axes = [...new Set(comparisons.map(({ axis }) => axis))];
  return axes.map((axis) => {
    const own = comparisons.filter((comparison) => comparison.axis === axis);
    const different = own.filter(({ isDifferent }) => isDifferent);
    const pairs = countOf(own.length, 'pair');
    const title = titleOf(axis);
    if (different.length === 0) {
      const text =
        own.length === 1 ? 'cannot be told apart.' : `none of ${pairs} can be told apart.`;
      return { title, text };
    }
    const largest = different
      .toSorted((x, y) => Math.abs(y.difference.value) - Math.abs(x.difference.value))
      .slice(0, mostPairs);
    const list = largest.map((comparison) => describePair(comparison, scale)).join('; ');
    return {
      title,
      text: `${own.length === 1 ? '' : `${different.length} of ${pairs} can be told apart: `}${list}${different.length > mostPairs ? '; …' : '.'}`,
    };
  });
}

function titleOf(axis: string): string {
  const name = axis.replaceAll('_', ' ');
  const plural = name.endsWith('s') ? name : `${name}s`;
  return `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
}

/** The higher of the two first. */
export function describePair(
  { a, b, difference, adjustedP }: ValueComparison,
  scale: Scale,
): string {
  const isUp = difference.value >= 0;
  const [high, low] = isUp ? [b, a] : [a, b];
  const ends = isUp ? [difference.low, difference.high] : [-difference.high, -difference.low];
  const interval = ends.map((end) => formatSigned(end, scale)).join(', ');
  const size = formatSigned(Math.abs(difference.value), scale);
  return `${high} over ${low} ${size} [${interval}], ${formatPText(adjustedP)}`;
}

/** What to use, and what to expect of it. */
export function describeBest(
  best: BestTemplate,
  { sheets, level, budget }: SweepSummary,
): string[] {
  const own = sheets.filter(
    ({ model, dataset }) => model === best.model && best.datasets.includes(dataset),
  );
  const [first] = own;
  if (!first) return [];
  const scale = scaleOf(first);
  const { honest, optimism = 0, naive, choices } = best;
  const count = first.templates.length;
  const isFlattering = optimism > 0 && Number(formatValue(optimism, scale)) > 0;
  // A budget says by itself which templates are left.
  const rivals = budget ? [] : rivalsOf(best, own);
  if (!honest) {
    return [
      `${best.template} has the highest score (${formatValue(naive, scale)}), but there are too few rows to say what it would score on others.`,
    ];
  }
  return [
    `${best.template}: ${formatEstimate(honest, scale)} expected on other rows (${formatLevel(level)} interval).`,
    `The best of ${count} looks like ${formatValue(naive, scale)} on the rows that chose it: ${isFlattering ? `${formatSize(optimism, scale)} too good` : 'no better'}.`,
    ...(choices.length > 0 ? [choiceText(choices)] : []),
    ...(rivals.length > 0 ? [`Not told apart from it: ${rivals.join(', ')}.`] : []),
  ];
}

function choiceText(choices: BestTemplate['choices']): string {
  const shares = choices.map(({ template, share }) => `${template} ${Math.round(share * 100)} %`);
  return `Half of the rows choose ${shares.join(', ')}.`;
}

/** Templates that no comparison tells apart from the best one. */
function rivalsOf({ template }: BestTemplate, sheets: readonly SheetSummary[]): string[] {
  const different = new Set<string>();
  const all = new Set<string>();
  for (const { axis, a, b, isDifferent } of sheets.flatMap(({ comparisons }) => comparisons)) {
    if (axis !== 'template' || (a !== template && b !== template)) continue;
    const other = a === template ? b : a;
    all.add(other);
    if (isDifferent) different.add(other);
  }
  return [...all].filter((name) => !different.has(name));
}

export function describeFlip(flip: RankFlip, scale: Scale): string {
  const [first, second] = flip.templates;
  const sides = flip.models.map((model, place) => {
    const difference = flip.differences[place] ?? 0;
    const better = difference > 0 ? second : first;
    return `${better} by ${formatSize(Math.abs(difference), scale)} for ${model}`;
  });
  return `${flip.dataset}: ${sides.join(', ')}${flip.isClear ? '' : ' (not certain)'}.`;
}
