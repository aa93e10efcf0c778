import type { LoglikelihoodResult } from '../../model/loglikelihood.ts';
import type { GenerateResult } from '../../model/model.ts';
import { restoreLogprobs, type StoredLogprobs, storeLogprobs } from './stored-logprobs.ts';

/** What a model said to a request. */
export type ModelAnswer = GenerateResult | LoglikelihoodResult;

/** The same in a form that JSON can hold: nothing of it is lost. */
export type StoredAnswer =
  | GenerateResult
  | (Omit<LoglikelihoodResult, 'logprobs'> & { readonly logprobs: readonly StoredLogprobs[] });

export function storeAnswer(answer: ModelAnswer): StoredAnswer {
  return 'logprobs' in answer ? { ...answer, logprobs: storeLogprobs(answer.logprobs) } : answer;
}

/** Nothing where it is damaged. */
export function restoreAnswer(stored: StoredAnswer): ModelAnswer | undefined {
  if (!('logprobs' in stored))
    return 'text' in stored && typeof stored.text === 'string' ? stored : undefined;
  const logprobs = restoreLogprobs(stored.logprobs);
  return logprobs && { ...stored, logprobs };
}
