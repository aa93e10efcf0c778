import type { Plain } from '../plain-value.ts';

/** Columns that rows have beside the variables of a test. */
export const messagesColumn = '__messages';
export const testColumn = '__test';
export const thresholdColumn = '__threshold';
const others = [messagesColumn, testColumn, thresholdColumn, 'checks'];

/** The variables of a test. */
export function ownColumns(row: Plain): Plain {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !others.includes(column)));
}
