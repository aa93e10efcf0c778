import { pythonSpace, stripText } from '../../python/text.ts';

const spaces = new RegExp(`[${pythonSpace}]+`, 'u');

/** The words between white space, as Python's `text.split()` has them. */
export function splitWords(text: string): string[] {
  return text.split(spaces).filter((word) => word !== '');
}

/** Python's `text.rstrip()`. */
export function trimEnd(text: string): string {
  return stripText(`.${text}`).slice(1);
}
