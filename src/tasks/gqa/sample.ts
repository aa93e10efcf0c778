import type { PyValue } from '../../prompt/compat/index.ts';
import { toPython } from '../../prompt/compat/index.ts';
import { isTruthy, typeName } from '../../prompt/compat/python/values.ts';
import type { Row } from '../../prompt/index.ts';
import { getKey, isMapping, type Mapping } from '../../prompt/mapping.ts';
import { fail } from './python/failure.ts';

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

/** A mapping of a sample; one that is empty or missing has no keys. */
export function mappingAt(sample: GqaSample, key: string): Mapping {
  return asMapping(getKey(sample, key));
}

/** The steps of the question's program. */
export function stepsOf(sample: GqaSample): readonly Mapping[] {
  const steps = getKey(sample, 'semantic');
  if (!isTruthy(toPython(steps))) return [];
  if (Array.isArray(steps)) return steps.map((step) => asStep(step));
  if (typeof steps === 'string' || isMapping(steps)) return [asStep('')];
  return fail('TypeError', 'the `semantic` of a sample is no list of steps');
}

function asMapping(value: unknown): Mapping {
  if (isMapping(value)) return value;
  const converted = toPython(value);
  if (!isTruthy(converted)) return {};
  return fail('AttributeError', `the \`groups\` of a sample are a ${typeName(converted)}`);
}

function asStep(value: unknown): Mapping {
  if (isMapping(value)) return value;
  return fail('AttributeError', 'a step in the `semantic` of a sample is no mapping');
}
