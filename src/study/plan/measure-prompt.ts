import { textOnly } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';

/** Bytes of text that a token is taken to have where there is no tokenizer. */
export const bytesPerToken = 4;

/** Characters of a prompt; of messages, those of their contents. */
export function charactersOf(prompt: Prompt): number {
  return messagesOf(prompt).reduce((sum, { content }) => sum + content.length, 0);
}

/** Tokens of a prompt, without those that the server adds around messages. */
export function countTokens(
  prompt: Prompt,
  countText: (text: string) => number = (text) => Buffer.byteLength(text) / bytesPerToken,
): number {
  const pieces =
    prompt.type === 'text' && prompt.pieces
      ? prompt.pieces
      : messagesOf(prompt).map(({ content }) => content);
  return pieces.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'string' ? countText(piece) : piece.length),
    0,
  );
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
