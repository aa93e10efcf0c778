import { joinSpans, type Span } from './origin.ts';
import { programFor } from './plan.ts';
import type { PromptProgram } from './program.ts';
import { fillPrompt } from './render.ts';
import { type NamedRow, type Shots, traceMessages, traceText } from './trace.ts';

/**
 * What a model has to write before the answer itself: spaces that the prompt leaves to it, and what
 * the examples show before their answers where the prompt ends before that.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'A: {a}' }, outputColumn: 'a' });
 * answerLead(program, { id: 0, row: { a: '2' } }); // ' '
 */
export function answerLead(program: PromptProgram, named: NamedRow, shots?: Shots): string {
  return shownLead(program, named, shots) ?? programFor(program, named.row, shots).droppedSpaces;
}

function shownLead(
  program: PromptProgram,
  named: NamedRow,
  shots: Shots | undefined,
): string | undefined {
  const { shotStyle, iceTemplate, format } = program;
  if (!shotStyle || !shots?.rows.length || iceTemplate?.body.type === 'labels') return undefined;
  const { plan } = shotStyle.formOf(named.row);
  const prompt = fillPrompt(program, named.row, shots);
  if (plan.type === 'text') {
    if (prompt.type !== 'text' || format.type === 'chat-template') return undefined;
    const shown = beforeAnswer(traceText(plan, named, undefined), program.outputColumn);
    return shown && restOf(prompt.text, shown);
  }
  const last = traceMessages(plan, named, undefined).at(-1);
  const shown = last && beforeAnswer(last.spans, program.outputColumn);
  const sent = prompt.type === 'messages' ? prompt.messages.at(-1) : undefined;
  if (!last || !shown || shown.fixed !== shown.text) return undefined;
  if (sent?.role !== last.role) return shown.text;
  return typeof sent.content === 'string' ? restOf(sent.content, shown) : undefined;
}

/** What stands before an answer: all of it, and its end that is the same in every row. */
interface BeforeAnswer {
  readonly text: string;
  readonly fixed: string;
}

function beforeAnswer(
  spans: readonly Span[],
  column: string | undefined,
): BeforeAnswer | undefined {
  const isField = ({ origin }: Span) => origin.type === 'field';
  const answer = spans.findLastIndex(
    ({ origin }) => origin.type === 'field' && origin.field === column,
  );
  if (answer < 0) return undefined;
  const before = spans.slice(0, answer);
  const fixed = before.slice(before.findLastIndex(isField) + 1);
  return { text: joinSpans(before), fixed: joinSpans(fixed) };
}

/** What of a text is still to be written after a prompt that ends somewhere in its fixed part. */
function restOf(prompt: string, { text, fixed }: BeforeAnswer): string | undefined {
  for (let length = 0; length <= fixed.length; length++) {
    const written = text.slice(0, text.length - length);
    const fixedPart = fixed.slice(0, fixed.length - length);
    const isThere = fixedPart.trim() === '' ? written : fixedPart;
    if (isThere !== '' && prompt.endsWith(isThere)) return text.slice(written.length);
  }
  return undefined;
}
