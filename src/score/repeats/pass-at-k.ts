export interface Attempts {
  readonly attempts: number;
  readonly passed: number;
  readonly k: number;
}

/**
 * The chance that at least one of `k` attempts passes, estimated without bias from more attempts
 * than that: the share of the choices of `k` among them that hold one that passed.
 *
 * @example
 * passAtK({ attempts: 4, passed: 1, k: 2 }) // 0.5
 */
export function passAtK({ attempts, passed, k }: Attempts): number {
  return 1 - chanceOfAll({ attempts, passed: attempts - passed, k });
}

/**
 * The chance that all of `k` attempts pass, estimated in the same way.
 *
 * @example
 * passHatK({ attempts: 4, passed: 3, k: 2 }); // 0.5
 */
export function passHatK({ attempts, passed, k }: Attempts): number {
  return chanceOfAll({ attempts, passed, k });
}

/** The share of the choices of `k` that hold none but `passed` ones; no large number comes up. */
function chanceOfAll({ attempts, passed, k }: Attempts): number {
  let chance = 1;
  for (let drawn = 0; drawn < k && chance > 0; drawn += 1) {
    chance *= Math.max(0, passed - drawn) / (attempts - drawn);
  }
  return chance;
}
