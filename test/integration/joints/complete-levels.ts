import { type Factor, factorNames, factors, type Levels } from './factors.ts';
import { isAllowed, rulesAbout } from './rules.ts';

/** Puts the levels of a factor into the order in which they are tried. */
export type OrderLevels = (factor: Factor, chosen: Partial<Levels>) => readonly string[];

/** The factors that most rules are about come first: what is left then goes with anything. */
const maxRuled = [...factorNames].sort((a, b) => rulesAbout(b).length - rulesAbout(a).length);

/** A level for every factor that goes with those given, or nothing if there is none. */
export function completeLevels(given: Partial<Levels>, order: OrderLevels): Levels | undefined {
  const isFit = Object.keys(given).every((name) => isAllowed(given, name as Factor));
  return isFit ? complete(given, order) : undefined;
}

function complete(given: Partial<Levels>, order: OrderLevels): Levels | undefined {
  const open = maxRuled.filter((name) => given[name] === undefined);
  const [next] = open;
  if (next === undefined) return given as Levels;
  if (!open.every((name) => hasLevel(given, name))) return undefined;
  for (const level of order(next, given)) {
    const tried = { ...given, [next]: level };
    const found = isAllowed(tried, next) ? complete(tried, order) : undefined;
    if (found) return found;
  }
  return undefined;
}

function hasLevel(given: Partial<Levels>, name: Factor): boolean {
  if (rulesAbout(name).length === 0) return true;
  return factors[name].some((level) => isAllowed({ ...given, [name]: level }, name));
}
