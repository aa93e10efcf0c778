import type { ModelFormat } from './format.ts';
import { endMark } from './meta-template.ts';

/**
 * The texts that end an answer in a model's format. Chat servers write the format themselves, and
 * know them.
 *
 * @example
 * formatStops(formatOf({ takes: 'text', metaTemplate: 'chatml', path: ['meta_template'] }));
 * // ['<|im_end|>']
 */
export function formatStops(format: ModelFormat): readonly string[] {
  if (format.type === 'text') return format.meta.stop;
  return format.type === 'chat-template' ? endMark(afterAnswer(format)) : [];
}

const question = { role: 'user', content: 'a question' };
const answer = { role: 'assistant', content: 'an answer' };

/** What a chat template writes after an answer. */
function afterAnswer({
  template,
  variables,
  tools,
  now,
}: ModelFormat & { type: 'chat-template' }): string {
  const options = { addGenerationPrompt: false, variables, tools, now };
  try {
    const text = template.render({ messages: [question, answer], ...options });
    const start = text.lastIndexOf(answer.content);
    return start < 0 ? '' : text.slice(start + answer.content.length);
  } catch {
    // A template that refuses this says so where it is used.
    return '';
  }
}
