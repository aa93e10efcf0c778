import { getKey, isMapping, type Mapping } from '../../../prompt/mapping.ts';
import type { Row } from '../../../prompt/values.ts';
import { fail } from '../../../python/compat-error.ts';
import { toPython } from '../../../python/convert.ts';
import { isTruthy, type PyValue, typeName } from '../../../python/values.ts';

/** A record of the GQA family: `id`, `imageId`, `question`, `answer`, `fullAnswer`, `groups`, … */
export type GqaSample = Row;

/** The value of a key as Python's `get(key, "")` gives it: null stays, what is missing is empty. */
export function valueAt(mapping: Mapping, key: string): PyValue {
  const value = getKey(mapping, key);
  return value === undefined ? '' : toPython(value);
}

/** The first of these values that is not empty; an empty text if all are. */
export function firstOf(mapping: Mapping, ...keys: readonly string[]): PyValue {
  return keys.map((key) => valueAt(mapping, key)).find(isTruthy) ?? '';
}

/** What answers are compared with. */
export function referenceOf(sample: GqaSample): PyValue {
  return firstOf(sample, 'fullAnswer', 'answer');
}

/** The groups of a sample; it may have none. */
export function groupsOf(sample: GqaSample): Mapping {
  const groups = getKey(sample, 'groups');
  if (isMapping(groups)) return groups;
  const value = toPython(groups);
  if (!isTruthy(value)) return {};
  return fail('AttributeError', `the \`groups\` of a sample are a ${typeName(value)}`);
}

/** The steps of the question's program. */
export function stepsOf(sample: GqaSample): readonly Mapping[] {
  const steps = getKey(sample, 'semantic');
  if (!isTruthy(toPython(steps))) return [];
  if (Array.isArray(steps)) return steps.map(asStep);
  if (typeof steps === 'string' || isMapping(steps)) return [asStep('')];
  return fail('TypeError', 'the `semantic` of a sample is not a list of steps');
}

function asStep(value: unknown): Mapping {
  if (isMapping(value)) return value;
  return fail('AttributeError', 'a step in the `semantic` of a sample is not a mapping');
}
