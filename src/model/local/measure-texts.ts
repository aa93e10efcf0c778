import type { LoglikelihoodResult, LoglikelihoodText, TextLogprobs } from '../loglikelihood.ts';
import { firstCounted, wholeLogprobs } from '../loglikelihoods-of.ts';
import type { SequenceScores } from './engine/requests.ts';
import type { LocalTokenizer } from './local-tokenizer.ts';
import type { LocalParts } from './open-local.ts';
import { checkLength } from './prompt-tokens.ts';
import { sharedLengths } from './shared-lengths.ts';

/** What the model says of the parts of texts; what they have in common is read once. */
export async function measureTexts(
  { engine, tokenizer, contextLength }: LocalParts,
  texts: readonly LoglikelihoodText[],
  { signal }: { readonly signal: AbortSignal },
): Promise<LoglikelihoodResult> {
  const startedAt = performance.now();
  const measured = texts.map((text) => measure(text, tokenizer));
  for (const { ids } of measured) checkLength(ids, { contextLength, room: 0 });
  const asked = measured.filter(({ ids, from }) => from < ids.length);
  const shared = sharedLengths(asked.map(({ ids }) => ids));
  const requests = asked.map(({ ids, from }, index) => ({
    ids,
    from,
    shared: shared[index] ?? 0,
    top: 0,
  }));
  const scores = requests.length > 0 ? await engine.score(requests, { signal }) : [];
  const scoreOf = new Map(asked.map((text, index) => [text, scores[index]]));
  return {
    logprobs: measured.map((text) => logprobsOf(text, scoreOf.get(text))),
    usage: {
      inputTokens: measured.reduce((sum, { ids }) => sum + ids.length, 0),
      outputTokens: 0,
      cachedTokens: scores.reduce((sum, { cached }) => sum + cached, 0),
    },
    totalMs: performance.now() - startedAt,
  };
}

/** A text in tokens, and the first one whose probability is asked for and known. */
interface MeasuredText {
  readonly text: LoglikelihoodText;
  readonly ids: Int32Array;
  readonly from: number;
  /** Where the tokens that count begin. */
  readonly starts: Int32Array;
}

function measure(text: LoglikelihoodText, tokenizer: LocalTokenizer): MeasuredText {
  const own = tokenizer.encode(text.text);
  const starts = tokenizer.startsOf(text.text, own);
  const first = firstCounted({ ...text, starts });
  const ids = Int32Array.from(tokenizer.withPrefix(own));
  const from = Math.max(1, ids.length - own.length + first);
  return { text, ids, from, starts: starts.subarray(first) };
}

function logprobsOf(
  { text, starts }: MeasuredText,
  scores: SequenceScores | undefined,
): TextLogprobs {
  // A text's first token has no probability if nothing precedes it.
  const logprobs = [...(scores?.logprobs ?? [])];
  const unmeasured = Array.from({ length: starts.length - logprobs.length }, () => null);
  const isBest = (logprob: number, index: number) => logprob === scores?.bestLogprobs[index];
  return wholeLogprobs(text.text, {
    starts: [...starts],
    values: [...unmeasured, ...logprobs],
    likeliest: [...unmeasured.map(() => false), ...logprobs.map(isBest)],
  });
}
