import { contentText } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { openedAtEnd, openedIn, type Thinking } from '../score/split-answer.ts';
import type { EvaluationPrompts } from './prompt-setup.ts';

/** The mark of the thought that the reply to a prompt starts in; nothing where it starts in none. */
export function openedThought(prompt: Prompt, thinking?: Thinking): string | undefined {
  const opened = openedBy(prompt, thinking);
  if (opened !== undefined || !thinking?.opened) return opened;
  return thinking.begin ?? '<think>';
}

/** What comes before the model's own turn may talk of marks; what the model is made to say does not. */
function openedBy(prompt: Prompt, thinking: Thinking | undefined): string | undefined {
  if (prompt.type === 'text') return openedAtEnd(prompt.text, thinking);
  const last = prompt.messages.at(-1);
  return last?.role === 'assistant' ? openedIn(contentText(last.content), thinking) : undefined;
}

interface Thinks {
  readonly row: PositionedRow | undefined;
  readonly thinking: Thinking | undefined;
}

/** What decides which part of a reply is thought, where anything but its own marks does. */
export function thoughtRules(
  prompts: EvaluationPrompts,
  { row, thinking }: Thinks,
): readonly unknown[] {
  const prompt = row && firstPrompt(prompts, row);
  const opened = prompt && openedThought(prompt, thinking);
  return thinking || opened !== undefined ? [{ thinking, opened }] : [];
}

/** What a row is asked first; nothing where it has to be made ready for that. */
function firstPrompt(prompts: EvaluationPrompts, row: PositionedRow): Prompt | undefined {
  try {
    if (prompts.prepare || prompts.labels) return undefined;
    return prompts.turnsOf ? prompts.turnsOf(row)[0] : prompts.promptOf(row).prompt;
  } catch {
    // A row that cannot be asked about says so where it is asked.
    return undefined;
  }
}
