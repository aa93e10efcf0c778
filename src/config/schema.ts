import * as z from 'zod';
import { Float } from '../prompt/values.ts';
import type { Problem } from './problems.ts';
import { inlineRows, rowFiles } from './row-source.ts';
import {
  anyMapping,
  compat,
  component,
  count,
  mapping,
  options,
  orNull,
  text,
  textList,
  texts,
  wholeNumber,
} from './schema-parts.ts';
import {
  inferencerTypes,
  missingRetrieverTypes,
  modelTypes,
  retrieverTypes,
  templateTypes,
  typeName,
} from './type-names.ts';

const metaTemplate = z.custom<string | object>(
  (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  { error: 'a name from the catalogue, a mapping or a list' },
);

export const modelSchema = mapping({
  abbr: text.optional(),
  type: typeName({ kind: 'a model', known: modelTypes }).optional(),
  path: text.optional(),
  model: text.optional(),
  base_url: text.optional(),
  api_key_env: text.optional(),
  headers: z.record(text, text, { error: 'a mapping of header name to value' }).optional(),
  meta_template: orNull(metaTemplate),
  chat_template: text.optional(),
  chat_template_name: text.optional(),
  tokenizer: text.optional(),
  max_seq_len: orNull(count),
  max_out_len: count.optional(),
  batch_size: count.optional(),
  generation_kwargs: options.optional(),
  stop: textList('a string or a list of strings', (value) => [value]).optional(),
  compat: compat.optional(),
});

const range = orNull(
  z.union([text, z.number(), z.instanceof(Float)], {
    error: 'a slice such as "[:100]", a number of rows, or a share of them',
  }),
);

const readerSchema = mapping({
  input_columns: textList('a list of column names', (value) => value.trim().split(/\s+/)),
  output_column: z
    .string({ error: 'the name of the answer column, or null' })
    .nullable()
    .transform((value) => value ?? undefined),
  train_split: text.optional(),
  test_split: text.optional(),
  train_range: range,
  test_range: range,
});

const templateSchema = mapping({
  type: typeName({ kind: 'a template', known: templateTypes }).optional(),
  template: z.unknown().optional(),
  messages: z.unknown().optional(),
  ice_token: orNull(text),
  sep_token: orNull(text),
  column_token_map: orNull(anyMapping),
  format_variables: z.boolean({ error: 'true or false' }).optional(),
}).superRefine(({ template, messages }, context) => {
  if (template === undefined && messages === undefined) {
    addProblem(context, {
      code: 'config.missing_key',
      message: 'has neither `template` nor `messages`',
      hint: 'Write the prompt as `template`, or as `messages` in wire roles.',
    });
  }
  if (template !== undefined && messages !== undefined) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      message: 'has both `template` and `messages`',
      hint: 'Keep one of the two.',
    });
  }
});

const fixIdList = z.array(wholeNumber, { error: 'a list of row numbers' });

const retrieverSchema = mapping({
  type: typeName({ kind: 'a retriever', known: retrieverTypes, missing: missingRetrieverTypes }),
  ice_separator: text.optional(),
  ice_eos_token: text.optional(),
  ice_num: count.optional(),
  fix_id_list: fixIdList.optional(),
  seed: wholeNumber.optional(),
});

const inferencerSchema = mapping({
  type: typeName({ kind: 'an inferencer', known: inferencerTypes }),
  max_out_len: count.optional(),
  min_out_len: count.optional(),
  max_seq_len: orNull(count),
  batch_size: count.optional(),
  stopping_criteria: texts.optional(),
  gen_field_replace_token: text.optional(),
  labels: z.array(z.unknown(), { error: 'a list of labels' }).optional(),
  normalizing_str: text.optional(),
  infer_mode: z
    .enum(['every', 'every_with_gt', 'last'], { error: '`every`, `every_with_gt` or `last`' })
    .optional(),
  sc_size: count.optional(),
  fix_id_list: fixIdList.optional(),
});

export const inferSchema = mapping({
  ice_template: orNull(templateSchema),
  prompt_template: orNull(templateSchema),
  retriever: retrieverSchema.optional(),
  inferencer: inferencerSchema.optional(),
}).superRefine(({ ice_template, prompt_template }, context) => {
  if (ice_template !== undefined || prompt_template !== undefined) return;
  addProblem(context, {
    code: 'config.missing_key',
    message: 'has neither `prompt_template` nor `ice_template`',
    hint: 'Add `prompt_template: { type: PromptTemplate, template: … }`.',
  });
});

const evalSchema = mapping({
  evaluator: component,
  pred_role: text.optional(),
  pred_postprocessor: component.optional(),
  dataset_postprocessor: component.optional(),
});

export const datasetSchema = mapping({
  abbr: text.optional(),
  type: text.optional(),
  path: rowFiles.optional(),
  name: text.optional(),
  rows: inlineRows.optional(),
  reader_cfg: readerSchema,
  infer_cfg: inferSchema,
  eval_cfg: evalSchema.optional(),
}).superRefine(({ path, rows }, context) => {
  if ((path === undefined) !== (rows === undefined)) return;
  addProblem(context, {
    code: path === undefined ? 'config.missing_key' : 'config.conflicting_keys',
    message: path === undefined ? 'has neither `path` nor `rows`' : 'has both `path` and `rows`',
    hint: 'Name a file of rows as `path`, or write the rows themselves as `rows`.',
  });
});

const models = z.array(modelSchema, { error: 'a list of models' }).optional();
const datasets = z.array(datasetSchema, { error: 'a list of data sets' }).optional();

/** The schema of a config with the given keys: `*_models` and `*_datasets` are lists as well. */
export function configSchema(keys: readonly string[]) {
  const lists: Record<ExtraModels, typeof models> & Record<ExtraDatasets, typeof datasets> = {};
  for (const key of keys) {
    if (isExtra(key, '_models')) lists[key] = models;
    if (isExtra(key, '_datasets')) lists[key] = datasets;
  }
  return mapping({
    compat: compat.optional(),
    models,
    datasets,
    work_dir: text.optional(),
    summarizer: anyMapping.optional(),
    seed: wholeNumber.optional(),
    ...lists,
  });
}

type ExtraModels = `${string}_models`;
type ExtraDatasets = `${string}_datasets`;

function isExtra<Suffix extends string>(key: string, suffix: Suffix): key is `${string}${Suffix}` {
  return key.endsWith(suffix) && key !== suffix;
}

function addProblem(context: z.RefinementCtx, problem: Omit<Problem, 'path' | 'key'>): void {
  const { code, message, hint } = problem;
  context.addIssue({ code: 'custom', message, params: { code, hint } });
}
