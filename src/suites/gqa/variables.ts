import { pyStr } from '../../python/repr.ts';
import type { PyValue } from '../../python/values.ts';
import { type GqaSample, groupsOf, stepsOf, valueAt } from './sample.ts';

/** What a prompt template can name, and where in a sample it comes from. */
const variables: Readonly<Record<string, (sample: GqaSample) => PyValue>> = {
  question: (sample) => valueAt(sample, 'question'),
  image_id: (sample) => valueAt(sample, 'imageId'),
  answer: (sample) => valueAt(sample, 'answer'),
  full_answer: (sample) => valueAt(sample, 'fullAnswer'),
  dataset_id: (sample) => valueAt(sample, 'id'),
  global_group: (sample) => valueAt(groupsOf(sample), 'global'),
  local_group: (sample) => valueAt(groupsOf(sample), 'local'),
  semantic_str: (sample) => valueAt(sample, 'semanticStr'),
  semantic_program: semanticProgram,
};

/** The names that a prompt template may use. */
export const variableNames: readonly string[] = Object.keys(variables);

/** The value of a variable; empty if there is no such variable. */
export function variableOf(sample: GqaSample, name: string): PyValue {
  const read = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return read ? read(sample) : '';
}

function semanticProgram(sample: GqaSample): string {
  return stepsOf(sample)
    .map((step) => `${pyStr(valueAt(step, 'operation'))}:${pyStr(valueAt(step, 'argument'))}`)
    .join(' | ');
}
