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
    message: parsed ? 'contains a password or a key' : 'is not a web address',
    hint: parsed
      ? 'Put the key into an environment variable, and name the variable in `api_key_env`.'
      : 'Write it in full, such as `http://127.0.0.1:8001/v1`.',
  });
});

const embedderSchema = mapping({
  base_url: openAddress.optional().describe('Address of the endpoint, with or without /v1'),
  model: text.optional().describe('The model name to send to the endpoint'),
  api_key_env: variableName.optional().describe('Environment variable that holds the API key'),
  path: text.optional().describe('Folder of a local encoder, instead of an endpoint'),
  batch_size: count.optional().describe('Maximum texts embedded together'),
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
    error: 'a function, which only TypeScript configs can have',
  }),
  { not: {}, tsType: 'RetrieveFunction' },
);

export const retrieverSchema = mapping({
  type: typeName({
    kind: 'a retriever',
    known: retrieverTypes,
    missing: missingRetrieverTypes,
  }).describe('How examples are chosen'),
  ice_separator: text.optional().describe('Text between examples'),
  ice_eos_token: text.optional().describe('Text after the last example'),
  ice_num: count.optional().describe('How many examples; 1 by default'),
  fix_id_list: fixIdList
    .optional()
    .describe('The training rows that FixKRetriever uses, by number from 0'),
  k: count.optional().describe('Window size of SlidingWindowRetriever, in rows'),
  seed: wholeNumber.optional().describe('Seed for random draws'),
  where: condition.optional().describe('Which rows can be examples, such as "level >= 3"'),
  same_as: textList('a list of column names', (value) => [value])
    .optional()
    .describe('Columns in which an example must match the row'),
  columns: texts.optional().describe('Columns to compare rows by; input_columns by default'),
  embedder: embedderSchema
    .optional()
    .describe('The embedding model that finds texts of similar meaning'),
  votek_k: count.optional().describe('How many neighbours each row votes for in VotekRetriever'),
  candidate_num: count
    .optional()
    .describe('How many nearest rows DPPRetriever and MDLRetriever choose from'),
  scale_factor: positiveNumber
    .optional()
    .describe('How much DPPRetriever favours variety; 0.1 by default'),
  select_time: count.optional().describe('How many selections MDLRetriever tries; 5 by default'),
  labels: z
    .array(z.unknown(), { error: 'a list of labels' })
    .optional()
    .describe('The labels whose loglikelihood MDLRetriever computes; those of the task by default'),
  retrieve: retrieveFunction.optional().describe('The function of FunctionRetriever'),
  ice_template: z.unknown().optional().describe('Accepted and ignored: set it in infer_cfg'),
  prompt_template: z.unknown().optional().describe('Accepted and ignored: set it in infer_cfg'),
  sentence_transformers_model_name: text.optional().describe('Accepted and ignored'),
  tokenizer_name: text.optional().describe('Accepted and ignored'),
  ce_model_name: text.optional().describe('Accepted and ignored'),
  batch_size: count.optional().describe('Accepted and ignored'),
});
