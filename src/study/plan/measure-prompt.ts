import { textOnly } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';

/** Characters of a prompt; of messages, those of their contents. */
export function charactersOf(prompt: Prompt): number {
  return messagesOf(prompt).reduce((sum, { content }) => sum + content.length, 0);
}

/** How many characters from the start two prompts have in common. */
export function sharedCharacters(left: Prompt, right: Prompt): number {
  const others = messagesOf(right);
  let shared = 0;
  for (const [index, { role, content }] of messagesOf(left).entries()) {
    const other = others[index];
    if (other?.role !== role) return shared;
    const length = sharedStart(content, other.content);
    shared += length;
    if (length < content.length || length < other.content.length) return shared;
  }
  return shared;
}

function sharedStart(left: string, right: string): number {
  const longest = Math.min(left.length, right.length);
  let length = 0;
  while (length < longest && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

function messagesOf(prompt: Prompt): readonly { role: string; content: string }[] {
  if (prompt.type === 'text') return [{ role: '', content: prompt.text }];
  return prompt.messages.map(({ role, content }) => ({ role, content: textOnly(content) }));
}
