import { expectTypeOf } from 'vitest';
import type { EvaluatorName } from '../score/evaluators/evaluator-types.ts';
import { type ConfigInput, defineConfig } from './define-config.ts';

const dataset = {
  path: 'sums.jsonl',
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' } },
};

expectTypeOf(defineConfig).returns.toEqualTypeOf<ConfigInput>();
defineConfig({ models: [{ abbr: 'm', type: 'OpenAI' }], datasets: [dataset] });
defineConfig({ datasets: [{ task: 'arithmetic' }, { ...dataset, n: 3 }] });
defineConfig({
  datasets: [{ task: 'arithmetic', infer_cfg: { retriever: { type: 'ZeroRetriever' } } }],
});
defineConfig({ math_datasets: [dataset], small_models: [{ abbr: 'm' }] });
// @ts-expect-error a dataset without a task needs to say how it is asked
defineConfig({ datasets: [{ path: 'sums.jsonl' }] });
// @ts-expect-error no such key
defineConfig({ datset: [] });

type Written = NonNullable<ConfigInput['datasets']>[number]['eval_cfg'];
type TypeOf<Part> = Part extends { type: infer Name } ? Name : never;
// The names are proposed, and others may be written.
expectTypeOf<TypeOf<NonNullable<Written>['evaluator']>>().toEqualTypeOf<
  EvaluatorName | (string & {})
>();
