import type { ModelFormat } from './format.ts';
import { getKey, isMapping } from './mapping.ts';
import { endMark, endOfAnswers } from './meta-template.ts';

/**
 * The texts that end an answer in a model's format. Chat servers write the format themselves, and
 * know them: only those that the format names are sent. A template may end its answers in its own way.
 *
 * @example
 * formatStops(formatOf({ takes: 'text', metaTemplate: 'chatml', path: ['meta_template'] }));
 * // ['<|im_end|>']
 */
export function formatStops(format: ModelFormat, template?: unknown): readonly string[] {
  if (format.type === 'plain') return [];
  const { stop, roles } = format.meta;
  const own = format.type === 'text' ? ownEnd(template) : undefined;
  if (own !== undefined && stop.join() === endOfAnswers(roles).join()) return endMark(own);
  return format.type === 'chat-template' && stop.length === 0 ? endMark(afterAnswer(format)) : stop;
}

/** What a template has after the answer in place of what the format has there. */
function ownEnd(template: unknown): string | undefined {
  const round = isMapping(template) ? getKey(template, 'round') : undefined;
  const last: unknown = Array.isArray(round) ? round.at(-1) : undefined;
  const end = isMapping(last) && getKey(last, 'role') === 'BOT' ? getKey(last, 'end') : undefined;
  return typeof end === 'string' ? end : undefined;
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
