import * as z from 'zod';
import { isMapping, type Mapping } from '../prompt/mapping.ts';
import { Float } from '../prompt/values.ts';
import type { EvaluatorName } from '../score/evaluators/evaluator-types.ts';
import type { PostprocessorName } from '../score/extract/postprocessors.ts';
import { editorMapping, editorText, forEditors, oneOrMore } from './editor-schema.ts';
import { datasetGateSchema, gateSchema } from './gate-schema.ts';
import { inferSchema } from './infer-schema.ts';
import { modelSchema } from './model-schema.ts';
import { inlineRows, rowFiles } from './row-source.ts';
import {
  addProblem,
  amount,
  type ComponentInput,
  type ComponentOutput,
  compat,
  component,
  componentOrList,
  count,
  mapping,
  orNull,
  text,
  textList,
  texts,
  trueOrFalse,
  wholeNumber,
} from './schema-parts.ts';
import { sweepSchema } from './sweep-schema.ts';

const range = orNull(
  z.union([text, z.number(), forEditors(z.instanceof(Float), { type: 'number' })], {
    error: 'a slice such as "[:100]", a number of rows, or a share of them',
  }),
);

const readerSchema = mapping({
  input_columns: textList('a list of column names', (value) => value.trim().split(/\s+/)).describe(
    'The columns that prompts may use',
  ),
  output_column: z
    .string({ error: 'the name of the gold answer column, or null' })
    .nullable()
    .transform((value) => value ?? undefined)
    .describe('The column with the gold answer; null if there is none'),
  columns: textList('a list of column names', (value) => value.trim().split(/\s+/))
    .optional()
    .describe('The columns of a CSV or TSV file without a header line, in order'),
  train_split: text.optional().describe('The split that examples come from'),
  test_split: text.optional().describe('The split that is asked'),
  train_range: range.describe('Rows of the train split to use: "[:100]", a number, or a share'),
  test_range: range.describe('Rows of the test split to use: "[:100]", a number, or a share'),
  cluster_by: text
    .optional()
    .describe('The column whose value rows of one cluster share: a document, a dialogue, a user'),
});

type EvaluatorInput = ComponentInput<EvaluatorName>;

/** A list of checks, also an empty one, is one evaluator. */
const evaluator = forEditors(
  z
    .union([component, z.array(component)], {
      error: 'a mapping with a `type`, or a list of checks',
    })
    .transform(
      (value): ComponentOutput =>
        Array.isArray(value) ? { type: 'checks', checks: value } : value,
    )
    .describe('How an answer is scored, or a list of checks'),
  {
    anyOf: [
      { $ref: '#/$defs/evaluator' },
      { $ref: '#/$defs/check' },
      {
        type: 'array',
        items: { anyOf: [{ $ref: '#/$defs/evaluator' }, { $ref: '#/$defs/check' }] },
      },
    ],
  },
) as unknown as z.ZodType<ComponentOutput, EvaluatorInput | EvaluatorInput[]>;

type PostprocessorInput = ComponentInput<PostprocessorName>;

const postprocessors = forEditors(
  componentOrList,
  oneOrMore({ $ref: '#/$defs/postprocessor' }),
) as z.ZodType<z.output<typeof componentOrList>, PostprocessorInput | PostprocessorInput[]>;

const evalSchema = mapping({
  evaluator,
  pred_role: text.optional().describe('Accepted and ignored'),
  pred_postprocessor: postprocessors
    .optional()
    .describe(
      'Extracts the part of an answer to compare; replaces the default extraction of the evaluator',
    ),
  circular: z
    .enum(['rotations', 'permutations'], { error: '`rotations` or `permutations`' })
    .optional()
    .describe(
      'Asks with the options in several orders; a row counts as right only if all of them are',
    ),
  dataset_postprocessor: postprocessors
    .optional()
    .describe('Extracts the part of the gold answer to compare'),
});

const mediaSchema = mapping({
  inline: trueOrFalse
    .optional()
    .describe('Sends the bytes of local files (true, the default), or only their path'),
  max_bytes: count
    .optional()
    .describe('Maximum bytes of a media file that is sent; 20000000 by default'),
  allow_outside: trueOrFalse
    .optional()
    .describe('Allows files outside the folder of the data; false by default'),
});

/** What the original is told by flags, and the functions of its tasks. */
const lmEvalSchema = mapping({
  config: forEditors(z.custom<Mapping>(isMapping, { error: 'a mapping' }), editorMapping)
    .optional()
    .describe('The task as in its YAML file, with includes and groups resolved'),
  file: text.optional().describe('The file that the task was read from'),
  num_fewshot: z
    .int({ error: 'a whole number, 0 or above' })
    .min(0, { error: 'a whole number, 0 or above' })
    .optional()
    .describe('Number of examples; as in the task by default'),
  fewshot_seed: wholeNumber.optional().describe('Seed of the examples; 1234 by default'),
  system_instruction: text.optional().describe('System message, before the description'),
  apply_chat_template: trueOrFalse.optional().describe('Uses the chat template of the model'),
  fewshot_as_multiturn: trueOrFalse
    .optional()
    .describe('Shows examples as separate turns, if the chat template is used; true by default'),
  gen_kwargs: forEditors(z.custom<Mapping>(isMapping, { error: 'a mapping' }), editorMapping)
    .optional()
    .describe('Generation settings; they override those of the task'),
  functions: forEditors(
    z.custom<string | Readonly<Record<string, (...given: never[]) => unknown>>>(
      (value) => typeof value === 'string' || isMapping(value),
      { error: 'the path of a file, or functions by their names' },
    ),
    { anyOf: [editorText, editorMapping] },
  )
    .optional()
    .describe('Replacements for `!function`: a file that exports them, or the functions'),
});

export const datasetSchema = mapping({
  abbr: text.optional().describe('Short name; the name of the file by default'),
  type: text.optional().describe('Accepted and ignored'),
  task: text.optional().describe('A task with rows, templates and scoring: its name or file'),
  version: text.optional().describe('Which template of the task; its first one by default'),
  dialect: text
    .optional()
    .describe('Which release of the original the prompts and scores of a financial task follow'),
  version_hash: text
    .optional()
    .describe('Expected hash of the template version; the run stops if the text has changed'),
  path: rowFiles.optional().describe('Data file, relative to the config, or one per split'),
  published: forEditors(component, { type: 'object' })
    .optional()
    .describe(
      'A dataset class of OpenCompass or AISBench with its settings; `path` is the folder of its published files',
    ),
  name: text.optional().describe('Accepted and ignored'),
  rows: inlineRows.optional().describe('The rows themselves, instead of `path`'),
  n: count.optional().describe('How often each row is asked; 1 by default'),
  k: z
    .union([count, z.array(count)], { error: 'a count, or a list of counts' })
    .optional()
    .describe('The k of pass@k, pass^k and cons@k; n by default'),
  media: mediaSchema.optional().describe('How images, audio and video are read and sent'),
  lm_eval: lmEvalSchema.optional().describe('How a task of lm-evaluation-harness is asked'),
  reader_cfg: readerSchema.describe('Columns and rows to use'),
  infer_cfg: inferSchema.describe('What is asked'),
  eval_cfg: evalSchema.optional().describe('How answers are scored'),
  gate: datasetGateSchema.optional().describe('What results on this dataset must reach'),
}).superRefine(({ path, rows, n = 1, k, ...dataset }, context) => {
  checkColumns({ columns: dataset.reader_cfg.columns, rows }, context);
  checkMeasured(dataset, context);
  if (dataset.dialect !== undefined && dataset.task === undefined) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['dialect'],
      message: 'has no effect on a dataset without a `task`',
      hint: 'Name a task that has dialects, such as `task: cma_basics`, or remove it.',
    });
  }
  const tooMany = [k ?? []].flat().find((size) => size > n);
  if (tooMany !== undefined) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['k'],
      message: `has ${tooMany}, and each row is asked ${n === 1 ? 'once' : `${n} times`}`,
      hint: `Set \`n\` to ${tooMany} at least, or leave ${tooMany} out of \`k\`.`,
    });
  }
  if (dataset.published && path?.type !== 'file') {
    addProblem(context, {
      code: path === undefined ? 'config.missing_key' : 'config.conflicting_keys',
      path: path === undefined ? [] : ['path'],
      message: path === undefined ? 'has `published` but no `path`' : 'is not a single path',
      hint: 'Set `path` to the folder or file with the published data.',
    });
    return;
  }
  if ((path === undefined) !== (rows === undefined)) return;
  addProblem(context, {
    code: path === undefined ? 'config.missing_key' : 'config.conflicting_keys',
    message: path === undefined ? 'has neither `path` nor `rows`' : 'has both `path` and `rows`',
    hint: 'Set `path` to a data file, or write the rows under `rows`.',
  });
});

interface MeasuredDataset {
  readonly infer_cfg: { readonly inferencer?: { readonly type?: string | undefined } | undefined };
  readonly eval_cfg?: z.output<typeof evalSchema> | undefined;
}

/** Texts that are measured have no answers to be scored, and answers have no such measure. */
function checkMeasured({ infer_cfg, eval_cfg }: MeasuredDataset, context: z.RefinementCtx): void {
  if (!eval_cfg) return;
  const isMeasured = infer_cfg.inferencer?.type === 'PPLOnlyInferencer';
  const { evaluator, pred_role: _, ...others } = eval_cfg;
  const isMeasure = evaluator.type === 'AveragePPLEvaluator';
  if (isMeasured && !(isMeasure && Object.keys(others).length === 0)) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['eval_cfg'],
      message: isMeasure
        ? `has ${Object.keys(others)[0]}, but PPLOnlyInferencer measures texts: there are no answers`
        : `has the evaluator ${evaluator.type}, but PPLOnlyInferencer measures texts: there are no answers to score`,
      hint: 'Leave out `eval_cfg`: the score is then the mean loss of the texts. To compare labels, use `PPLInferencer`.',
    });
  } else if (isMeasure && !isMeasured) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['eval_cfg', 'evaluator'],
      message: 'is AveragePPLEvaluator, which needs texts measured by PPLOnlyInferencer',
      hint: 'Use `PPLOnlyInferencer`, or an evaluator of answers such as `AccEvaluator`.',
    });
  }
}

/** Names of columns are for files, and tell columns apart. */
function checkColumns(
  { columns = [], rows }: { readonly columns?: readonly string[] | undefined; rows?: unknown },
  context: z.RefinementCtx,
): void {
  const path = ['reader_cfg', 'columns'];
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice !== undefined) {
    addProblem(context, {
      code: 'config.duplicate_column',
      path,
      message: `names \`${twice}\` twice`,
      hint: 'Give each column a different name.',
    });
  }
  if (columns.length === 0 || rows === undefined) return;
  addProblem(context, {
    code: 'config.conflicting_keys',
    path,
    message: 'names the columns of a file, but the rows are written in the config',
    hint: 'Leave it out: rows in a config already name their columns.',
  });
}

const groupSchema = mapping({
  name: text.describe('Name of the average'),
  subsets: texts.describe('The datasets to average, by abbr'),
  weights: z
    .record(z.string(), amount, { error: 'a mapping of abbrs to numbers' })
    .optional()
    .describe('Weight of each dataset; equal by default'),
});

/** A name for the average over some datasets. */
export type SummaryGroup = z.output<typeof groupSchema>;

interface Summarizer {
  readonly summary_groups?: readonly SummaryGroup[] | undefined;
  readonly [key: string]: unknown;
}

// Other keys of the field's summarizers say how to print tables; they are left alone.
const summarizerSchema = z.preprocess(
  (value) => (value instanceof Map ? Object.fromEntries(value) : value),
  z.looseObject(
    {
      summary_groups: z
        .array(groupSchema, { error: 'a list of groups' })
        .optional()
        .describe('Averages over several datasets'),
    },
    { error: 'a mapping' },
  ),
) as unknown as z.ZodType<Summarizer, Summarizer>;

const models = z
  .array(modelSchema, { error: 'a list of models' })
  .optional()
  .describe('The models to evaluate');
const datasets = z
  .array(datasetSchema, { error: 'a list of datasets' })
  .optional()
  .describe('The datasets to evaluate on');

/** The schema of a config with the given keys: `*_models` and `*_datasets` are lists as well. */
export function configSchema(keys: readonly string[]) {
  const lists: Record<ExtraModels, typeof models> & Record<ExtraDatasets, typeof datasets> = {};
  for (const key of keys) {
    if (isExtra(key, '_models')) lists[key] = models;
    if (isExtra(key, '_datasets')) lists[key] = datasets;
  }
  return mapping({
    compat: compat.optional().describe('Builds prompts and scores answers as another system does'),
    models,
    datasets,
    work_dir: text.optional().describe('Folder of the runs; `runs` by default'),
    summarizer: summarizerSchema.optional().describe('Averages to report'),
    seed: wholeNumber.optional().describe('Seed of random draws'),
    gate: gateSchema
      .optional()
      .describe('What results must reach; otherwise the exit code is not 0'),
    sweep: sweepSchema.optional().describe('What `typecase sweep` varies'),
    $schema: text.optional().describe('The schema of this file, for editors'),
    ...lists,
  });
}

type ExtraModels = `${string}_models`;
type ExtraDatasets = `${string}_datasets`;

function isExtra<Suffix extends string>(key: string, suffix: Suffix): key is `${string}${Suffix}` {
  return key.endsWith(suffix) && key !== suffix;
}
