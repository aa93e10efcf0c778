import * as z from 'zod';

const tokenIds = z.array(z.int().min(0)).min(1);
const count = z.int().min(1).max(128);
const stop = z
  .union(
    [z.string(), z.array(z.string()).max(16)],
    'must be a string, or a list of up to 16 strings',
  )
  .nullish()
  .transform((value) => [value ?? []].flat());
const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

/** What changes answers in ways that this server does not know, and the values that do not. */
const refused = {
  best_of: [null, 1],
  frequency_penalty: [null, 0],
  presence_penalty: [null, 0],
  logit_bias: [null],
  suffix: [null, ''],
  tools: [null],
  functions: [null],
  response_format: [null],
  audio: [null],
  dimensions: [null],
  // Of vLLM and others.
  add_generation_prompt: [null, true],
  add_special_tokens: [null, true],
  chat_template: [null],
  chat_template_kwargs: [null],
  continue_final_message: [null, false],
  guided_choice: [null],
  guided_grammar: [null],
  guided_json: [null],
  guided_regex: [null],
  ignore_eos: [null, false],
  include_stop_str_in_output: [null, false],
  min_p: [null, 0],
  min_tokens: [null, 0],
  prompt_logprobs: [null],
  repetition_penalty: [null, 1],
  skip_special_tokens: [null, true],
  structured_outputs: [null],
  truncate_prompt_tokens: [null],
  use_beam_search: [null, false],
} as const;

function refuseUnknown(body: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [name, harmless] of Object.entries(refused)) {
    if (isContinued(body) && continuation.includes(name)) continue;
    const value = body[name];
    if (value === undefined || (harmless as readonly unknown[]).includes(value)) continue;
    if (isEmpty(value) || (value as { type?: unknown }).type === 'text') continue;
    context.addIssue({ code: 'custom', path: [name], message: 'this server does not support it' });
  }
}

const continuation = ['continue_final_message', 'add_generation_prompt'];

/** Whether the last message is the beginning of the answer. */
export function isContinued(body: Readonly<Record<string, unknown>>): boolean {
  const last = Array.isArray(body.messages) ? body.messages.at(-1) : undefined;
  return (
    body.continue_final_message === true &&
    body.add_generation_prompt === false &&
    last?.role === 'assistant'
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

const generation = {
  model: orNull(z.string()),
  n: orNull(count),
  stop,
  stop_token_ids: orNull(z.array(z.int().min(0))),
  seed: orNull(z.int()),
  temperature: orNull(z.number().min(0).max(2)),
  top_p: orNull(z.number().gt(0).max(1)),
  top_k: orNull(z.int().min(0)),
  stream: orNull(z.boolean()),
  stream_options: orNull(z.looseObject({ include_usage: orNull(z.boolean()) })),
};

const maxLikeliest = z.int().min(0).max(20);

/** The body of a request for text completions. */
export const completionBody = z
  .looseObject({
    ...generation,
    prompt: z.union(
      [z.string(), tokenIds, z.array(z.string()).min(1), z.array(tokenIds).min(1)],
      'must be a string, token ids, or a list of either',
    ),
    max_tokens: orNull(z.int().min(0)),
    echo: orNull(z.boolean()),
    logprobs: orNull(maxLikeliest),
  })
  .superRefine(refuseUnknown);

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });

/** The body of a request for chat completions. */
export const chatBody = z
  .looseObject({
    ...generation,
    messages: z
      .array(
        z.looseObject({
          role: z.string(),
          content: z
            .union([z.string(), z.array(textPart)], 'must be text, or a list of text parts')
            .nullish()
            .transform(joinParts),
        }),
      )
      .min(1),
    max_tokens: orNull(z.int().min(1)),
    max_completion_tokens: orNull(z.int().min(1)),
    logprobs: orNull(z.boolean()),
    top_logprobs: orNull(maxLikeliest),
  })
  .superRefine(refuseUnknown);

function joinParts(content: string | { text: string }[] | null | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text).join('');
}

/** The body of a request for embeddings. */
export const embeddingBody = z
  .looseObject({
    model: orNull(z.string()),
    input: z
      .union([z.string(), z.array(z.string()).min(1)], 'must be a string or a list of strings')
      .transform((input) => [input].flat()),
    encoding_format: orNull(z.enum(['float', 'base64'])),
  })
  .superRefine(refuseUnknown);

export type CompletionBody = z.output<typeof completionBody>;
export type ChatBody = z.output<typeof chatBody>;
export type EmbeddingBody = z.output<typeof embeddingBody>;
