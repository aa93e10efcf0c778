import { ConfigError, formatPath } from '../../errors.ts';
import { formatValue } from '../../prompt/values.ts';
import { passRate, rowTraits } from '../row-score.ts';
import type { RowMetricName, Scorer } from '../scorer.ts';
import type { ReadCheck } from './read-check.ts';

/** A check that is ready to be made. */
export interface BuiltCheck extends Omit<ReadCheck, 'name'> {
  readonly name: string;
  readonly scorer: Scorer;
}

/** What stands for all checks. */
export const checksMetric = 'checks';

/** Gives checks their names: what they say themselves, else their type, told apart by what is wanted. */
export function nameChecks(checks: readonly ReadCheck[], taken: readonly string[] = []): string[] {
  const names: string[] = [...taken];
  const isAlone = (check: ReadCheck) =>
    checks.filter(({ type, name }) => name === undefined && type === check.type).length === 1 &&
    !names.includes(check.type);
  return checks.map((check) => {
    const plain =
      check.name ?? (isAlone(check) ? check.type : `${check.type} ${wantedOf(check)}`.trim());
    let name = plain;
    for (let number = 2; names.includes(name); number++) name = `${plain}-${number}`;
    names.push(name);
    return name;
  });
}

/** What checks are called, and what else they would be called beside other checks. */
export function namesOfChecks(
  checks: readonly ReadCheck[],
  taken: readonly string[] = [],
): RowMetricName[] {
  const names = nameChecks(checks, taken);
  return checks.map((check, index) => {
    const { type } = check;
    const plain = check.name === undefined ? [type, `${type} ${wantedOf(check)}`] : [check.name];
    const name = names[index] ?? type;
    return { name, otherwise: plain.filter((one) => one !== name) };
  });
}

/** What a check is about, in a few characters. */
function wantedOf({ value, component }: ReadCheck): string {
  const { type: _, ...options } = component;
  const shown = value ?? options.value ?? options.pattern ?? options.tool ?? options.rubric ?? '';
  const text = (typeof shown === 'function' ? '' : formatValue(shown)).replace(/\s+/g, ' ');
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}

/** Refuses a name that tables need, and an evaluator whose scores have no best or no worst. */
export function checkBuilt({ name, scorer, path, type }: BuiltCheck): void {
  if (name === checksMetric || name === passRate) {
    throw new ConfigError(
      'config.conflicting_keys',
      `${formatPath(path)} is called \`${name}\`, the name of the overall result`,
      { path, hint: 'Give the check another `name`.' },
    );
  }
  const { range } = rowTraits(scorer);
  if (range.every(Number.isFinite)) return;
  throw new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} is a \`${type}\`, whose scores are not between 0 and 1, so it cannot be a check`,
    { path, hint: 'Use it as the only evaluator, in a separate dataset.' },
  );
}
