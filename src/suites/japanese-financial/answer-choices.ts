import { pythonPattern } from '../../python/pattern.ts';

/** How a choice fares in an answer that a model wrote. */
export interface ChoiceInAnswer {
  /** Minus the place of its first mention, in characters; minus infinity if it is not mentioned. */
  readonly logLikelihood: number;
  /** Whether no other choice is mentioned earlier. */
  readonly isFirst: boolean;
}

/**
 * Weighs choices by where an answer mentions them, for models that tell no probabilities: the
 * earliest mention wins. `alsoNormalized` looks for the compatible form of a choice as well, so
 * that `３` is found in `3`.
 */
export function choicesInAnswer(
  answer: string,
  continuations: readonly string[],
  { alsoNormalized }: { readonly alsoNormalized: boolean },
): ChoiceInAnswer[] {
  const places = continuations.map((continuation) => {
    const choice = continuation.replace(/^ /, '');
    const plain = placeOf(answer, choice);
    return alsoNormalized ? Math.min(plain, placeOf(answer, choice.normalize('NFKC'))) : plain;
  });
  const first = Math.min(...places);
  return places.map((place) => ({ logLikelihood: -place, isFirst: place === first }));
}

function placeOf(answer: string, choice: string): number {
  const found = pythonPattern(choice).exec(answer);
  return found ? [...answer.slice(0, found.index)].length : Number.POSITIVE_INFINITY;
}
