import { checkEvaluators } from '../checks/check-evaluators.ts';
import { checksEvaluators } from '../checks/checks-evaluator.ts';
import { codeEvaluators } from '../code/code-evaluator.ts';
import { judgeEvaluators, openCompassJudges } from '../judge/judge-evaluators.ts';
import { mathEvaluators } from '../math/math-evaluator.ts';
import { accuracyEvaluators, basicEvaluators } from './basic-evaluators.ts';
import { functionEvaluators } from './function-evaluator.ts';
import { labelEvaluators } from './label-evaluators.ts';
import { measureEvaluators } from './measure-evaluators.ts';
import type { EvaluatorTypes } from './scoring-parts.ts';
import { textEvaluators } from './text-evaluators.ts';

/** All evaluators, by the names that configs choose them by. */
export const evaluatorTypes = {
  ...basicEvaluators,
  ...mathEvaluators,
  ...accuracyEvaluators,
  ...textEvaluators,
  ...labelEvaluators,
  ...judgeEvaluators,
  ...codeEvaluators,
  ...checkEvaluators,
  ...checksEvaluators,
  ...functionEvaluators,
  ...measureEvaluators,
  ...openCompassJudges,
} satisfies EvaluatorTypes;

export type EvaluatorName = keyof typeof evaluatorTypes;
