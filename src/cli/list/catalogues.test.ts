import { expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { compileScorer } from '../../score/compile-scorer.ts';
import { checkKeys } from '../../score/component/component.ts';
import { type CatalogueEntry, evaluators, postprocessors } from './catalogues.ts';

/** The names that a scorer offers in place of one that it does not know. */
function namesIn(config: Parameters<typeof compileScorer>[0]): string[] {
  const hint = hintOf(config) ?? '';
  return hint.slice(hint.indexOf('Available: ') + 11, -1).split(', ');
}

function hintOf(config: Parameters<typeof compileScorer>[0]): string | undefined {
  try {
    compileScorer(config);
  } catch (error) {
    return error instanceof ConfigError ? error.hint : undefined;
  }
  return undefined;
}

const namesOf = (entries: readonly CatalogueEntry[]) => entries.map(({ name }) => name);
const exact = { type: 'exact' };

test('all evaluators are listed', () => {
  expect(namesOf(evaluators)).toEqual(namesIn({ evaluator: { type: '-' } }));
});

test('all post-processors are listed, but for their names in OpenCompass', () => {
  const known = namesIn({ evaluator: exact, predPostprocessor: { type: '-' } });
  expect(namesOf(postprocessors)).toEqual(
    known.filter((name) => !name.endsWith('_postprocess') && !name.includes('_')),
  );
});

test.each([
  ...evaluators.map(
    ({ name, options }) =>
      [name, options, (component: { type: string }) => ({ evaluator: component })] as const,
  ),
  ...postprocessors.map(
    ({ name, options }) =>
      [
        name,
        options,
        (component: { type: string }) => ({ evaluator: exact, predPostprocessor: component }),
      ] as const,
  ),
])('%s has the options %j', (name, options, configOf) => {
  const hint = hintOf(configOf({ type: name, ...{ '-': 1 } }));
  // An evaluator may be one of several checks, which have keys of their own.
  const isCheck =
    name !== 'checks' &&
    evaluators.some((entry) => entry.name === name && entry.options === options);
  const known = new Set(['type', ...options, ...(isCheck ? checkKeys : [])]);
  expect(hint).toBe(`Known keys: ${[...known].join(', ')}.`);
});
