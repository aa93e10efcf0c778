import { patternMatcher } from '../../../base/match-pattern.ts';
import { pythonPattern } from '../../../python/pattern.ts';

/** How a choice fares in an answer that a model wrote. */
export interface ChoiceInAnswer {
  /** Minus the position of its first mention, in characters; minus infinity if it is not mentioned. */
  readonly logLikelihood: number;
  /** Whether no other choice is mentioned earlier. */
  readonly isFirst: boolean;
}

/**
 * Ranks choices by where an answer mentions them, for models that tell no probabilities: the
 * earliest mention wins. `alsoNormalized` looks for the compatible form of a choice as well, so
 * that `３` is found in `3`.
 */
export function choicesInAnswer(
  answer: string,
  continuations: readonly string[],
  { alsoNormalized }: { readonly alsoNormalized: boolean },
): ChoiceInAnswer[] {
  const positions = continuations.map((continuation) => {
    const choice = continuation.replace(/^ /, '');
    const plain = positionOf(answer, choice);
    return alsoNormalized ? Math.min(plain, positionOf(answer, choice.normalize('NFKC'))) : plain;
  });
  const first = Math.min(...positions);
  return positions.map((position) => ({ logLikelihood: -position, isFirst: position === first }));
}

function positionOf(answer: string, choice: string): number {
  const found = patternMatcher(pythonPattern(choice))(answer);
  return found ? [...answer.slice(0, found.index)].length : Number.POSITIVE_INFINITY;
}
