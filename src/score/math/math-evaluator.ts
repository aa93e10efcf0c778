import { componentType } from '../component/component.ts';
import { accuracy, toleranceOptions } from '../evaluators/basic-evaluators.ts';
import { answerFormula, mathEqual } from './math-equal.ts';

export const mathEvaluators = {
  math: componentType({
    summary: 'the formula that an answer comes to, however it is written',
    options: toleranceOptions,
    build: ({ tolerance, relative_tolerance: relativeTolerance }) =>
      accuracy(answerFormula, mathEqual({ tolerance, relativeTolerance })),
  }),
};
