import * as z from 'zod';
import { compileWhere } from '../data/select/where.ts';
import { TypecaseError } from '../errors.ts';
import { shownUrl } from '../model/endpoint-address.ts';
import type { RetrieveFunction } from '../retrieve/retriever.ts';
import type { EmbedderConfig } from './config.ts';
import { forEditors } from './editor-schema.ts';
import {
  addProblem,
  count,
  mapping,
  positiveNumber,
  text,
  textList,
  texts,
  variableName,
  wholeNumber,
} from './schema-parts.ts';
import { missingRetrieverTypes, retrieverTypes, typeName } from './type-names.ts';

export const fixIdList = z.array(wholeNumber, { error: 'a list of row numbers' });

const condition = text.superRefine((value, context) => {
  try {
    compileWhere(value);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    const { code, message, hint } = error;
    addProblem(context, { code, message: `cannot be read: ${message}`, hint });
  }
});

/** What a run keeps of its config must hold no secrets. */
const openAddress = text.superRefine((value, context) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isOpen = !parsed?.username && !parsed?.password && !shownUrl(value).includes('***');
  if (parsed && isOpen) return;
  addProblem(context, {
    code: 'model.bad_base_url',
    message: parsed ? 'holds a password or a key' : 'is not a web address',
    hint: parsed
      ? 'Put the key into an environment variable, and its name into `api_key_env`.'
      : 'Write it in full, such as `http://127.0.0.1:8001/v1`.',
  });
});

const embedderSchema = mapping({
  base_url: openAddress.optional().describe('Address of the endpoint, with or without /v1'),
  model: text.optional().describe('The name that the endpoint knows the model by'),
  api_key_env: variableName.optional().describe('Environment variable that holds the API key'),
  path: text.optional().describe('Folder of an encoder on this machine, in place of an endpoint'),
  batch_size: count.optional().describe('The most texts that are embedded together'),
}).transform(({ base_url, model, api_key_env, path, batch_size }, context): EmbedderConfig => {
  const shared = { batchSize: batch_size };
  const isEndpoint = base_url !== undefined && model !== undefined;
  if (isEndpoint && path === undefined) {
    return { baseUrl: base_url, model, apiKeyEnv: api_key_env, ...shared };
  }
  if (path !== undefined && (base_url ?? model ?? api_key_env) === undefined) {
    return { path, ...shared };
  }
  addProblem(context, {
    code: path === undefined ? 'config.missing_key' : 'config.conflicting_keys',
    message: 'is neither an endpoint nor a folder',
    hint: 'Give `base_url` and `model` of an endpoint, or the `path` of an encoder.',
  });
  return z.NEVER;
});

const retrieveFunction = forEditors(
  z.custom<RetrieveFunction>((value) => typeof value === 'function', {
    error: 'a function, which only TypeScript configs can hold',
  }),
  { not: {}, tsType: 'RetrieveFunction' },
);

export const retrieverSchema = mapping({
  type: typeName({
    kind: 'a retriever',
    known: retrieverTypes,
    missing: missingRetrieverTypes,
  }).describe('How examples are chosen'),
  ice_separator: text.optional().describe('Between text examples'),
  ice_eos_token: text.optional().describe('After the last text example'),
  ice_num: count.optional().describe('How many examples; 1 by default'),
  fix_id_list: fixIdList
    .optional()
    .describe('The training rows that a FixKRetriever takes, by number from 0'),
  k: count.optional().describe('How many rows the window of a SlidingWindowRetriever holds'),
  seed: wholeNumber.optional().describe('Seed of draws'),
  where: condition.optional().describe('Which rows can be examples, such as "level >= 3"'),
  same_as: textList('a list of column names', (value) => [value])
    .optional()
    .describe('Columns in which an example must equal the row'),
  columns: texts.optional().describe('Columns that rows are compared by; input_columns by default'),
  embedder: embedderSchema.optional().describe('The model that tells which texts mean alike'),
  votek_k: count.optional().describe('For how many neighbours a row votes in a VotekRetriever'),
  candidate_num: count
    .optional()
    .describe('Among how many of the nearest rows DPPRetriever and MDLRetriever choose'),
  scale_factor: positiveNumber
    .optional()
    .describe('How much a DPPRetriever cares for variety; 0.1 by default'),
  select_time: count.optional().describe('How many choices an MDLRetriever tries; 5 by default'),
  labels: z
    .array(z.unknown(), { error: 'a list of labels' })
    .optional()
    .describe('The labels whose loglikelihood an MDLRetriever takes; those of the task by default'),
  retrieve: retrieveFunction.optional().describe('The function of a FunctionRetriever'),
  ice_template: z.unknown().optional().describe('Accepted, and not used: infer_cfg has it'),
  prompt_template: z.unknown().optional().describe('Accepted, and not used: infer_cfg has it'),
  sentence_transformers_model_name: text.optional().describe('Accepted, and not used'),
  tokenizer_name: text.optional().describe('Accepted, and not used'),
  ce_model_name: text.optional().describe('Accepted, and not used'),
  batch_size: count.optional().describe('Accepted, and not used'),
});
