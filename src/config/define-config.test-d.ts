import { expectTypeOf } from 'vitest';
import { openAiModel } from '../model/openai-model.ts';
import type { EvaluatorName } from '../score/evaluators/evaluator-types.ts';
import type { ConfigInput, EvaluatorInput, ModelInput } from './config-input.ts';
import { defineConfig } from './define-config.ts';
import type { modelTypes, retrieverTypes } from './type-names.ts';

const base = {
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { prompt_template: { template: '{q}' } },
};
const rows = [{ q: 1, a: 2 }];

// Of one argument: compilers differ in the line that they name where overloads are refused.
declare function withDataset(dataset: NonNullable<ConfigInput['datasets']>[number]): void;
type Asked = Extract<NonNullable<ConfigInput['datasets']>[number], { infer_cfg: object }>;
type Prompt = NonNullable<Asked['infer_cfg']['prompt_template']>;
declare function withTemplate(template: Extract<Prompt, { template: unknown }>['template']): void;

// What may be written.
expectTypeOf(defineConfig({ datasets: [] })).toEqualTypeOf<ConfigInput>();
defineConfig({ models: [{ abbr: 'm', type: 'OpenAI' }], datasets: [{ ...base, path: 'a.jsonl' }] });
defineConfig({ datasets: [{ task: 'arithmetic/equation' }] });
defineConfig({ datasets: [{ task: 'arithmetic' }, { ...base, rows, n: 3 }] });
defineConfig({
  datasets: [{ task: 'arithmetic', infer_cfg: { retriever: { type: 'ZeroRetriever' } } }],
});
defineConfig({
  openai_models: [{ type: 'OpenAI', model: 'x' }],
  my_datasets: [{ ...base, rows: [] }],
});
expectTypeOf(defineConfig(() => ({ datasets: [] }))).toEqualTypeOf<ConfigInput>();
defineConfig(async () => ({ models: [{ type: 'OpenAI', model: 'x' }], datasets: [] }));
defineConfig({
  models: [{ abbr: 'm', type: 'opencompass.models.OpenAI' }],
  datasets: [{ ...base, rows, eval_cfg: { evaluator: { type: 'my.own.AccEvaluator', a: 1 } } }],
});
// Functions and models of programs.
defineConfig({
  models: [
    { abbr: 'app', generate: async ({ prompt, row, signal }) => `${prompt} ${row.q} ${signal}` },
    { abbr: 'v3', version: 'v3', generate: ({ messages }) => ({ text: messages.join() }) },
    { type: 'function', file: './app.ts', export: 'answer' },
    { model: openAiModel({ takes: 'text', baseUrl: 'http://x', model: 'm', source: [] }) },
  ],
  datasets: [
    { ...base, rows, infer_cfg: { prompt_template: { template: ({ row }) => `${row.q}?` } } },
  ],
});
// @ts-expect-error a function that gives a number
defineConfig({ models: [{ abbr: 'app', generate: () => 1 }] });
// @ts-expect-error a function beside a file
defineConfig({ models: [{ type: 'function', file: './app.ts', generate: () => 'a' }] });
// Lists of checks.
defineConfig({
  datasets: [
    {
      ...base,
      rows,
      eval_cfg: {
        evaluator: [
          { type: 'contains', value: 'Paris', weight: 2 },
          { type: 'not-contains', value: 'sorry', name: 'no apology' },
          { type: 'llm-rubric', value: 'is kind', threshold: 0.5 },
          { type: 'function', name: 'short', score: (answer) => answer.length < 9 },
        ],
      },
    },
  ],
});
// @ts-expect-error a misspelt check
defineConfig({ datasets: [{ ...base, rows, eval_cfg: { evaluator: [{ type: 'contans' }] } }] });
// @ts-expect-error a misspelt option of a check
withDataset({ ...base, rows, eval_cfg: { evaluator: [{ type: 'exact', treshold: 1 }] } });
// The page on scoring, word for word.
defineConfig({
  datasets: [
    {
      ...base,
      rows: [{ q: 'a', a: '1', tolerance: 0.1 }],
      eval_cfg: {
        evaluator: {
          type: 'function',
          metric: 'close enough',
          score: (answer, { gold, row }) =>
            Math.abs(Number(answer) - Number(gold)) < Number(row.tolerance),
        },
        pred_postprocessor: { type: 'last-number' },
      },
    },
  ],
});
interface MyRow {
  readonly q: string;
}
const own: MyRow[] = [{ q: 'a' }];
defineConfig({ datasets: [{ ...base, rows: own }] });
const fixed = { models: [{ type: 'Local', path: 'x' }], datasets: [{ task: 'a' }] } as const;
defineConfig(fixed);

// Fourteen mistakes, of which editors and `tsc` tell.
// @ts-expect-error a misspelt key
defineConfig({ modles: [], datasets: [] });
// @ts-expect-error a misspelt type of a model
defineConfig({ models: [{ type: 'OpenAi', model: 'x' }], datasets: [] });
// @ts-expect-error a key in another spelling
defineConfig({ models: [{ type: 'OpenAI', baseUrl: 'http://x' }], datasets: [] });
// @ts-expect-error a misspelt evaluator
defineConfig({ datasets: [{ ...base, rows, eval_cfg: { evaluator: { type: 'exakt' } } }] });
// @ts-expect-error a misspelt option of an evaluator
withDataset({ ...base, rows, eval_cfg: { evaluator: { type: 'exact', ignorecase: true } } });
// @ts-expect-error an option that is missing
defineConfig({ datasets: [{ ...base, rows, eval_cfg: { evaluator: { type: 'regex' } } }] });
// @ts-expect-error a misspelt key
defineConfig({ datasets: [{ ...base, rows, eval_cfg: { evaluatr: { type: 'exact' } } }] });
// @ts-expect-error a misspelt section of a template
withTemplate({ rounds: [{ role: 'HUMAN', prompt: '{q}' }] });
// @ts-expect-error a misspelt key of a turn
withTemplate({ round: [{ role: 'HUMAN', promt: '{q}' }] });
const prompt_template = { template: '{q}' };
withDataset({
  ...base,
  rows,
  // @ts-expect-error a misspelt retriever
  infer_cfg: { prompt_template, retriever: { type: 'RandomRetreiver' } },
});
withDataset({
  ...base,
  rows,
  // @ts-expect-error a misspelt inferencer
  infer_cfg: { prompt_template, inferencer: { type: 'GenInferencr' } },
});
// @ts-expect-error a scorer that gives a text
withDataset({ ...base, rows, eval_cfg: { evaluator: { type: 'function', score: () => 'yes' } } });
// @ts-expect-error a misspelt `score`
withDataset({ ...base, rows, eval_cfg: { evaluator: { type: 'function', scor: () => 1 } } });
// @ts-expect-error a misspelt option of a judge
withDataset({ ...base, rows, eval_cfg: { evaluator: { type: 'judge', modle: 'x' } } });
// @ts-expect-error a misspelt format
defineConfig({ models: [{ type: 'OpenAI', model: 'x', meta_template: 'chatlm' }] });

// More that is refused when a config is read.
// @ts-expect-error a dataset without a task needs to say how it is asked
defineConfig({ datasets: [{ path: 'sums.jsonl' }] });
// @ts-expect-error a local model needs its path
defineConfig({ models: [{ type: 'Local' }] });
// @ts-expect-error keys of other types
defineConfig({ models: [{ type: 'OpenAI', package: '@ai-sdk/openai' }] });
// @ts-expect-error a misspelt type in a list of another name
defineConfig({ openai_models: [{ type: 'OpenAi' }] });
// @ts-expect-error a misspelt type in a function
defineConfig(() => ({ models: [{ type: 'OpenAi' }], datasets: [] }));

// What editors propose.
type TypeOf<Part> = Part extends { readonly type?: infer Name } ? Name : never;
type Path = `${string}.${string}`;
expectTypeOf<TypeOf<EvaluatorInput>>().toEqualTypeOf<EvaluatorName | Path>();
expectTypeOf<TypeOf<ModelInput>>().toEqualTypeOf<(typeof modelTypes)[number] | Path | undefined>();
type Own = Extract<NonNullable<ConfigInput['datasets']>[number], { infer_cfg: object }>;
type Retriever = NonNullable<Own['infer_cfg']['retriever']>;
expectTypeOf<Retriever['type']>().toEqualTypeOf<(typeof retrieverTypes)[number] | Path>();
type Format = NonNullable<ModelInput['meta_template']>;
expectTypeOf<'chatml' | 'llama3'>().toExtend<Format>();
