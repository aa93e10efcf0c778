import { asObject, asText, type JsonObject } from '../json-value.ts';

/** The tokens of a text as a server tells them. */
export interface ReadTokens {
  readonly tokens: readonly string[];
  /** Null for a token that has no probability, such as the first one. */
  readonly logprobs: readonly (number | null)[];
  /** Whether the token was the likeliest, where the server tells. */
  readonly likeliest?: readonly boolean[] | undefined;
  /** No token of the model's own follows, and the text of the first may not be told. */
  readonly isPrompt?: boolean;
  /** Where tokens start, in characters or in what else the server counts. */
  readonly offsets?: readonly number[] | undefined;
  /** The text as the server repeats it, if it does. */
  readonly echo?: string | undefined;
}

/** Reads the tokens of a choice that echoes its text. */
export function readEchoed(choice: JsonObject): ReadTokens | undefined {
  const logprobs = asObject(choice.logprobs);
  const {
    tokens,
    token_logprobs: values,
    text_offset: offsets,
    top_logprobs: top,
  } = logprobs ?? {};
  if (!Array.isArray(tokens) || !Array.isArray(values)) return undefined;
  if (tokens.length !== values.length) return undefined;
  const read = values.map(readLogprob);
  const best = Array.isArray(top) ? top.map(bestOf) : undefined;
  return {
    tokens: tokens.map(String),
    logprobs: read,
    likeliest: best && read.map((value, index) => value !== null && value >= (best[index] ?? 1)),
    offsets:
      Array.isArray(offsets) && offsets.length === tokens.length ? offsets.map(Number) : undefined,
    echo: asText(choice.text),
  };
}

/** Reads the tokens that vLLM tells under `prompt_logprobs`. */
export function readPromptLogprobs(choice: JsonObject): ReadTokens | undefined {
  const list = choice.prompt_logprobs;
  if (!Array.isArray(list)) return undefined;
  const entries = list.map((entry) => asObject(Object.values(asObject(entry) ?? {})[0]));
  return {
    tokens: entries.map((entry) => asText(entry?.decoded_token) ?? ''),
    logprobs: entries.map((entry) => readLogprob(entry?.logprob)),
    likeliest: entries.map((entry) => entry?.rank === 1),
    isPrompt: true,
  };
}

/** The likeliest next tokens with their log-probabilities. */
export function readNextTokens(choice: JsonObject): ReadonlyMap<string, number> | undefined {
  const logprobs = asObject(choice.logprobs);
  const [first] = Array.isArray(logprobs?.top_logprobs) ? logprobs.top_logprobs : [];
  const [content] = Array.isArray(logprobs?.content) ? logprobs.content : [];
  const listed = asObject(content)?.top_logprobs;
  const pairs: [string, unknown][] = Array.isArray(listed)
    ? listed.map((entry) => [asText(asObject(entry)?.token) ?? '', asObject(entry)?.logprob])
    : Object.entries(asObject(first) ?? {});
  const read = pairs.flatMap(([token, value]) => {
    const logprob = readLogprob(value);
    return logprob === null ? [] : [[token, logprob] as const];
  });
  return read.length > 0 ? new Map(read) : undefined;
}

/** JSON has no infinity: servers write a very low number, a word or null. */
function readLogprob(value: unknown): number | null {
  if (typeof value === 'number') return value <= -9999 ? Number.NEGATIVE_INFINITY : value;
  if (value === '-Infinity' || value === '-inf') return Number.NEGATIVE_INFINITY;
  return value === 'NaN' ? Number.NaN : null;
}

function bestOf(entry: unknown): number | undefined {
  const values = Object.values(asObject(entry) ?? {}).filter((value) => typeof value === 'number');
  return values.length > 0 ? Math.max(...values) : undefined;
}
