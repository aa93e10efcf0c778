import { componentType } from '../component/component.ts';
import { accuracy, sameBy, toleranceOptions } from '../evaluators/basic-evaluators.ts';
import { answerFormula, mathEqual } from './math-equal.ts';

export const mathEvaluators = {
  math: componentType({
    summary: 'the final formula in the answer, however it is written',
    options: toleranceOptions,
    build({ tolerance, relative_tolerance: relativeTolerance }) {
      const compare = mathEqual({ tolerance, relativeTolerance });
      return { ...accuracy(answerFormula, compare, { readsBegun: true }), isSame: sameBy(compare) };
    },
  }),
};
