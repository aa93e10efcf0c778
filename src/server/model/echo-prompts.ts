import { sharedLengths } from '../../model/local/shared-lengths.ts';
import { type PositionedToken, promptLogprobs } from './logprobs.ts';
import type { ReadPrompt } from './read-prompts.ts';
import type { Asker, ServedModel } from './served-model.ts';

/** The tokens of prompts with their probabilities; what prompts share is read once. */
export async function echoPrompts(
  { parts, queue }: ServedModel,
  prompts: readonly ReadPrompt[],
  { top, ...asker }: Asker & { readonly top: number },
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
  const scores = await Promise.all(
    partsOf(asked).map((part) => queue.use(asker, () => engine.score(part, asker))),
  ).then((parts) => parts.flat());
  return requests.map((request, position) => {
    const tokens = promptLogprobs(request.ids, scores[asked.indexOf(request)], top);
    return tokens.map((token, index) => ({
      ...token,
      offset: prompts[position]?.offsets[index] ?? 0,
    }));
  });
}

/** Others may have their turn after so many. */
const scoredTogether = 32;

function partsOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const count = Math.ceil(items.length / scoredTogether);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * scoredTogether, (index + 1) * scoredTogether),
  );
}
