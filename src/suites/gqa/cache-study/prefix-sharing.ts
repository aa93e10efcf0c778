/** How much of some prompts a server need not compute again, because the prompt before began alike. */
export interface PrefixSharing {
  /** Tokens, or bytes, of all prompts. */
  readonly total: number;
  /** Those that the prompt before has as well, in the order of the run. */
  readonly inRunOrder: number;
  /** The same in the order that shares the most, which is that of the alphabet. */
  readonly inBestOrder: number;
}

/** A prompt as its tokens or its bytes. */
export type PromptUnits = Uint8Array | Uint32Array;

/** Measures the beginnings that each prompt shares with the one before. */
export function measureSharing(prompts: readonly PromptUnits[]): PrefixSharing {
  return {
    total: prompts.reduce((sum, { length }) => sum + length, 0),
    inRunOrder: sharedInTurn(prompts),
    inBestOrder: sharedInTurn(prompts.toSorted(compareUnits)),
  };
}

function sharedInTurn(prompts: readonly PromptUnits[]): number {
  let shared = 0;
  for (let index = 1; index < prompts.length; index++) {
    shared += sharedLength(prompts[index - 1] as PromptUnits, prompts[index] as PromptUnits);
  }
  return shared;
}

function sharedLength(left: PromptUnits, right: PromptUnits): number {
  const longest = Math.min(left.length, right.length);
  let length = 0;
  while (length < longest && left[length] === right[length]) length++;
  return length;
}

function compareUnits(left: PromptUnits, right: PromptUnits): number {
  const shared = sharedLength(left, right);
  return (left[shared] ?? -1) - (right[shared] ?? -1);
}
