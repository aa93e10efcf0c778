import { pyStr } from '../../../python/repr.ts';
import { answerCleaners } from '../cleaners/answer-cleaners.ts';

/** What a post-processor of theirs makes of a text. */
export function cleanedBy(name: string, text: string): string {
  const type = answerCleaners[name];
  if (!type) throw new TypeError(`there is no cleaner ${name}`);
  return pyStr(type.build({ component: { type: name }, path: [] }, undefined)(text, {}));
}
