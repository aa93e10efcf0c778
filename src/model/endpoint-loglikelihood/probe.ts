import { ModelError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { post } from '../exchange.ts';
import { asObject, type JsonObject, parseJson } from '../json-value.ts';
import { type LikelihoodDialect, likelihoodSettings } from './dialect.ts';
import { choicesOf } from './openai-loglikelihood.ts';
import { alignTokens, readEchoed, readNextTokens } from './read-tokens.ts';

const texts = ['One two three.', 'One two four.'];

/** Finds out with one request how an endpoint tells log-probabilities. */
export async function probeLikelihood(
  connection: Connection,
  { model, signal }: { readonly model: string; readonly signal: AbortSignal },
): Promise<LikelihoodDialect> {
  const body = JSON.stringify({ model, prompt: texts, ...likelihoodSettings('echo') });
  let answer: { readonly text: string };
  try {
    answer = await post(connection, { body, signal });
  } catch (error) {
    if (error instanceof ModelError && isRefusal(error)) throw refused(connection, error);
    throw error;
  }
  const completion = asObject(parseJson(answer.text));
  const choices = Array.isArray(completion?.choices) ? choicesOf(completion) : [];
  const how = howOf(choices);
  if (!completion || !how) throw refused(connection);
  return {
    server: serverOf(completion, choices),
    how,
    takesLists: choices.length === texts.length,
  };
}

function howOf(choices: readonly JsonObject[]): LikelihoodDialect['how'] | undefined {
  const [choice] = choices;
  if (!choice) return undefined;
  const echoed = readEchoed(choice);
  if (echoed && texts.some((text) => alignTokens(text, echoed)) && echoed.tokens.length > 1) {
    return 'echo';
  }
  if ('prompt_logprobs' in choice) return 'prompt_logprobs';
  return readNextTokens(choice) ? 'next-token' : undefined;
}

/** By what each server puts into a completion of its own. */
function serverOf(
  completion: JsonObject,
  [choice = {}]: readonly JsonObject[],
): LikelihoodDialect['server'] {
  if ('timings' in completion || String(completion.system_fingerprint).startsWith('b')) {
    return 'llama.cpp';
  }
  if ('matched_stop' in choice || 'metadata' in completion) return 'SGLang';
  if ('stop_reason' in choice || 'prompt_logprobs' in choice) return 'vLLM';
  return String(completion.id).startsWith('cmpl-') ? 'OpenAI' : 'unknown';
}

function isRefusal({ status = 0 }: ModelError): boolean {
  return status === 400 || status === 404 || status === 405 || status === 422 || status === 501;
}

function refused({ url }: Connection, cause?: ModelError): ModelError {
  const reason = cause ? `: ${cause.message}` : '';
  return new ModelError(
    'model.no_logprobs',
    `${url} returns no log-probabilities for the text it is sent${reason}`,
    {
      url,
      retryable: false,
      hint: 'It needs /v1/completions with `echo` and `logprobs`: vLLM and SGLang have them, chat endpoints do not. See docs/reference/loglikelihood.md.',
      ...(cause && { cause }),
    },
  );
}
