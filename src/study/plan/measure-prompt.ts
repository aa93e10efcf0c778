import { textOnly } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';

/** Characters of a prompt; of messages, those of their contents. */
export function charactersOf(prompt: Prompt): number {
  if (prompt.type === 'text') return prompt.text.length;
  return prompt.messages.reduce((sum, { content }) => sum + textOnly(content).length, 0);
}
