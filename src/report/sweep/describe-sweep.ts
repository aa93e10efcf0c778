import { countOf, formatCount } from '../../base/format.ts';
import { hasInterval, type Measurement } from '../../stats/estimate.ts';
import {
  formatLevel,
  formatPText,
  formatSigned,
  formatSize,
  formatValue,
} from '../../study/compare/compare-format.ts';
import type { Scale } from '../../study/compare/comparison.ts';
import { lostRows } from '../../study/sweep/cell-fit.ts';
import { nameSettings, scaleOf } from '../../study/sweep/headline.ts';
import type {
  AxisName,
  BestConfiguration,
  RankFlip,
  SheetSummary,
  SweepSummary,
  ValueComparison,
  VariancePart,
} from '../../study/sweep/sweep-summary.ts';

/** A heading and what there is to say under it. */
export interface Finding {
  readonly title: string;
  readonly text: string;
}

const maxPairs = 3;

/** `98.3 [95.0, 99.9]`; `98.3 (too few rows)` without an interval. */
export function formatEstimate(score: Measurement, scale: Scale): string {
  const value = formatValue(score.value, scale);
  if (!hasInterval(score)) return `${value} (too few rows)`;
  const ends = [score.low, score.high].map((end) => formatValue(end, scale));
  return `${value} [${ends.join(', ')}]`;
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
  if (spread.range === 0) return [{ title: 'Spread', text: 'All templates score the same.' }];
  const text = `${formatSize(spread.range, scale)} between the best template (${templates[0]?.template}) and the worst (${spread.worst}); standard deviation ${formatSize(spread.deviation, scale)}.`;
  return [{ title: 'Spread', text }];
}

function varianceFinding({ variance, clusters }: SheetSummary): Finding[] {
  if (!variance) return [];
  if (variance.every(({ share }) => share === 0)) {
    return [{ title: 'Variance', text: 'All row scores are the same.' }];
  }
  const nameOf = ({ source }: VariancePart) => source.replaceAll('_', ' ');
  const found = variance.filter(({ isClipped }) => !isClipped);
  const clipped = variance.filter(({ isClipped }) => isClipped).map(nameOf);
  const parts = found.map((part) => `${nameOf(part)} ${formatShare(part)}`);
  const rest = clipped.length > 0 ? ` Too small to estimate: ${clipped.join(', ')}.` : '';
  return [{ title: 'Variance', text: `of ${variedScores(clusters)}: ${parts.join(', ')}.${rest}` }];
}

/** What variance components are those of. */
export function variedScores(clusters: SheetSummary['clusters']): string {
  return clusters ? 'cluster means' : 'row scores';
}

/** `12%`; a share that was clipped, or is small, is no share of 0. */
export function formatShare({ share, isClipped }: VariancePart): string {
  if (isClipped) return 'too small to estimate';
  return share > 0 && share < 0.005 ? 'under 1%' : `${Math.round(share * 100)}%`;
}

function changingFinding({ changing, rows }: SheetSummary): Finding[] {
  if (!changing) return [];
  const { share } = changing;
  const percent = (one: number) => `${Math.round(one * 100)}%`;
  const interval = hasInterval(share)
    ? `95% interval [${percent(share.low)}, ${percent(share.high)}]`
    : 'no interval';
  const text = `${formatCount(changing.rows)} of ${countOf(rows, 'row')} (${percent(share.value)}, ${interval}) ${changing.areVerdicts ? 'are right with one template and wrong with another' : 'score differently with different templates'}.`;
  return [{ title: 'Rows', text }];
}

function axisFindings(sheet: SheetSummary, scale: Scale): Finding[] {
  const { comparisons } = sheet;
  const axes = [...new Set(comparisons.map(({ axis }) => axis))];
  return axes.map((axis) => {
    const finding = axisFinding(axis, { comparisons, scale });
    return { ...finding, text: finding.text + lostText(sheet, axis) };
  });
}

/** ` Examples were left out in 4 of 4 rows of 2, 4 of 4 rows of 5.` */
function lostText(sheet: SheetSummary, axis: AxisName): string {
  const lost = lostRows(sheet, axis).map(
    ({ value, dropped, rows }) =>
      `${formatCount(dropped)} of ${countOf(rows, 'row')} of ${value.replaceAll('_', ' ')}`,
  );
  return lost.length === 0 ? '' : ` Examples were dropped in ${lost.join(', ')}.`;
}

function axisFinding(
  axis: AxisName,
  { comparisons, scale }: Pick<SheetSummary, 'comparisons'> & { readonly scale: Scale },
): Finding {
  const own = comparisons.filter((comparison) => comparison.axis === axis);
  const different = own.filter(({ isDifferent }) => isDifferent);
  const pairs = countOf(own.length, 'pair');
  const title = titleOf(axis);
  if (different.length === 0) {
    const text =
      own.length === 1 ? 'no clear difference.' : `no clear difference in any of ${pairs}.`;
    return { title, text };
  }
  const largest = different
    .toSorted((x, y) => Math.abs(y.difference.value) - Math.abs(x.difference.value))
    .slice(0, maxPairs);
  const list = largest.map((comparison) => describePair(comparison, scale)).join('; ');
  return {
    title,
    text: `${own.length === 1 ? '' : `clear difference in ${different.length} of ${pairs}: `}${list}${different.length > maxPairs ? '; …' : '.'}`,
  };
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
  const sign = isSecond ? 1 : -1;
  const size = formatSigned(sign * difference.value, scale);
  const interval = formatEnds(difference, { scale, sign });
  return `${better} over ${worse} ${size} ${interval}, ${formatPText(adjustedP)}`;
}

/** `[+1.0, +5.2]`, turned round for the opposite sign. */
export function formatEnds(
  difference: Measurement,
  { scale, sign = 1 }: { readonly scale: Scale; readonly sign?: number },
): string {
  if (!hasInterval(difference)) return '(too few rows)';
  const { low, high } = difference;
  const ends = sign > 0 ? [low, high] : [-high, -low];
  return `[${ends.map((end) => formatSigned(end, scale)).join(', ')}]`;
}

/** Whether it matters what is used, and what to expect of it. */
export function describeBest(best: BestConfiguration, { sheets, level }: SweepSummary): string[] {
  const sheet = sheets.find(
    ({ model, dataset }) => model === best.model && best.datasets.includes(dataset),
  );
  if (!sheet) return [];
  const scale = scaleOf(sheet);
  const { honest, optimism = 0, naive, choices, of: count, hasTies } = best;
  const isFlattering = optimism > 0 && Number(formatValue(optimism, scale)) > 0;
  if (!honest) {
    return [
      best.text,
      `${nameSettings(best.settings)} has the best score (${formatValue(naive, scale)}), but there are too few rows to estimate its score on new rows.`,
    ];
  }
  return [
    best.text,
    `${formatEstimate(honest, scale)} expected on held-out rows${hasInterval(honest) ? ` (${formatLevel(level)} interval)` : ''}.`,
    `Selection bias: ${isFlattering ? formatSize(optimism, scale) : 'none'} (best of ${formatCount(count)}: ${formatValue(naive, scale)} on the selection rows).`,
    ...(choices.length > 0 ? [choiceText(choices, hasTies)] : []),
  ];
}

const maxChoices = 4;

function choiceText(choices: BestConfiguration['choices'], hasTies = false): string {
  const shown = choices.slice(0, maxChoices);
  const others = choices.slice(maxChoices);
  const parts = [
    ...shown.map(({ settings, share }) => ({ name: nameSettings(settings), share })),
    ...(others.length > 0
      ? [
          {
            name:
              others.length === 1
                ? nameSettings(others[0]?.settings ?? {})
                : `${formatCount(others.length)} others`,
            share: others.reduce((sum, { share }) => sum + share, 0),
          },
        ]
      : []),
  ];
  const percents = wholePercents(parts.map(({ share }) => share));
  const shares = parts.map(({ name }, place) => `${name} ${percents[place]}%`);
  return `Stability over random half-splits: ${shares.join(', ')}.${hasTies ? ' Ties are shared.' : ''}`;
}

/** Whole percents that add up to 100: what rounding down leaves goes to the largest remainders. */
export function wholePercents(shares: readonly number[]): number[] {
  const exact = shares.map((share) => Number((share * 100).toFixed(9)));
  const whole = exact.map(Math.floor);
  const left = 100 - whole.reduce((sum, percent) => sum + percent, 0);
  const order = exact
    .map((percent, place) => ({ place, rest: percent - (whole[place] ?? 0) }))
    .toSorted((one, other) => other.rest - one.rest);
  for (const { place } of order.slice(0, left)) whole[place] = (whole[place] ?? 0) + 1;
  return whole;
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
