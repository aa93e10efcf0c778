import { requireThat } from './check.ts';

/** Values of a design in which every level of each factor meets every level of the others, once. */
export interface CrossedDesign<Factor extends string> {
  /** The factors and how many levels each has, from the slowest to the fastest in `values`. */
  readonly factors: readonly { readonly name: Factor; readonly levels: number }[];
  readonly values: ArrayLike<number>;
  /** Factors whose interaction is a part of its own; other interactions count as residual. */
  readonly interactions?: readonly (readonly Factor[])[] | undefined;
}

/** How much of the variance of single values comes from one part of a design. */
export interface VarianceComponent {
  /** One factor, or those of an interaction; none for the residual. */
  readonly factors: readonly string[];
  readonly variance: number;
  /** Of the total of all components. */
  readonly share: number;
  /** Whether the estimate was negative and counts as 0: there is no sign of this component. */
  readonly isClipped: boolean;
}

/**
 * Splits the variance of a balanced crossed design into random effects by the method of moments:
 * mean squares of the analysis of variance are set equal to what they are expected to be.
 *
 * @example
 * const factors = [{ name: 'template', levels: 2 }, { name: 'row', levels: 3 }];
 * const parts = varianceComponents({ factors, values: [5, 9, 7, 1, 4, 3] });
 * parts.map(({ factors, share }) => [...factors, share]);
 * // [['template', 0.746…], ['row', 0.24], [0.013…]]
 */
export function varianceComponents<Factor extends string>(
  design: CrossedDesign<Factor>,
): VarianceComponent[] {
  const levels = checkDesign(design);
  const positions = new Map(design.factors.map(({ name }, position) => [name, position]));
  const interactions = (design.interactions ?? []).map((names) =>
    names.map((name) => positions.get(name) ?? -1).sort((i, j) => i - j),
  );
  const terms = [...levels.keys()].map((position) => [position]).concat(withSubsets(interactions));
  const parts = terms.map((term) => partOf({ term, levels, values: design.values }));
  const residual = residualPart(parts, design.values);
  const estimates = solve(parts, residual);
  const total = estimates.reduce((sum, { variance }) => sum + variance, 0);
  return estimates.map(({ term, variance, isClipped }) => ({
    factors: term.flatMap((position) => design.factors[position]?.name ?? []),
    variance,
    share: total === 0 ? 0 : variance / total,
    isClipped,
  }));
}

function checkDesign<Factor extends string>(design: CrossedDesign<Factor>): number[] {
  const levels = design.factors.map((factor) => factor.levels);
  const size = levels.reduce((product, count) => product * count, 1);
  requireThat(levels.length > 0, 'A design needs a factor');
  requireThat(
    levels.every((count) => Number.isSafeInteger(count) && count >= 2),
    'Every factor needs two levels or more',
  );
  requireThat(
    design.values.length === size,
    `A design of ${levels.join(' × ')} has ${size} values, not ${design.values.length}`,
  );
  const names = new Set(design.factors.map(({ name }) => name));
  for (const interaction of design.interactions ?? []) {
    requireThat(
      new Set(interaction).size > 1 && interaction.every((name) => names.has(name)),
      `${interaction.join(' × ')} is not an interaction of the factors`,
    );
  }
  return levels;
}

/** The interactions with those that they contain, smaller ones first, each once. */
function withSubsets(interactions: readonly number[][]): number[][] {
  const all = interactions.flatMap((positions) => subsetsOf(positions));
  const wanted = new Map(
    all
      .filter((positions) => positions.length > 1)
      .map((positions) => [positions.join(), positions]),
  );
  return [...wanted.values()].sort((a, b) => a.length - b.length);
}

function subsetsOf(positions: readonly number[]): number[][] {
  const subsets: number[][] = [[]];
  for (const position of positions) subsets.push(...subsets.map((subset) => [...subset, position]));
  return subsets;
}

/** A part of the analysis of variance. */
interface Part {
  readonly term: readonly number[];
  readonly squares: number;
  readonly degrees: number;
  /** How many values each of its levels has. */
  readonly repeats: number;
}

interface TermSettings {
  readonly term: readonly number[];
  readonly levels: readonly number[];
  readonly values: ArrayLike<number>;
}

function partOf({ term, levels, values }: TermSettings): Part {
  const cells = term.reduce((product, position) => product * (levels[position] ?? 1), 1);
  const repeats = values.length / cells;
  // Inclusion and exclusion of the marginal sums of squares.
  const squares = subsetsOf(term).reduce((sum, subset) => {
    const sign = (term.length - subset.length) % 2 === 0 ? 1 : -1;
    return sum + sign * marginalSquares({ term: subset, levels, values });
  }, 0);
  const degrees = term.reduce((product, position) => product * ((levels[position] ?? 1) - 1), 1);
  return { term, squares, degrees, repeats };
}

/** The sum of squares of the means at each combination of levels, about the mean of all. */
function marginalSquares({ term, levels, values }: TermSettings): number {
  const strides = levels.map((_, position) =>
    levels.slice(position + 1).reduce((product, count) => product * count, 1),
  );
  const cells = term.reduce((product, position) => product * (levels[position] ?? 1), 1);
  const grand = meanOf(values);
  const sums = new Float64Array(cells);
  for (let index = 0; index < values.length; index += 1) {
    let cell = 0;
    for (const position of term) {
      const count = levels[position] ?? 1;
      cell = cell * count + (Math.floor(index / (strides[position] ?? 1)) % count);
    }
    sums[cell] = (sums[cell] ?? 0) + (values[index] ?? 0) - grand;
  }
  return sums.reduce((total, sum) => total + sum ** 2, 0) / (values.length / cells);
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return sum / values.length;
}

/** What the parts leave over. */
function residualPart(parts: readonly Part[], values: ArrayLike<number>): Part {
  const grand = meanOf(values);
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) {
    squares += ((values[index] ?? 0) - grand) ** 2;
  }
  const used = parts.reduce((sum, { degrees }) => sum + degrees, 0);
  const degrees = values.length - 1 - used;
  requireThat(degrees > 0, 'The design leaves nothing for the residual');
  const explained = parts.reduce((sum, part) => sum + part.squares, 0);
  return { term: [], squares: Math.max(0, squares - explained), degrees, repeats: 1 };
}

interface Solved {
  readonly term: readonly number[];
  readonly variance: number;
  readonly isClipped: boolean;
}

/**
 * A mean square is expected to be the residual's plus, for its own part and for each part that
 * contains it, the variance times the values per level. So the largest parts are solved first.
 */
function solve(parts: readonly Part[], residual: Part): Solved[] {
  const noise = residual.squares / residual.degrees;
  const raw = new Map<Part, number>();
  for (const part of parts.toReversed()) {
    const inner = [...raw].filter(([other]) =>
      part.term.every((position) => other.term.includes(position)),
    );
    const expected = inner.reduce(
      (sum, [other, variance]) => sum + variance * other.repeats,
      noise,
    );
    raw.set(part, (part.squares / part.degrees - expected) / part.repeats);
  }
  const solved = parts.map((part) => {
    const variance = raw.get(part) ?? 0;
    return { term: part.term, variance: Math.max(0, variance), isClipped: variance < 0 };
  });
  return [...solved, { term: [], variance: noise, isClipped: false }];
}
