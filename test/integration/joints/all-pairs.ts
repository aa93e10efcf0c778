import { completeLevels } from './complete-levels.ts';
import { type Factor, factorNames, factors, type Levels } from './factors.ts';

/** Configs, and the pairs of levels that none can have. */
export interface CoveringConfigs {
  readonly configs: readonly Levels[];
  readonly refused: readonly Pair[];
}

type Pair = Partial<Levels>;

/** Configs in which every pair of levels that can stand together occurs at least once. */
export function coverPairs(): CoveringConfigs {
  const missing = new Map(everyPair().map((pair) => [keyOf(pair), pair]));
  const configs: Levels[] = [];
  const refused: Pair[] = [];
  for (const [key, pair] of missing) {
    const levels = completeLevels(pair, (factor, chosen) =>
      maxMissingFirst(missing, factor, chosen),
    );
    if (levels) configs.push(levels);
    else refused.push(pair);
    for (const covered of levels ? pairsOf(levels).map(keyOf) : [key]) missing.delete(covered);
  }
  return { configs, refused };
}

const places = new Map(factorNames.map((name, place) => [name, place]));

function keyOf(pair: Pair): string {
  const [first, second] = Object.entries(pair);
  return `${first} ${second}`;
}

/** All pairs of levels, whether they can stand together or not. */
export function everyPair(): Pair[] {
  return factorNames.flatMap((first, place) =>
    factorNames
      .slice(place + 1)
      .flatMap((second) =>
        factors[first].flatMap((one) =>
          factors[second].map((other): Pair => ({ [first]: one, [second]: other })),
        ),
      ),
  );
}

/** The pairs of levels that a config has. */
export function pairsOf(levels: Levels): Pair[] {
  return factorNames.flatMap((first, place) =>
    factorNames
      .slice(place + 1)
      .map((second): Pair => ({ [first]: levels[first], [second]: levels[second] })),
  );
}

/** Levels that make the most missing pairs with those chosen come first. */
function maxMissingFirst(
  missing: ReadonlyMap<string, Pair>,
  factor: Factor,
  chosen: Partial<Levels>,
): readonly string[] {
  const place = places.get(factor) ?? 0;
  const others = Object.entries(chosen).map(([name, level]) => ({
    isFirst: (places.get(name as Factor) ?? 0) < place,
    text: `${name},${level}`,
  }));
  const gainOf = (level: string): number =>
    others.filter(({ isFirst, text }) =>
      missing.has(isFirst ? `${text} ${factor},${level}` : `${factor},${level} ${text}`),
    ).length;
  const gains = factors[factor].map((level) => ({ level, gain: gainOf(level) }));
  return gains.sort((a, b) => b.gain - a.gain).map(({ level }) => level);
}
