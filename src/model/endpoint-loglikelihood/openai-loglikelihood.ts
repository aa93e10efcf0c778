import { ModelError } from '../../errors.ts';
import { readUsage, reportedIn } from '../answer.ts';
import { reportedError, unreadableAnswer } from '../answer-errors.ts';
import type { Connection } from '../connection.ts';
import { post } from '../exchange.ts';
import { asObject, type JsonObject, parseJson } from '../json-value.ts';
import type {
  LoglikelihoodModel,
  LoglikelihoodRequest,
  LoglikelihoodText,
  TextLogprobs,
} from '../loglikelihood.ts';
import { wholeLogprobs } from '../loglikelihoods-of.ts';
import { redactValue } from '../secrets.ts';
import type { Usage } from '../usage.ts';
import { alignTokens } from './align-tokens.ts';
import { type LikelihoodDialect, likelihoodSettings } from './dialect.ts';
import { readEchoed, readNextTokens, readPromptLogprobs } from './read-tokens.ts';

/** Loglikelihoods of texts, from an endpoint for text completions. */
export function openAiLoglikelihood(
  connection: Connection,
  { model, dialect }: { readonly model: string; readonly dialect: LikelihoodDialect },
): LoglikelihoodModel {
  const write = (prompt: unknown) =>
    JSON.stringify({ model, prompt, ...likelihoodSettings(dialect.how) });
  const encode = ({ texts }: LoglikelihoodRequest) => {
    const prompts =
      dialect.how === 'next-token' ? [sharedContext(texts)] : texts.map(({ text }) => text);
    return dialect.takesLists ? write(prompts) : prompts.map(write).join('\n');
  };
  return {
    encode,
    // Of next tokens only those are told that are asked about, and the context alone is sent.
    ...(dialect.how === 'next-token' && { identify: ({ texts }) => JSON.stringify(texts) }),
    async measure(request, { signal }) {
      const bodies = splitBodies(request.body ?? encode(request));
      const answers = await Promise.all(bodies.map((body) => post(connection, { body, signal })));
      const completions = answers.map(({ text }) => readCompletion(connection, text));
      const choices = completions.flatMap(choicesOf);
      const usage = addUsage(completions);
      if (dialect.how === 'prompt_logprobs') requireAll(connection, choices, usage);
      return {
        logprobs: readLogprobs(connection, { texts: request.texts, choices, dialect }),
        usage,
        raw: redactValue({ model: completions[0]?.model }, connection.answerSecrets),
        totalMs: Math.max(...answers.map(({ totalMs }) => totalMs)),
      };
    },
  };
}

/** A server that takes one text at a time is sent several bodies, which are encoded as lines. */
export function splitBodies(encoded: string): string[] {
  return encoded.split('\n');
}

function readCompletion(connection: Connection, text: string): JsonObject {
  const completion = asObject(parseJson(text));
  const error = reportedIn(completion);
  if (error !== undefined && error !== null) throw reportedError(connection, error);
  if (!Array.isArray(completion?.choices)) throw unreadableAnswer(connection, text);
  return completion;
}

/** In the order of the texts, which servers need not keep. */
export function choicesOf({ choices }: JsonObject): JsonObject[] {
  const list = (choices as unknown[]).map((choice) => asObject(choice) ?? {});
  return list.sort((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0));
}

/** The sum of what is told; of what one of them does not tell there is none. */
function addUsage(completions: readonly JsonObject[]): Usage | undefined {
  const told = completions.map(({ usage }) => readUsage(usage) ?? {});
  const sum = (of: (usage: Usage) => number | undefined) =>
    told.reduce<number | undefined>((total, usage) => {
      const tokens = of(usage);
      return total === undefined || tokens === undefined ? undefined : total + tokens;
    }, 0);
  const inputTokens = sum((usage) => usage.inputTokens);
  const outputTokens = sum((usage) => usage.outputTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens };
}

interface Answered {
  readonly texts: readonly LoglikelihoodText[];
  readonly choices: readonly JsonObject[];
  readonly dialect: LikelihoodDialect;
}

function readLogprobs(connection: Connection, answered: Answered): TextLogprobs[] {
  const { texts, choices, dialect } = answered;
  if (dialect.how === 'next-token') return readNext(connection, answered);
  return texts.map(({ text }, index) => {
    const choice = choices[index];
    const read = dialect.how === 'echo' ? readEchoed : readPromptLogprobs;
    const tokens = choice && read(choice);
    const starts = tokens && alignTokens(text, tokens);
    if (!tokens || !starts) throw noTokens(connection);
    // What the model added after the text is left out.
    return wholeLogprobs(text, {
      starts,
      values: tokens.logprobs.slice(0, starts.length),
      ...(tokens.likeliest && { likeliest: tokens.likeliest.slice(0, starts.length) }),
    });
  });
}

/** A first token whose text is not told may be of any length: others may be missing behind it. */
function requireAll(
  connection: Connection,
  choices: readonly JsonObject[],
  { inputTokens = 0 }: Usage = {},
): void {
  const told = choices.map((choice) => readPromptLogprobs(choice)?.tokens.length ?? 0);
  if (told.reduce((sum, tokens) => sum + tokens, 0) < inputTokens) throw noTokens(connection);
}

/** Of a choice that is one token the first one's probability is all there is to know. */
function readNext(connection: Connection, { texts, choices }: Answered): TextLogprobs[] {
  const listed = choices[0] && readNextTokens(choices[0]);
  if (!listed) throw noTokens(connection);
  return texts.map(({ text, from }) => {
    const part = text.slice(from);
    const logprob = listed.get(part);
    if (logprob === undefined) throw notListed(connection, part, listed.size);
    return { starts: [from], values: [logprob] };
  });
}

/** What all texts have before the part that counts. */
function sharedContext(texts: readonly LoglikelihoodText[]): string {
  const contexts = new Set(texts.map(({ text, from }) => text.slice(0, from)));
  const [context = ''] = contexts;
  if (contexts.size === 1 && context !== '') return context;
  throw new ModelError(
    'model.next_token_only',
    'the server returns log-probabilities of the next token only, which is enough for single-token choices but not for whole texts',
    { retryable: false, hint: 'Use CLPInferencer, or a server that echoes log-probabilities.' },
  );
}

function noTokens({ url }: Connection): ModelError {
  return new ModelError(
    'model.no_logprobs',
    `${url} returned no log-probabilities for a text, or not those of all its tokens and no others`,
    {
      url,
      retryable: false,
      hint: 'See docs/reference/loglikelihood.md for what each server needs.',
    },
  );
}

function notListed({ url }: Connection, part: string, listed: number): ModelError {
  return new ModelError(
    'model.choice_not_listed',
    `${JSON.stringify(part)} is not among the ${listed} likeliest next tokens that ${url} gives`,
    {
      url,
      retryable: false,
      hint: 'A choice must be a single token as it follows the prompt (mind the space).',
    },
  );
}
