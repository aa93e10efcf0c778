import type { SheetValue } from './sheet-columns.ts';

export interface CellText {
  /** The cell's `t`: `s`, `inlineStr`, `str`, `b`, `e`, `d` or `n`. */
  readonly type: string;
  readonly text: string;
  /** Whether its style shows a number as a date. */
  readonly isDate: boolean;
  /** Whether days are counted from 1904 and not from 1900. */
  readonly from1904: boolean;
}

/** What pandas takes for a missing value. */
const missingTexts = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN'],
  ...['<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
]);

/** The value of a cell as pandas reads it; nothing for an error or a missing value. */
export function valueOfCell({ type, text, isDate, from1904 }: CellText): SheetValue | undefined {
  switch (type) {
    case 'e':
      return undefined;
    case 'b':
      return text === '1' || text === 'true';
    case 'd':
      return text.replace('T', ' ');
    case 'n': {
      const number = Number(text);
      return isDate ? dateText(number, from1904) : number;
    }
    default:
      return missingTexts.has(text) ? undefined : text;
  }
}

/** Whether a number format shows a date or a time of day. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || id === 45 || id === 47;
  // quoted text, escaped characters and colours or conditions in brackets are no date letters
  return /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|general/gi, ''));
}

/** A day number as Python prints the date, or the time where it has no day. */
function dateText(days: number, from1904: boolean): string {
  const start = Date.UTC(from1904 ? 1904 : 1899, from1904 ? 0 : 11, from1904 ? 1 : 30);
  // Excel counts a 29 February 1900 that there was not
  const shifted = !from1904 && days >= 1 && days < 60 ? days + 1 : days;
  const milliseconds = Math.round(shifted * 86_400_000);
  const text = new Date(start + milliseconds).toISOString().replace('T', ' ').slice(0, 19);
  return days >= 0 && days < 1 ? text.slice(11) : text;
}
