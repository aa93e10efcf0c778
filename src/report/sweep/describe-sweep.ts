import { countOf, formatCount } from '../../base/format.ts';
import type { Estimate } from '../../stats/estimate.ts';
import {
  formatLevel,
  formatPText,
  formatSigned,
  formatSize,
  formatValue,
} from '../../study/compare/compare-format.ts';
import type { Scale } from '../../study/compare/comparison.ts';
import type {
  BestTemplate,
  RankFlip,
  ScoreKind,
  SheetSummary,
  SweepSummary,
  ValueComparison,
} from '../../study/sweep/sweep-summary.ts';

/** A heading and what there is to say under it. */
export interface Finding {
  readonly title: string;
  readonly text: string;
}

const maxPairs = 3;

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
  if (spread.range === 0) return [{ title: 'Spread', text: 'All templates score alike.' }];
  const text = `${formatSize(spread.range, scale)} between the best template (${templates[0]?.template}) and the worst (${spread.worst}); standard deviation ${formatSize(spread.deviation, scale)}.`;
  return [{ title: 'Spread', text }];
}

function varianceFinding({ variance }: SheetSummary): Finding[] {
  if (!variance) return [];
  if (variance.every(({ share }) => share === 0)) {
    return [{ title: 'Variance', text: 'All single scores are alike.' }];
  }
  const parts = variance.map(
    ({ source, share }) => `${source.replaceAll('_', ' ')} ${Math.round(share * 100)} %`,
  );
  return [{ title: 'Variance', text: `${parts.join(', ')}.` }];
}

function changingFinding({ changing, rows }: SheetSummary): Finding[] {
  if (!changing) return [];
  const { value, low, high } = changing.share;
  const [share, from, to] = [value, low, high].map((one) => `${Math.round(one * 100)} %`);
  const text = `${formatCount(changing.rows)} of ${countOf(rows, 'row')} (${share}, interval ${from} to ${to}) ${changing.areVerdicts ? 'are right with one template and wrong with another' : 'score differently with different templates'}.`;
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
      .slice(0, maxPairs);
    const list = largest.map((comparison) => describePair(comparison, scale)).join('; ');
    return {
      title,
      text: `${own.length === 1 ? '' : `${different.length} of ${pairs} can be told apart: `}${list}${different.length > maxPairs ? '; …' : '.'}`,
    };
  });
}

function titleOf(axis: string): string {
  const name = axis.replaceAll('_', ' ');
  const plural = name.endsWith('s') ? name : `${name}s`;
  return `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
}

/** The better of the two first. */
export function describePair(
  { a, b, difference, adjustedP }: ValueComparison,
  scale: Scale,
): string {
  const isSecond = difference.value >= 0 === (scale.direction === 'higher');
  const [better, worse] = isSecond ? [b, a] : [a, b];
  const { value, low, high } = difference;
  const [size, ...ends] = (isSecond ? [value, low, high] : [-value, -high, -low]).map((one) =>
    formatSigned(one, scale),
  );
  return `${better} over ${worse} ${size} [${ends.join(', ')}], ${formatPText(adjustedP)}`;
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
    `${best.template}: ${formatEstimate(honest, scale)} expected on held-out rows (${formatLevel(level)} interval).`,
    `The best of ${count} looks like ${formatValue(naive, scale)} on the selection rows: ${isFlattering ? `${formatSize(optimism, scale)} too good` : 'no better'}.`,
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

/** Templates of which each is better for another model; what may be chance is only counted. */
export function describeFlips({ flips, sheets }: Pick<SweepSummary, 'flips' | 'sheets'>): string[] {
  const clear = flips.filter(({ isClear }) => isClear);
  const others = flips.length - clear.length;
  const kind = clear.length > 0 ? 'other pair' : 'pair';
  return [
    ...clear.flatMap((flip) => {
      const sheet = sheets.find(({ dataset }) => dataset === flip.dataset);
      return sheet ? [describeFlip(flip, scaleOf(sheet))] : [];
    }),
    ...(others > 0
      ? [
          `${countOf(others, kind)} of templates ${others === 1 ? 'changes' : 'change'} places, which may be chance.`,
        ]
      : []),
  ];
}

function describeFlip(flip: RankFlip, scale: Scale): string {
  const [first, second] = flip.templates;
  const sides = flip.models.map((model, index) => {
    const difference = flip.differences[index] ?? 0;
    const better = difference > 0 === (scale.direction === 'higher') ? second : first;
    return `${better} by ${formatSize(Math.abs(difference), scale)} for ${model}`;
  });
  return `${flip.dataset}: ${sides.join(', ')}.`;
}

/** `400 requests sent, 80 answers shared or reused.` */
export function describeRequests({ requests: { sent, reused } }: SweepSummary): string {
  const shared = reused > 0 ? `, ${countOf(reused, 'answer')} shared or reused` : '';
  return `${countOf(sent, 'request')} sent${shared}.`;
}
