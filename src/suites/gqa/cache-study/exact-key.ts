import { collapseSpace, stripText } from '../../../python/text.ts';
import type { GqaCompat } from '../compat.ts';

/**
 * The form in which texts are equal: without regard to case and the amount of white space. The
 * newer original keeps nothing but letters and digits of ASCII.
 */
export function exactKey(text: string, compat?: GqaCompat): string {
  if (compat === '48bab23')
    return text
      .replaceAll(/[^A-Za-z0-9]+/g, ' ')
      .trim()
      .toLowerCase();
  return collapseSpace(stripText(text).toLowerCase());
}
