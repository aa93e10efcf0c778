import { ModelError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { post } from '../exchange.ts';
import { asObject, type JsonObject, parseJson } from '../json-value.ts';
import type { LoglikelihoodModel } from '../loglikelihood.ts';
import { alignTokens } from './align-tokens.ts';
import { type LikelihoodDialect, likelihoodSettings } from './dialect.ts';
import { choicesOf } from './openai-loglikelihood.ts';
import { readEchoed, readNextTokens } from './read-tokens.ts';

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

export interface DialectCheck {
  /** How the endpoint told log-probabilities when it was last asked about it. */
  readonly dialect: LikelihoodDialect;
  readonly url: string;
  readonly probe: (signal: AbortSignal) => Promise<LikelihoodDialect>;
}

/** A model that makes sure of how its endpoint tells log-probabilities, once it has to be asked. */
export function checkDialectFirst(
  model: LoglikelihoodModel,
  check: DialectCheck,
): LoglikelihoodModel {
  let checked: Promise<void> | undefined;
  return {
    ...model,
    async measure(request, options) {
      checked ??= requireDialect(check, options.signal).catch((error) => {
        checked = undefined;
        throw error;
      });
      await checked;
      return model.measure(request, options);
    },
  };
}

async function requireDialect(
  { dialect, url, probe }: DialectCheck,
  signal: AbortSignal,
): Promise<void> {
  const { how, takesLists } = await probe(signal).catch((error) => {
    const isRefusal = error instanceof ModelError && error.code === 'model.no_logprobs';
    throw isRefusal ? changed(url, error) : error;
  });
  if (how !== dialect.how || takesLists !== dialect.takesLists) throw changed(url);
}

function changed(url: string, cause?: ModelError): ModelError {
  return new ModelError(
    'model.logprobs_changed',
    `${url} changed how it returns log-probabilities`,
    { url, retryable: false, hint: 'Run the command again.', ...(cause && { cause }) },
  );
}
