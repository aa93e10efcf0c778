import {
  type LocatedComponent,
  missingOption,
  nonEmptyText,
  type OptionReader,
  oneOfNames,
  readOptions,
} from '../component-options.ts';
import type { LaterParts } from '../later-evaluators.ts';
import type { Scorer } from '../scorer.ts';
import { createCodeScorer } from './code-scorer.ts';
import { languageNames } from './languages.ts';

const aboveZero: OptionReader<number> = {
  expected: 'a number above 0',
  read: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
};

/** `type: code`: tests that are run on the code of an answer. */
export function buildCodeScorer(placed: LocatedComponent, { extractorsOf }: LaterParts): Scorer {
  const {
    language,
    test,
    setup,
    entry_point: entryPoint,
    timeout = 10,
    memory_mb: memoryMb = 512,
  } = readOptions(placed, {
    language: oneOfNames(...languageNames),
    test: nonEmptyText,
    setup: nonEmptyText,
    entry_point: nonEmptyText,
    timeout: aboveZero,
    memory_mb: aboveZero,
  });
  if (!language) throw missingOption(placed, 'language');
  // What rows in the shape of HumanEval need.
  const check = entryPoint === undefined ? '' : `\n\ncheck({${entryPoint}})`;
  return createCodeScorer({
    language,
    test: test ?? `{test}${check}`,
    setup,
    entryPoint,
    limits: { timeoutMs: timeout * 1000, memoryMb },
    extractorsOf,
  });
}
