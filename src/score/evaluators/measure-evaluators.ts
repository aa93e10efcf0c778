import { componentType } from '../component/component.ts';
import { perplexityScorer } from '../perplexity-scorer.ts';

/** For texts that are measured, and to which nothing is answered. */
export const measureEvaluators = {
  AveragePPLEvaluator: componentType({
    summary: 'the mean loss of texts measured by `PPLOnlyInferencer`, as without an evaluator',
    options: {},
    build: () => perplexityScorer,
  }),
};
