import { keyedRandom } from '../../base/keyed-random.ts';
import { clusteredDifference } from '../../stats/clustered-difference.ts';
import { binomialShareUpTo, studentShareAbove } from '../../stats/distributions.ts';
import { permutationTest } from '../../stats/permutation.ts';
import type { RowClusters } from '../compare/paired-test.ts';
import { resamplesFor } from './compare-values.ts';
import { isBinary, meanScore } from './mean-score.ts';
import type { Race, RaceRound, ScoreKind } from './sweep-summary.ts';
import { findHighest } from './ties.ts';

/** Scores by template, each list in the order of the same rows. */
export type RowScores = ReadonlyMap<string, Float64Array>;

/** What rows were answered with. */
export interface AskedRows {
  readonly scores: RowScores;
  /** Where rows come in clusters: that of each. */
  readonly clusters?: RowClusters | undefined;
}

export interface RaceSettings {
  readonly templates: readonly string[];
  /** Rows in the order in which they are asked; to be drawn by chance. */
  readonly ids: readonly number[];
  /** Where rows come in clusters: the cluster of a row. Rows of one cluster are asked together. */
  readonly clusterOf?: ((id: number) => string | undefined) | undefined;
  /** How many requests a row takes for one template. */
  readonly cost: number;
  /** The most requests. */
  readonly budget: number;
  readonly kind: ScoreKind;
  /** Draws the winner where several tie. */
  readonly seed: number;
  /** Asks some rows with some templates and gives the scores of those templates that have answers. */
  readonly ask: (templates: readonly string[], ids: readonly number[]) => Promise<AskedRows>;
}

export interface RaceResult extends Omit<Race, 'model' | 'dataset'> {
  readonly spent: number;
  /** The winner's score on the selection rows. */
  readonly naive: number;
}

/** The chance that the best template is dropped is at most this. */
export const errorRate = 0.05;
/** The share of the rows that is kept for the winner's score. */
const keptShare = 0.25;
/** Fewer rows than this say nothing about the winner's score. */
const fewestScored = 10;

/**
 * Asks few rows with all templates, drops those that another one is shown to beat, and spends what
 * that saves on more rows for the others. A template is dropped if a one-sided test against another
 * is significant at the error rate divided by the number of rounds and of rivals: however many looks
 * are taken, the best template is dropped with a chance of at most the error rate. The winner is then
 * scored on rows that had no part in the choice.
 */
export async function runRace(settings: RaceSettings): Promise<RaceResult> {
  const { templates, ids, cost, budget, kind, seed, ask } = settings;
  const rounds = roundsOf(settings);
  const share = Math.floor(budget / (rounds + 1));
  const inRace = Math.max(1, Math.floor(ids.length * (1 - keptShare)));
  const threshold = errorRate / (rounds * Math.max(1, templates.length - 1));
  let left = [...templates];
  let asked = 0;
  let spent = 0;
  let rows: AskedRows = { scores: new Map() };
  const history: RaceRound[] = [];
  const unanswered: string[] = [];
  for (let round = 0; round < rounds && left.length > 1 && asked < inRace; round += 1) {
    const wanted = Math.max(1, Math.floor(share / (left.length * cost)));
    const more = Math.min(inRace - asked, wanted);
    spent += more * left.length * cost;
    asked += more;
    rows = await ask(left, ids.slice(0, asked));
    const { scores } = rows;
    const dropped = findBeaten(rows, { kind, threshold });
    unanswered.push(...left.filter((template) => !scores.has(template)));
    history.push({
      rows: asked,
      scores: [...scores].map(([template, own]) => ({ template, score: meanOf(own) })),
      dropped,
    });
    left = [...scores.keys()].filter((template) => !dropped.includes(template));
  }
  const { scores } = rows;
  const winner = drawWinner(left, { scores, kind, seed });
  const fresh = freshRows(settings, asked).slice(0, Math.floor((budget - spent) / cost));
  const final = await ask([winner], fresh);
  const finalScores = final.scores.get(winner) ?? new Float64Array();
  const { clusters } = final;
  const isEnough = finalScores.length >= fewestScored;
  const score = isEnough ? meanScore(finalScores, { ...kind, clusters }) : undefined;
  return {
    rounds: history,
    left,
    unanswered,
    winner,
    naive: meanOf(scores.get(winner)),
    ...(score && { score }),
    spent: spent + fresh.length * cost,
  };
}

function drawWinner(
  left: readonly string[],
  { scores, kind, seed }: Pick<RaceSettings, 'kind' | 'seed'> & { readonly scores: RowScores },
): string {
  const sign = kind.direction === 'lower' ? -1 : 1;
  const ties = findHighest(left.map((template) => sign * meanOf(scores.get(template))));
  const drawn = ties[keyedRandom(seed, `winner of ${left.length}`).below(ties.length)] ?? 0;
  return left[drawn] ?? '';
}

/** The rows that come after those that were asked, but for the rest of a cluster begun. */
function freshRows({ ids, clusterOf }: RaceSettings, asked: number): readonly number[] {
  const rest = ids.slice(asked);
  const last = ids[asked - 1];
  const begun = last === undefined ? undefined : clusterOf?.(last);
  return begun === undefined ? rest : rest.filter((id) => clusterOf?.(id) !== begun);
}

/** Enough rounds to halve the templates to one, if the budget gives each a row. */
function roundsOf({ templates, cost, budget }: RaceSettings): number {
  const halvings = Math.ceil(Math.log2(Math.max(2, templates.length)));
  const affordable = Math.floor(budget / (templates.length * cost)) - 1;
  return Math.max(1, Math.min(halvings, affordable));
}

interface TestSettings {
  readonly kind: ScoreKind;
  readonly threshold: number;
}

/** The templates that another one is shown to be better than. */
function findBeaten({ scores, clusters }: AskedRows, { kind, threshold }: TestSettings): string[] {
  const sign = kind.direction === 'lower' ? -1 : 1;
  return [...scores.keys()].filter((template) =>
    [...scores.keys()].some((rival) => {
      if (rival === template) return false;
      const own = scores.get(template) ?? new Float64Array();
      const other = scores.get(rival) ?? new Float64Array();
      const gains = other.map((score, row) => sign * (score - (own[row] ?? 0)));
      const areRates = isBinary(own) && isBinary(other);
      return clusters
        ? isClusterGain(gains, { clusters, areRates, threshold })
        : isGain(gains, { areRates, threshold });
    }),
  );
}

interface GainSettings {
  readonly areRates: boolean;
  readonly threshold: number;
}

/** The same if whole clusters have their signs by chance. */
function isClusterGain(
  gains: Float64Array,
  { clusters, areRates, threshold }: GainSettings & { readonly clusters: RowClusters },
): boolean {
  if (meanOf(gains) <= 0) return false;
  const { p } = clusteredDifference(gains, {
    clusters: clusters.names,
    seed: 0,
    resamples: resamplesFor(Math.ceil(1 / threshold)),
    ...(areRates && { steps: 1 }),
  });
  return p / 2 <= threshold;
}

/** With fewer rows, means of scores other than 0 and 1 are not near enough to normal. */
const fewestRows = 20;

/**
 * Whether gains are larger than chance makes them. Where few rows gain at all Student's test is too
 * quick, so that random signs must find it as well.
 */
function isGain(gains: Float64Array, { areRates, threshold }: GainSettings): boolean {
  const up = gains.filter((gain) => gain > 0).length;
  const down = gains.filter((gain) => gain < 0).length;
  if (areRates) return binomialShareUpTo(down, { trials: up + down, rate: 0.5 }) <= threshold;
  const mean = meanOf(gains);
  if (gains.length < fewestRows || mean <= 0) return false;
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  const error = Math.sqrt(squares / (gains.length - 1) / gains.length);
  const isLucky = error > 0 && studentShareAbove(mean / error, gains.length - 1) > threshold;
  if (isLucky) return false;
  const resamples = resamplesFor(Math.ceil(1 / threshold));
  // Two-sided: half of it lies on this side.
  return permutationTest(gains, { seed: 0, resamples }).p / 2 <= threshold;
}

function meanOf(scores: Float64Array = new Float64Array()): number {
  if (scores.length === 0) return 0;
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
