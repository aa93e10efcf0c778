/** Why a row has no score whose gold answer cannot be compared. */
export const unusableGold = 'unusable gold answer';

/** Why a row has no score whose scorer gave none. */
export const unusableScores = {
  noScore: 'the function gave no score',
  noNumber: 'the function gave no number',
  outOfRange: 'score out of range',
  noChecks: 'no checks',
} as const;
