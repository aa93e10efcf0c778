import { TemplateError } from '../errors.ts';
import type { ChatTemplateInput } from '../prompt/conversation.ts';
import { joinSpans, type Span } from '../prompt/origin.ts';

/** Stands at the end of a message that the model goes on with. No template and no model writes it. */
const mark = '\u{f5f0e}\u{f5f0f}';

/** The conversation with its last message closed by a mark, if that is where the model goes on. */
export function markOpen<Message>(
  input: ChatTemplateInput<Message>,
  add: (message: Message, mark: string) => Message,
): ChatTemplateInput<Message> {
  const last = input.messages.at(-1);
  if (!input.isOpen || last === undefined) return input;
  const messages = [...input.messages.slice(0, -1), add(last, mark)];
  return { ...input, messages, addGenerationPrompt: false };
}

/** What was written before the mark. */
export function cutOpen(text: string, { isOpen }: Pick<ChatTemplateInput, 'isOpen'>): string {
  if (!isOpen) return text;
  const end = text.lastIndexOf(mark);
  if (end < 0) throw notWritten();
  return text.slice(0, end);
}

/** The same of spans. */
export function cutOpenSpans(spans: Span[], input: Pick<ChatTemplateInput, 'isOpen'>): Span[] {
  if (!input.isOpen) return spans;
  const kept: Span[] = [];
  let left = cutOpen(joinSpans(spans), input).length;
  for (const span of spans) {
    if (span.text.length > left) {
      if (left > 0) kept.push({ ...span, text: span.text.slice(0, left) });
      break;
    }
    kept.push(span);
    left -= span.text.length;
  }
  return kept;
}

function notWritten(): TemplateError {
  return new TemplateError(
    'chat_template.no_open_answer',
    'the chat template cannot leave an answer open for the model to continue',
    {
      hint: 'Remove the text before the hidden answer from the template, or move it into the question.',
    },
  );
}
