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
      'The prompt: a string, a dialogue with begin, round and end, or one per label; in TypeScript also a function of the row',
    ),
  messages: forEditors(z.unknown(), { tsType: 'MessagesInput' })
    .optional()
    .describe('The prompt as chat messages, with the roles of the API'),
  ice_token: orNull(text).describe('Marks where the examples go'),
  sep_token: orNull(text).describe('A separator of old templates; it is removed from the prompt'),
  column_token_map: orNull(anyMapping).describe('Placeholders of old configs, per column'),
  format_variables: trueOrFalse
    .optional()
    .describe('false sends the messages as written, without filling in columns'),
}).superRefine(({ template, messages }, context) => {
  if (template === undefined && messages === undefined) {
    addProblem(context, {
      code: 'config.missing_key',
      message: 'has neither `template` nor `messages`',
      hint: 'Write the prompt as `template` or as `messages`.',
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
    .union([count, z.array(count).min(1)], { error: 'a number, or a list with one per turn' })
    .optional()
    .describe('Maximum tokens per answer; for a dialogue, a list with one per turn'),
  min_out_len: count.optional().describe('Accepted and ignored'),
  max_seq_len: orNull(count).describe('Accepted and ignored: set it on the model'),
  batch_size: count.optional().describe('Accepted and ignored: set it on the model'),
  stopping_criteria: withoutKeys(texts)
    .optional()
    .describe('Texts that end an answer, in addition to those of the model'),
  gen_field_replace_token: text.optional().describe('Shown instead of the hidden answer'),
  keep_trailing_spaces: trueOrFalse
    .optional()
    .describe('Sends the spaces before the hidden answer; by default the model writes them'),
  labels: z
    .array(z.unknown(), { error: 'a list of labels' })
    .optional()
    .describe(
      'The labels to choose from by loglikelihood; for CLPInferencer, the possible next tokens',
    ),
  normalizing_str: text
    .optional()
    .describe(
      'PPLInferencer compares how likely an answer is after the prompt and after this text',
    ),
  infer_mode: z
    .enum(['every', 'every_with_gt', 'last'], { error: '`every`, `every_with_gt` or `last`' })
    .optional()
    .describe(
      'What earlier turns of a dialogue contain: the answers of the model (every), those of the data (every_with_gt), or those of the data, with only the last turn asked (last)',
    ),
  generation_kwargs: options
    .optional()
    .describe('Sent with every request of this dataset; overrides those of the model'),
  temperature: amount.optional().describe('Read as `generation_kwargs.temperature`'),
  do_sample: trueOrFalse
    .optional()
    .describe('Read as `generation_kwargs`: false means a temperature of 0'),
  sc_size: count.optional().describe('How many answers SCInferencer takes a vote of'),
  fix_id_list: fixIdList.optional().describe('Outdated: belongs to the retriever'),
}).superRefine(({ type, normalizing_str, generation_kwargs: kwargs = {} }, context) => {
  checkKwargs(kwargs, context);
  if (normalizing_str === undefined || type === 'PPLInferencer') return;
  addProblem(context, {
    code: 'config.conflicting_keys',
    path: ['normalizing_str'],
    message: `is not used by ${type}`,
    hint: 'Use PPLInferencer, or remove it.',
  });
});

const toolFunction = forEditors(
  z.custom<ToolFunction>((value) => typeof value === 'function', {
    error: 'a function, in a TypeScript or JavaScript config',
  }),
  { not: {}, tsType: 'ToolFunction' },
);

const toolFields = {
  name: text.describe('The name that the model calls it by'),
  description: text.optional().describe('What it is for, as told to the model'),
  parameters: options.optional().describe('The JSON Schema of its arguments'),
};

/** A tool, also as OpenAI's chat API writes it. */
const toolSchema = mapping({
  ...toolFields,
  name: toolFields.name.optional(),
  run: toolFunction
    .optional()
    .describe('The function to call, in TypeScript configs; its result is shown to the model'),
  version: text
    .optional()
    .describe('Change it when the function gives different results; not sent'),
  type: text.optional().describe('As in the API: `function`'),
  function: mapping(toolFields).optional().describe('As in the API: the tool itself'),
})
  .transform(({ function: wire, type: _, ...tool }, context): Tool => {
    const { name } = wire ?? tool;
    if (name !== undefined) return { ...tool, ...wire, name };
    addProblem(context, {
      code: 'config.missing_key',
      message: 'has no `name`',
      hint: 'Write a tool as `{ name, description, parameters }`.',
    });
    return z.NEVER;
  })
  .meta({ anyOf: [{ required: ['function'] }, { required: ['name'] }] });

export const inferSchema = mapping({
  ice_template: orNull(templateSchema).describe('Template of an example'),
  prompt_template: orNull(templateSchema).describe('Template of the question'),
  retriever: retrieverSchema.optional().describe('How examples are chosen'),
  shots_as: z
    .enum(shotForms, { error: '`turns`, `text` or `system`' })
    .optional()
    .describe(
      'Shows examples as turns, as text before the question, or in the system text; by default as the templates say',
    ),
  tools: z
    .array(toolSchema, { error: 'a list of tools' })
    .optional()
    .describe('Tools that the model may call; sent with every request'),
  max_turns: count
    .optional()
    .describe('Maximum requests per answer when tools have functions; 10 by default'),
  response_format: options
    .optional()
    .describe('The format that answers must have, sent as is: json_object or json_schema'),
  inferencer: inferencerSchema.optional().describe('What is asked of the model'),
}).superRefine(({ ice_template, prompt_template, inferencer }, context) => {
  const { type = 'GenInferencer' } = inferencer ?? {};
  if (typeof prompt_template?.template === 'function' && !/^(?:Gen|SC)Inferencer$/.test(type)) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['prompt_template', 'template'],
      message: `is a function, which ${type} does not accept`,
      hint: 'Write the template as text or messages, or use GenInferencer.',
    });
  }
  if (typeof ice_template?.template === 'function') {
    addProblem(context, {
      code: 'config.conflicting_keys',
      path: ['ice_template', 'template'],
      message: 'is a function, but functions build whole prompts',
      hint: 'Use it as the `template` of `prompt_template`: it receives the examples too.',
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
