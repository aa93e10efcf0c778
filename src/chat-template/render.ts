import type { ChatTemplateInput, ChatTemplateMessage } from '../prompt/conversation.ts';
import { cutOpen, markOpen } from './open-message.ts';
import { runTemplate } from './run-template.ts';
import { fillParts, findParts } from './skeleton.ts';
import type { ChatTemplate } from './types.ts';

/**
 * The text of a conversation in a model's chat template, identical to the output of Python's renderer. Lists
 * and mappings among tools, documents and variables must not be changed between calls.
 *
 * @example
 * const source = '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}';
 * const messages = [{ role: 'user', content: 'Hi' }];
 * renderChatTemplate(loadChatTemplate(source), { messages, addGenerationPrompt: true });
 * // '<user>Hi'
 */
export function renderChatTemplate(
  template: ChatTemplate,
  input: ChatTemplateInput<ChatTemplateMessage>,
): string {
  const conversation = markOpen(
    input as ChatTemplateInput<Readonly<Record<string, unknown>>>,
    (message, mark) => ({ ...message, content: `${message.content}${mark}` }),
  );
  const parts = findParts(template, conversation);
  if (parts) return cutOpen(fillParts(parts, conversation), input);
  return cutOpen(runTemplate(template, conversation).join(''), input);
}
