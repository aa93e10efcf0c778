import { numberOf, type WireBody } from './wire-body.ts';

const addedToken = ' so';

/** The texts of a request with the log-probabilities of their tokens, as vLLM tells them. */
export function echoChoices({ prompt = '' }: WireBody) {
  const texts = [prompt].flat().map(String);
  return texts.map((text, index) => {
    const tokens = [...(text.match(/\s?[\p{L}\p{N}]+|./gsu) ?? []), addedToken];
    return {
      index,
      text: text + addedToken,
      finish_reason: 'length',
      stop_reason: null,
      logprobs: { tokens, ...valuesOf(tokens) },
    };
  });
}

/** A token is as likely as what stands before it says; the first one has no probability. */
function valuesOf(tokens: readonly string[]) {
  const token_logprobs: (number | null)[] = [];
  const top_logprobs: (Readonly<Record<string, number>> | null)[] = [];
  const text_offset: number[] = [];
  let before = '';
  for (const token of tokens) {
    text_offset.push([...before].length);
    const logprob = before === '' ? null : -(numberOf(before + token) % 1000) / 100 - 0.01;
    token_logprobs.push(logprob);
    top_logprobs.push(logprob === null ? null : { [token]: logprob });
    before += token;
  }
  return { token_logprobs, top_logprobs, text_offset };
}
