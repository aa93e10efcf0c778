/**
 * The commit of the original program that is reproduced: 40a46a9 is the one that its guide
 * describes, 48bab23 the last one.
 */
export const gqaCompats = ['40a46a9', '48bab23'] as const;

export type GqaCompat = (typeof gqaCompats)[number];
