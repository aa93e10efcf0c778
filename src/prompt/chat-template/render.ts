import { runTemplate } from './run.ts';
import { fillParts, findParts } from './skeleton.ts';
import type { ChatTemplate, ChatTemplateInput, ChatTemplateMessage } from './types.ts';

/**
 * The text that a conversation is for a model, equal to what Python's renderer makes. Lists
 * and mappings among tools, documents and variables must not be changed between calls.
 */
export function renderChatTemplate(
  template: ChatTemplate,
  input: ChatTemplateInput<ChatTemplateMessage>,
): string {
  const conversation = input as ChatTemplateInput<Readonly<Record<string, unknown>>>;
  const parts = findParts(template, conversation);
  if (parts) return fillParts(parts, conversation);
  return runTemplate(template, conversation).join('');
}
