import type { Extractor } from '../extractor.ts';
import { foldWidth } from '../fold.ts';
import { findOptionText, type Option, wholeOptionText } from '../option-texts.ts';

/**
 * The option whose text is the answer, or is the only one in it; its label is what is found.
 *
 * @example
 * const options = [{ label: 'A', text: 'a cat' }, { label: 'B', text: 'a dog' }];
 * choiceText(options).extract('It is a dog.')?.value; // 'B'
 */
export function choiceText(options: readonly Option[]): Extractor {
  return {
    name: 'choice-text',
    extract(text) {
      const folded = foldWidth(text);
      return wholeOptionText(folded, options) ?? findOptionText(folded, options).at(-1);
    },
  };
}
