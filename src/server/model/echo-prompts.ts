import { sharedLengths } from '../../model/local/shared-lengths.ts';
import { type PositionedToken, promptLogprobs } from './logprobs.ts';
import type { ReadPrompt } from './read-prompts.ts';
import type { ServedModel } from './served-model.ts';

/** The tokens of prompts with their probabilities; what prompts share is read once. */
export async function echoPrompts(
  { parts }: ServedModel,
  prompts: readonly ReadPrompt[],
  { top, signal }: { readonly top: number; readonly signal: AbortSignal },
): Promise<PositionedToken[][]> {
  const { engine } = parts;
  const shared = sharedLengths(prompts.map(({ ids }) => ids));
  const requests = prompts.map(({ ids }, position) => ({
    ids,
    from: 1,
    shared: shared[position] ?? 0,
    top,
  }));
  const asked = requests.filter(({ ids }) => ids.length > 1);
  const scores = asked.length > 0 ? await engine.score(asked, { signal }) : [];
  return requests.map((request, position) => {
    const tokens = promptLogprobs(request.ids, scores[asked.indexOf(request)], top);
    return tokens.map((token, index) => ({
      ...token,
      offset: prompts[position]?.offsets[index] ?? 0,
    }));
  });
}
