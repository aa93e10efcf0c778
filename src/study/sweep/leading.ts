import { mcnemar } from '../../stats/mcnemar.ts';
import { groupAverage } from '../../stats/means.ts';
import {
  compareClusters,
  countDiscordant,
  differenceOf,
  leavesOutZero,
  level,
} from './compare-values.ts';
import type { Candidates } from './cross-fit.ts';
import { isBinary } from './mean-score.ts';
import type { CellSettings, ValueComparison } from './sweep-summary.ts';

export interface LeadSettings {
  readonly configurations: readonly CellSettings[];
  readonly tasks: readonly Candidates[];
  /** The place of the best one. */
  readonly best: number;
  /** Those of the sheets, which are adjusted for each other. */
  readonly comparisons: readonly ValueComparison[];
}

/**
 * The configurations that cannot be told apart from the best one, which is the first. Where one axis
 * of one dataset was varied its comparisons say it. Else, if some comparison of the sweep finds a
 * difference at all, the best configuration is tested against each other one, at a level that allows
 * for all pairs: any of them could have come out best.
 */
export function findLeaders(settings: LeadSettings): CellSettings[] {
  const { configurations, tasks, best, comparisons } = settings;
  const [axis, ...others] = Object.keys(configurations[best] ?? {});
  const isOneAxis = others.length === 0 && tasks.length === 1;
  const isBeaten = (place: number) =>
    isOneAxis ? differs(settings, { axis, place }) : isToldApart(settings, place);
  const hasDifference = comparisons.some(({ isDifferent }) => isDifferent);
  return configurations
    .map((configuration, place) => ({ configuration, place }))
    .filter(({ place }) => place === best || !hasDifference || !isBeaten(place))
    .toSorted((left, right) => Number(right.place === best) - Number(left.place === best))
    .map(({ configuration }) => configuration);
}

function differs(
  { configurations, best, comparisons }: LeadSettings,
  { axis, place }: { readonly axis: string | undefined; readonly place: number },
): boolean {
  const pair = [best, place].map((one) => Object.values(configurations[one] ?? {})[0]);
  return comparisons.some(
    ({ axis: own, a, b, isDifferent }) =>
      isDifferent && own === axis && pair.includes(a) && pair.includes(b),
  );
}

function isToldApart({ configurations, tasks, best }: LeadSettings, place: number): boolean {
  const { length } = configurations;
  const share = (1 - level) / ((length * (length - 1)) / 2);
  const sides = tasks.flatMap(({ scores, plain, clusters }) => {
    const [a, b] = [scores[place], scores[best]];
    return a && b ? [{ a, b, plain, clusters }] : [];
  });
  const differences = sides.flatMap((side) => differenceOf(side, 1 - share) ?? []);
  if (!leavesOutZero(groupAverage(differences))) return false;
  const [only, ...others] = sides;
  if (only?.clusters) return others.length > 0 || compareClusters(only, 1 - share).p <= share;
  const isRate = only && others.length === 0 && isBinary(only.a) && isBinary(only.b);
  return !isRate || mcnemar(countDiscordant(only)).exact <= share;
}
