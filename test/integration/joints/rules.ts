import { type Factor, factorNames, type Levels } from './factors.ts';
import { askRules } from './rules/ask-rules.ts';
import type { Rule } from './rules/refuse.ts';
import { settingRules } from './rules/setting-rules.ts';

/** What the docs say cannot be combined, and what would mean nothing. */
const rules: readonly Rule[] = [...askRules, ...settingRules];

const byFactor = new Map(
  factorNames.map((name) => [name, rules.filter((rule) => rule.factors.includes(name))]),
);

export function rulesAbout(name: Factor): readonly Rule[] {
  return byFactor.get(name) ?? [];
}

/** Whether the level of a factor goes with the others. Those that are left out may be anything. */
export function isAllowed(levels: Partial<Levels>, name: Factor): boolean {
  return rulesAbout(name).every((rule) => !isBroken(rule, levels));
}

/** Why a config cannot have these levels, or nothing. */
export function whyRefused(levels: Levels): string | undefined {
  return rules.find((rule) => isBroken(rule, levels))?.because;
}

function isBroken({ factors: names, refuses }: Rule, levels: Partial<Levels>): boolean {
  return names.every((name) => levels[name] !== undefined) && refuses(levels as Levels);
}
