import { contentText } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { RowRequest } from './inference.ts';
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

/** A prompt as one text to be read: messages with their roles, media by their names. */
export function promptText(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages
    .map(({ role, content }) => `[${role}]\n${contentText(content)}`)
    .join('\n');
}

/** Characters of media that the data hold themselves: requests name them, but keep them alive. */
export function heldCharacters(asked: RowRequest): number {
  if (asked.type !== 'generate' || asked.prompt.type !== 'messages') return 0;
  let held = 0;
  for (const { content } of asked.prompt.messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      const isHeld = part.type !== 'text' && part.source.startsWith('data:');
      if (isHeld) held += ((part.content?.bytes ?? 0) * 4) / 3;
    }
  }
  return held;
}
