import * as z from 'zod';
import type { Tool, ToolFunction } from '../model/tool.ts';
import { shotForms } from '../prompt/template.ts';
import { forEditors } from './editor-schema.ts';
import { checkKwargs } from './generation-kwargs.ts';
import { fixIdList, retrieverSchema } from './retriever-schema.ts';
import {
  addProblem,
  amount,
  anyMapping,
  count,
  mapping,
  options,
  orNull,
  text,
  texts,
  trueOrFalse,
  withoutKeys,
} from './schema-parts.ts';
import { inferencerTypes, templateTypes, typeName } from './type-names.ts';

const templateSchema = mapping({
  type: typeName({ kind: 'a template', known: templateTypes })
    .optional()
    .describe('PromptTemplate, or RawPromptTemplate where there are messages'),
  template: forEditors(z.unknown(), { tsType: 'TemplateInput' })
    .optional()
    .describe(
      'The prompt: a string, a dialogue of begin, round and end, or one for each label; in TypeScript also a function of the row',
    ),
  messages: forEditors(z.unknown(), { tsType: 'MessagesInput' })
    .optional()
    .describe('The prompt as messages in wire roles'),
  ice_token: orNull(text).describe('Stands where the examples belong'),
  sep_token: orNull(text).describe('A mark of old templates; it is left out of the prompt'),
  column_token_map: orNull(anyMapping).describe('Placeholders of old configs, by column'),
  format_variables: trueOrFalse.optional().describe('false leaves the text of messages unfilled'),
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

const inferencerSchema = mapping({
  type: typeName({ kind: 'an inferencer', known: inferencerTypes }).describe(
    'What is asked of the model',
  ),
  max_out_len: z
    .union([count, z.array(count).min(1)], { error: 'a count, or a list with one for each turn' })
    .optional()
    .describe('The most tokens of an answer; of a dialogue a list with one for each turn'),
  min_out_len: count.optional().describe('Accepted, and not used'),
  max_seq_len: orNull(count).describe('Accepted, and not used: the model has it'),
  batch_size: count.optional().describe('Accepted, and not used: the model has it'),
  stopping_criteria: withoutKeys(texts)
    .optional()
    .describe('Texts that end an answer, besides those of the model'),
  gen_field_replace_token: text.optional().describe('Stands in place of the hidden answer'),
  keep_trailing_spaces: trueOrFalse
    .optional()
    .describe('Sends spaces before the hidden answer, which are left to the model by default'),
  labels: z
    .array(z.unknown(), { error: 'a list of labels' })
    .optional()
    .describe('The labels to choose from by loglikelihood; for a CLPInferencer what may come next'),
  normalizing_str: text
    .optional()
    .describe('A PPLInferencer compares how likely an answer is after its prompt and after this'),
  infer_mode: z
    .enum(['every', 'every_with_gt', 'last'], { error: '`every`, `every_with_gt` or `last`' })
    .optional()
    .describe(
      'What earlier turns of a dialogue show: the answers of the model (every), those of the data (every_with_gt), or those of the data with only the last turn asked (last)',
    ),
  generation_kwargs: options
    .optional()
    .describe('Sent with every request of this dataset, over those of the model'),
  temperature: amount.optional().describe('Read as `generation_kwargs.temperature`'),
  do_sample: trueOrFalse
    .optional()
    .describe('Read as `generation_kwargs`: false is a temperature of 0'),
  sc_size: count.optional().describe('How many answers an SCInferencer votes among'),
  fix_id_list: fixIdList.optional().describe('Outdated: belongs to the retriever'),
}).superRefine(({ type, normalizing_str, generation_kwargs: kwargs = {} }, context) => {
  checkKwargs(kwargs, context);
  if (normalizing_str === undefined || type === 'PPLInferencer') return;
  addProblem(context, {
    code: 'config.conflicting_keys',
    path: ['normalizing_str'],
    message: `is of no use to a ${type}`,
    hint: 'Use a PPLInferencer, or remove it.',
  });
});

const toolFunction = forEditors(
  z.custom<ToolFunction>((value) => typeof value === 'function', {
    error: 'a function, in a TypeScript or JavaScript config',
  }),
  { not: {}, tsType: 'ToolFunction' },
);

const toolFields = {
  name: text.describe('What the model calls it by'),
  description: text.optional().describe('What it is for, for the model'),
  parameters: options.optional().describe('The JSON Schema of its arguments'),
};

/** A tool, also as OpenAI's chat API writes it. */
const toolSchema = mapping({
  ...toolFields,
  name: toolFields.name.optional(),
  run: toolFunction
    .optional()
    .describe('What it does, in TypeScript configs; its answer is shown to the model'),
  version: text.optional().describe('Tells apart what its function gives; not sent'),
  type: text.optional().describe('As the wire has it: `function`'),
  function: mapping(toolFields).optional().describe('As the wire has it: the tool itself'),
}).transform(({ function: wire, type: _, ...tool }, context): Tool => {
  const { name } = wire ?? tool;
  if (name !== undefined) return { ...tool, ...wire, name };
  addProblem(context, {
    code: 'config.missing_key',
    message: 'has no `name`',
    hint: 'Write a tool as `{ name, description, parameters }`.',
  });
  return z.NEVER;
});

export const inferSchema = mapping({
  ice_template: orNull(templateSchema).describe('How an example is written'),
  prompt_template: orNull(templateSchema).describe('How a row is asked about'),
  retriever: retrieverSchema.optional().describe('Where examples come from'),
  shots_as: z
    .enum(shotForms, { error: '`turns`, `text` or `system`' })
    .optional()
    .describe(
      'Examples as turns of the dialogue, as text before the question, or in the system text; as the templates have them by default',
    ),
  tools: z
    .array(toolSchema, { error: 'a list of tools' })
    .optional()
    .describe('The tools that the model may call, sent with every request'),
  max_turns: count
    .optional()
    .describe('The most requests for one answer where tools have functions; 10 by default'),
  response_format: options
    .optional()
    .describe('The form that answers must have, sent as it is: json_object, or json_schema'),
  inferencer: inferencerSchema.optional().describe('What is asked of the model'),
}).superRefine(({ ice_template, prompt_template, inferencer }, context) => {
  const { type = 'GenInferencer' } = inferencer ?? {};
  if (typeof prompt_template?.template === 'function' && !/^(?:Gen|SC)Inferencer$/.test(type)) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['prompt_template', 'template'],
      message: `is a function, which a ${type} does not take`,
      hint: 'Write the template as text or messages, or use GenInferencer.',
    });
  }
  if (typeof ice_template?.template === 'function') {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['ice_template', 'template'],
      message: 'is a function, and functions make whole prompts',
      hint: 'Write it as the `template` of `prompt_template`: it is given the examples too.',
    });
  }
  if (ice_template !== undefined || prompt_template !== undefined) return;
  // A column may hold the whole chat.
  if (inferencer?.type === 'ChatInferencer') return;
  addProblem(context, {
    code: 'config.missing_key',
    message: 'has neither `prompt_template` nor `ice_template`',
    hint: 'Add `prompt_template: { type: PromptTemplate, template: … }`.',
  });
});
