import * as z from 'zod';
import { componentType } from '../component/component.ts';
import { nonEmptyText, oneOfNames } from '../component/option-kinds.ts';
import type { ScoringParts } from '../evaluators/scoring-parts.ts';
import { createCodeScorer } from './code-scorer.ts';
import { languageNames } from './languages.ts';

const aboveZero = z
  .number({ error: 'a number above 0' })
  .positive({ error: 'a number above 0' })
  .optional();

export const codeEvaluators = {
  code: componentType({
    summary: 'the code of the answer passes the tests of the row',
    options: {
      language: oneOfNames(languageNames).describe('The programming language'),
      test: nonEmptyText
        .optional()
        .describe(
          'Code to run after that of the answer, with columns in braces; `{test}` by default',
        ),
      setup: nonEmptyText.optional().describe('Code to run before that of the answer'),
      entry_point: nonEmptyText
        .optional()
        .describe('The column with the name that the answer must define'),
      timeout: aboveZero.describe('Time limit for the tests, in seconds; 10 by default'),
      memory_mb: aboveZero.describe('Memory limit for the tests, in MB; 512 by default'),
    },
    build(options, { extractorsOf }: ScoringParts, { path }) {
      const { language, setup, entry_point: entryPoint, timeout = 10, memory_mb = 512 } = options;
      // What rows in the shape of HumanEval need.
      const check = entryPoint === undefined ? '' : `\n\ncheck({${entryPoint}})`;
      return createCodeScorer({
        language,
        test: options.test ?? `{test}${check}`,
        setup,
        entryPoint,
        limits: { timeoutMs: timeout * 1000, memoryMb: memory_mb },
        extractorsOf,
        path,
      });
    },
  }),
};
