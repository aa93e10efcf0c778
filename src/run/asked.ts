import type { RowRequest } from '../infer/inference.ts';
import type { Prompt } from '../prompt/index.ts';
import { promptHash, textsHash } from './key.ts';

/** Hash of what is asked, whatever the model. */
export function askedHash(asked: RowRequest): string {
  return asked.type === 'generate' ? promptHash(asked.prompt) : textsHash(asked.texts);
}

/** What stands for a request where one prompt is shown. */
export function shownPrompt(asked: RowRequest): Prompt {
  return asked.type === 'generate'
    ? asked.prompt
    : { type: 'text', text: asked.texts[0]?.text ?? '' };
}
