import * as z from 'zod';
import { isKey, keyPattern } from '../base/hidden-text.ts';
import type { SdkModel } from '../model/ai-sdk-package.ts';
import { shownUrl } from '../model/endpoint-address.ts';
import type { GenerateFunction } from '../model/function-model.ts';
import type { Model } from '../model/model.ts';
import { prefills } from '../model/request-body.ts';
import { namedFormats } from '../prompt/catalogue.ts';
import { editorMapping, forEditors } from './editor-schema.ts';
import { equivalentModel } from './foreign-names.ts';
import { gateSchema } from './gate-schema.ts';
import { checkKwargs } from './generation-kwargs.ts';
import {
  addProblem,
  amount,
  compat,
  count,
  mapping,
  options,
  orNull,
  positiveNumber,
  text,
  textList,
  trueOrFalse,
  variableName,
} from './schema-parts.ts';
import { modelTypes, typeName } from './type-names.ts';

type ModelType = (typeof modelTypes)[number];

const metaTemplate = forEditors(
  z.custom<string | object>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    { error: 'a name from the catalogue, a mapping or a list' },
  ),
  { anyOf: [{ enum: namedFormats.map(({ name }) => name) }, editorMapping, { type: 'array' }] },
);

/** A model that a program made: one of the library, or of the AI SDK. */
export type ModelObject = Model | SdkModel;

const modelObject = forEditors(
  z.custom<ModelObject>(
    (value) =>
      typeof value === 'object' && value !== null && ('doGenerate' in value || 'encode' in value),
  ),
  { not: {}, tsType: 'ModelObject' },
);

const nameOrObject = z.union([text, modelObject], {
  error: 'the name of a model, or a model object: one of the AI SDK, or a `Model` of the library',
});

const generateFunction = forEditors(
  z.custom<GenerateFunction>((value) => typeof value === 'function', {
    error: 'a function, in a TypeScript or JavaScript config',
  }),
  { not: {}, tsType: 'GenerateFunction' },
);

const mark = text.refine((value) => value.trim() !== '', { error: 'text that is not blank' });

const thinkingSchema = mapping({
  begin: mark
    .optional()
    .describe('The tag that opens a thought; by default those of common models'),
  end: mark.optional().describe('The tag that closes a thought'),
  opened: trueOrFalse
    .optional()
    .describe(
      'Answers start inside a thought, for instance because the chat template of the server opens one',
    ),
  keep: trueOrFalse.optional().describe('Shows thoughts to later turns of a dialogue'),
}).superRefine(({ begin, end }, context) => {
  const [given, missing] = begin === undefined ? ['end', 'begin'] : ['begin', 'end'];
  if ((begin === undefined) !== (end === undefined)) {
    addProblem(context, {
      code: 'config.missing_key',
      message: `has \`${given}\` but no \`${missing}\``,
      hint: 'Write both tags, such as `{ begin: "<think>", end: "</think>" }`.',
    });
  } else if (begin !== undefined && begin.toLowerCase() === end?.toLowerCase()) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      message: 'has the same tag as `begin` and `end`',
      hint: 'Two different tags are needed to tell thoughts from answers.',
    });
  }
});

/** What the keys are that not every type of model uses. */
const typeKeys = {
  package: 'the provider package, such as `@ai-sdk/anthropic`',
  model: 'the name of the model',
  path: 'the folder of a local model, or a file of recorded answers',
  answer_column: 'the column of the data that holds the answers',
  options: 'options of the package',
  base_url: 'the address of the endpoint',
  file: 'the file that exports the function',
};
type TypeKey = keyof typeof typeKeys;

const neededKeys: Partial<Record<ModelType, readonly TypeKey[]>> = {
  AISDK: ['package', 'model'],
  Local: ['path'],
};

const unusedKeys: Partial<Record<ModelType, readonly TypeKey[]>> = {
  AISDK: ['base_url', 'answer_column', 'file'],
  Local: ['base_url', 'package', 'options', 'answer_column', 'file'],
  Dummy: ['base_url', 'package', 'options', 'answer_column', 'file', 'model', 'path'],
  Replay: ['base_url', 'package', 'options', 'file'],
  function: ['base_url', 'package', 'options', 'answer_column', 'model', 'path'],
};
const unusedElsewhere: readonly TypeKey[] = ['package', 'options', 'answer_column', 'file'];

/** Which keys the types of models need and do not use, for the types of configs. */
export const keysOfTypes = {
  needed: neededKeys,
  unused: unusedKeys,
  unusedElsewhere,
  all: Object.keys(typeKeys),
};

/** Keys whose texts are kept in files of a run and shown. */
const shownKeys = [
  'abbr',
  'path',
  'model',
  'version',
  'package',
  'tokenizer',
  'chat_template',
  'chat_template_name',
  'answer_column',
] as const;

interface ShownTexts extends Readonly<Partial<Record<(typeof shownKeys)[number], unknown>>> {
  readonly base_url?: readonly string[] | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Refuses keys where they would be shown. */
function checkTexts(model: ShownTexts, context: z.RefinementCtx): void {
  const holdsKey = (value: unknown) => typeof value === 'string' && keyPattern.test(value);
  const { base_url: addresses = [], stop = [], headers = {} } = model;
  const isShown = addresses.some((address) => holdsKey(address) && holdsKey(shownUrl(address)));
  const exposed = shownKeys.filter((key) => holdsKey(model[key]));
  const hasKeyAsStop = stop.some(holdsKey);
  if (Object.keys(headers).some(isKey)) {
    addProblem(context, {
      code: 'config.key_in_config',
      path: ['headers'],
      message: 'has a header whose name looks like a key; header names are saved in the run folder',
      hint: 'Write the header name first: `headers: { X-Api-Key: … }`.',
    });
  }
  for (const key of [
    ...exposed,
    ...(isShown ? ['base_url'] : []),
    ...(hasKeyAsStop ? ['stop'] : []),
  ]) {
    addProblem(context, {
      code: 'config.key_in_config',
      path: [key],
      message: 'contains what looks like a key, which would be shown and saved in the run folder',
      hint: 'Put the key into an environment variable, and name the variable in `api_key_env`.',
    });
  }
}

export const modelSchema = mapping({
  abbr: text.optional().describe('Short name; the last part of `path` or `model` by default'),
  type: typeName({ kind: 'a model', known: modelTypes, equivalentOf: equivalentModel })
    .optional()
    .describe('How the model is asked; without a type its prompts can only be viewed'),
  path: text
    .optional()
    .describe(
      'Name of the model, folder of a Local model, or file of recorded answers of a Replay model',
    ),
  answer_column: text
    .optional()
    .describe('Column of the data that holds the answers of a Replay model, instead of a file'),
  model: nameOrObject
    .optional()
    .describe('The model name to send to the endpoint; in TypeScript also a model object'),
  generate: generateFunction
    .optional()
    .describe('A function instead of a model, in TypeScript and JavaScript configs'),
  file: text.optional().describe('File of a model of type function, relative to the config'),
  export: text.optional().describe('The name of the exported function; `default` by default'),
  version: text
    .optional()
    .describe('Distinguishes models served under one name, such as 2026-11; not sent'),
  package: text.optional().describe('Provider package of an AISDK model'),
  options: options.optional().describe('Options of the provider package'),
  base_url: textList('an address or a list of addresses', (value) => [value])
    .optional()
    .describe(
      'Address of the endpoint, with or without /v1; a list if several endpoints serve the model',
    ),
  api_key_env: variableName.optional().describe('Environment variable that holds the API key'),
  headers: z
    .record(text, text, { error: 'a mapping of header name to value' })
    .optional()
    .describe('Headers sent with every request'),
  meta_template: orNull(metaTemplate).describe("The model's dialogue format, or a name for it"),
  chat_template: text
    .optional()
    .describe('File of the chat template: .jinja or tokenizer_config.json'),
  chat_template_name: text.optional().describe('Which chat template, if the file has several'),
  tokenizer: text
    .optional()
    .describe('A tokenizer.json, for counting tokens and sending token ids'),
  max_seq_len: orNull(count).describe(
    'Context length in tokens; examples that do not fit are dropped',
  ),
  max_out_len: count.optional().describe('Maximum tokens per answer'),
  batch_size: count.optional().describe('Maximum concurrent requests'),
  max_rps: positiveNumber.optional().describe('Maximum requests per second'),
  timeout: positiveNumber.optional().describe('Time limit per request, in seconds'),
  retries: count.optional().describe('Maximum attempts per request'),
  stream: trueOrFalse.optional().describe('Streams answers'),
  vision: trueOrFalse
    .optional()
    .describe('Whether the model accepts media; assumed of chat models by default'),
  audio: z
    .enum(['audio_url', 'input_audio'], { error: 'audio_url or input_audio' })
    .optional()
    .describe('The type of content part that carries audio; by default as in the template'),
  thinking: thinkingSchema.optional().describe('How the model marks its thoughts'),
  prefill: z
    .enum(prefills, { error: prefills.join(' or ') })
    .optional()
    .describe(
      'How a chat server continues the beginning of an answer: when told to (vLLM, SGLang), or whenever the last message is from the assistant; without it no beginning is sent',
    ),
  judge: trueOrFalse.optional().describe('Used only as a judge, not evaluated itself'),
  generation_kwargs: options.optional().describe('Sent as is with every request'),
  stop: textList('a string or a list of strings', (value) => [value])
    .optional()
    .describe('Texts that end an answer'),
  price: mapping({
    in: amount.describe('Price per million input tokens'),
    out: amount.describe('Price per million output tokens'),
  })
    .optional()
    .describe('What tokens cost, in any currency'),
  gate: gateSchema.optional().describe('What results of this model must reach'),
  compat: compat.optional().describe('As in the config, for this model only'),
}).superRefine((model, context) => {
  const { type } = model;
  const isTold = model.prefill === 'continue_final_message';
  const takesText = type === 'OpenAICompletions' || type === 'Local';
  if (model.prefill && (takesText || (isTold && type === 'AISDK'))) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      message: `has \`prefill: ${model.prefill}\`, which a model of type ${type} does not use`,
      hint: takesText
        ? 'Leave it out: a text prompt simply ends with the beginning of the answer.'
        : 'Write `prefill: last_message`, if the provider continues a final assistant message.',
    });
  }
  checkKwargs(model.generation_kwargs ?? {}, context);
  checkTexts(model, context);
  if (model.generate !== undefined || typeof model.model === 'object') {
    checkGiven(model, context);
    return;
  }
  if (type === 'function' && model.file === undefined) {
    addProblem(context, {
      code: 'config.missing_key',
      message: 'has neither `generate` nor `file`; a model of type function needs one of them',
      hint: 'Write the function as `generate` in a TypeScript config, or name its `file` and `export`.',
    });
  }
  if (model.export !== undefined && type !== 'function') {
    addProblem(context, {
      code: 'config.conflicting_keys',
      message: `has \`export\`, which only a model of type function uses`,
      hint: 'Add `type: function` and `file`, or remove it.',
    });
  }
  for (const key of (type && neededKeys[type]) ?? []) {
    if (model[key] !== undefined) continue;
    addProblem(context, {
      code: 'config.missing_key',
      message: `has no \`${key}\`, which a model of type ${type} needs`,
      hint: `Add \`${key}\`: ${typeKeys[key]}.`,
    });
  }
  if (type === 'Replay' && (model.path === undefined) === (model.answer_column === undefined)) {
    const isBoth = model.path !== undefined;
    addProblem(context, {
      code: isBoth ? 'config.conflicting_keys' : 'config.missing_key',
      message: `has ${isBoth ? 'both' : 'neither'} \`path\` ${isBoth ? 'and' : 'nor'} \`answer_column\``,
      hint: `A Replay takes its answers from \`path\`, ${typeKeys.path}, or from \`answer_column\`, ${typeKeys.answer_column}.`,
    });
  }
  for (const key of (type && unusedKeys[type]) ?? unusedElsewhere) {
    if (model[key] === undefined) continue;
    addProblem(context, {
      code: 'config.conflicting_keys',
      message: `has \`${key}\`, which a model ${type ? `of type ${type}` : 'without a type'} does not use`,
      hint: `\`${key}\` is ${typeKeys[key]}. Remove it, or change the \`type\`.`,
    });
  }
});

interface GivenModel extends Readonly<Partial<Record<TypeKey, unknown>>> {
  readonly type?: ModelType | undefined;
  readonly generate?: unknown;
  readonly export?: unknown;
}

/** A function or a model object says itself how it is asked. */
function checkGiven(model: GivenModel, context: z.RefinementCtx): void {
  const isFunction = model.generate !== undefined;
  const given = isFunction ? 'a function as `generate`' : 'a model object as `model`';
  const isOwnType = isFunction && model.type === 'function';
  const own: readonly TypeKey[] = isFunction ? [] : ['model'];
  const other = [
    ...(model.type === undefined || isOwnType ? [] : ['type']),
    ...(Object.keys(typeKeys) as TypeKey[]).filter(
      (key) => model[key] !== undefined && !own.includes(key),
    ),
    ...(model.export === undefined ? [] : ['export']),
  ];
  for (const key of other) {
    addProblem(context, {
      code: 'config.conflicting_keys',
      message: `has ${given}, so it cannot also have \`${key}\``,
      hint: `Remove \`${key}\`: the object is asked directly.`,
    });
  }
}
