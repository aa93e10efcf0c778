/** Why a row has no score whose gold answer cannot be compared. */
export const unusableGold = 'unusable gold answer';
