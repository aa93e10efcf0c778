import type { Factor, Levels } from '../factors.ts';

/** Levels that cannot stand together. */
export interface Rule {
  readonly factors: readonly Factor[];
  readonly refuses: (levels: Levels) => boolean;
  readonly because: string;
}

/** A rule about some factors. */
export function refuse<const Names extends readonly Factor[]>(
  because: string,
  names: Names,
  refuses: (levels: Pick<Levels, Names[number]>) => boolean,
): Rule {
  return { factors: names, refuses, because };
}

type Ask = Levels['ask'];

export const isTurns = (ask: Ask) => ask.startsWith('turns');
export const isChat = (ask: Ask) => ask.startsWith('chat');
export const isDialogue = (ask: Ask) => isTurns(ask) || isChat(ask);
export const isWritten = (ask: Ask) => ask === 'gen' || ask === 'sc' || isDialogue(ask);
