import { formatCount } from '../../base/format.ts';
import { formatValue } from '../compare/compare-format.ts';
import type { Scale } from '../compare/comparison.ts';
import type { AxisName, CellSettings, Headline, ScoreKind } from './sweep-summary.ts';
import { findHighest } from './ties.ts';

export interface Choice {
  readonly configurations: readonly {
    readonly settings: CellSettings;
    /** On all rows. */
    readonly score: number;
  }[];
  /** Those not told apart from the best one, which is the first. */
  readonly leaders: readonly CellSettings[];
  readonly kind: ScoreKind;
  /** Whether there are rows enough to test anything. */
  readonly canTell: boolean;
}

export function scaleOf({ metric, direction, plain }: ScoreKind): Scale {
  return { metric, direction: direction ?? 'higher', isShare: !plain };
}

/** `arrow with 4 shots`, `4 shots`, `arrow with format chatml, 1 shot`. */
export function nameSettings(settings: CellSettings): string {
  const { template, ...others } = settings;
  const rest = Object.entries(others).map(([axis, value]) => nameValue(axis, value));
  if (template === undefined) return rest.join(', ');
  return rest.length > 0 ? `${template} with ${rest.join(', ')}` : template;
}

function nameValue(axis: string, value: string): string {
  if (axis === 'shots') return `${value} ${value === '1' ? 'shot' : 'shots'}`;
  return axis === 'template' ? value : `${axisName(axis)} ${value}`;
}

function axisName(axis: string): string {
  return axis === 'shots' ? 'number of shots' : axis.replaceAll('_', ' ');
}

/** Scores of shares that lie no further apart than this hardly differ for anyone who uses them. */
const smallRange = 0.05;
const maxNamed = 5;

/** Which configuration to use, and whether it matters. */
export function describeChoice(choice: Choice): Headline {
  const { configurations, leaders } = choice;
  const settled = settledBy(leaders);
  if (leaders.length === 1)
    return { title: `Use ${nameSettings(settled)}`, text: clearText(choice) };
  const isOpen = Object.keys(settled).length === 0;
  if (!isOpen && leaders.length < configurations.length) {
    return { title: `Use ${nameSettings(settled)}`, text: restText(choice, settled) };
  }
  return { title: 'No clear winner', text: openText(choice) };
}

/** The settings that all of some configurations have in common. */
function settledBy([first = {}, ...others]: readonly CellSettings[]): CellSettings {
  const common = Object.entries(first).filter(([axis, value]) =>
    others.every((other) => other[axis as AxisName] === value),
  );
  return Object.fromEntries(common);
}

function clearText({ configurations, leaders: [best = {}], kind }: Choice): string {
  const others = configurations.length - 1;
  const score = formatValue(scoreOf(best, configurations), scaleOf(kind));
  const rivals = others === 1 ? 'the other one' : `each of ${formatCount(others)} others`;
  return `${score} on these rows, clearly better than ${rivals}.`;
}

/** What is left to choose once the settled part is. */
function restText(choice: Choice, settled: CellSettings): string {
  const { configurations, leaders } = choice;
  const alike = configurations.filter(({ settings }) => has(settings, settled));
  const [best = {}] = leaders;
  const free = Object.keys(best).filter((axis) => !(axis in settled));
  const given = `With ${nameSettings(settled)}`;
  const range = rangeText(choice);
  if (alike.length === leaders.length) {
    const matters = free.map((axis) => `the ${axisName(axis)}`).join(' and ');
    return isSmallRange(choice)
      ? `${given} ${matters} hardly matter${free.length === 1 ? 's' : ''}: ${range}, with no clear difference.`
      : `${given} ${matters} makes no clear difference on these rows: ${range}.`;
  }
  const names = leaders.map((settings) => nameSettings(without(settings, settled)));
  return `${given}, there is no clear difference between ${list(names)}: ${range}. ${othersText(configurations.length - leaders.length)}`;
}

function openText(choice: Choice): string {
  const { configurations, leaders, kind } = choice;
  const scores = leaders.map((settings) => scoreOf(settings, configurations));
  const sign = kind.direction === 'lower' ? -1 : 1;
  const first = findHighest(scores.map((score) => sign * score)).flatMap(
    (place) => leaders[place] ?? [],
  );
  const ahead = `${list(first.map(nameSettings))} ${first.length === 1 ? 'leads' : 'lead'} with ${formatValue(scores[0] ?? 0, scaleOf(kind))}`;
  if (!choice.canTell) return `${ahead}, but there are too few rows to tell.`;
  if (leaders.length === configurations.length) {
    return `${ahead}, but none of the ${formatCount(configurations.length)} configurations is clearly different on these rows.${hardlyText(choice)}`;
  }
  const rivals = leaders.filter((settings) => !first.includes(settings)).map(nameSettings);
  const told =
    rivals.length > 0
      ? `, but ${first.length === 1 ? 'is' : 'are'} not clearly better than ${list(rivals)}`
      : '';
  return `${ahead}${told}. ${othersText(configurations.length - leaders.length)}${hardlyText(choice)}`;
}

function othersText(count: number): string {
  return count === 1 ? 'The other one is worse.' : `${formatCount(count)} others are worse.`;
}

/** Whether it matters which of those that lead is used. */
function hardlyText(choice: Choice): string {
  const isClose = choice.leaders.length > 1 && isSmallRange(choice);
  return isClose ? ` Which of these you use hardly matters: ${rangeText(choice)}.` : '';
}

function rangeText(choice: Choice): string {
  const scale = scaleOf(choice.kind);
  const [lowest, highest] = rangeOf(choice).map((score) => formatValue(score, scale));
  return lowest === highest ? `all ${lowest}` : `${lowest} to ${highest}`;
}

function isSmallRange(choice: Choice): boolean {
  const [lowest, highest] = rangeOf(choice);
  return !choice.kind.plain && highest - lowest <= smallRange;
}

/** The scores that the leaders lie between. */
function rangeOf({ leaders, configurations }: Choice): [lowest: number, highest: number] {
  const scores = leaders.map((settings) => scoreOf(settings, configurations));
  return [Math.min(...scores), Math.max(...scores)];
}

function scoreOf(wanted: CellSettings, configurations: Choice['configurations']): number {
  return configurations.find(({ settings }) => settings === wanted)?.score ?? 0;
}

function has(settings: CellSettings, wanted: CellSettings): boolean {
  return Object.entries(wanted).every(([axis, value]) => settings[axis as AxisName] === value);
}

function without(settings: CellSettings, settled: CellSettings): CellSettings {
  return Object.fromEntries(Object.entries(settings).filter(([axis]) => !(axis in settled)));
}

/** `arrow`, `arrow and comma`, `arrow, comma, chat and 4 more`. */
function list(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  const shown = rest > 0 ? [...names.slice(0, maxNamed), `${formatCount(rest)} more`] : names;
  return shown.length < 2
    ? (shown[0] ?? '')
    : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
