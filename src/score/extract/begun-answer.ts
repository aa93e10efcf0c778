import { contentText } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { escapePattern, foldWidth } from '../text-matching.ts';
import { answerMarkers } from './marked-answer.ts';

const isCue = (marker: string) => /[:—]$/.test(marker);
const anyOf = (markers: readonly string[]) =>
  markers
    .map((marker) => escapePattern(foldWidth(marker)).replaceAll(' ', String.raw`\s+`))
    .join('|');
const begins = String.raw`(?<![\p{L}\d])`;
const claim = new RegExp(
  String.raw`(?:${begins}(?:${anyOf(answerMarkers.filter((marker) => !isCue(marker)))}):?|####|\\boxed\s*\{)[\s*_$\\({]*$`,
  'iu',
);
const cue = new RegExp(
  String.raw`${begins}(?:${anyOf(answerMarkers.filter(isCue))})[\s*_$]*$`,
  'iu',
);

/**
 * What a prompt ends with that says that the answer comes next; what the model writes goes on from it.
 *
 * @example
 * begunStatement({ type: 'text', text: '6 × 7?\nThe answer is' }); // 'answer is'
 */
export function begunStatement(prompt: Prompt): string | undefined {
  const tail = endOf(prompt).slice(-60);
  const folded = foldWidth(tail);
  const found = claim.exec(folded) ?? cue.exec(folded);
  return found ? tail.slice(found.index) : undefined;
}

/** What an answer goes on from: a text, or what the model itself is made to say. */
function endOf(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  const last = prompt.messages.at(-1);
  return last?.role === 'assistant' ? contentText(last.content) : '';
}

/** What follows `Answer:` is mostly a solution; it is the answer alone where it begins with it. */
const answerFirst =
  /^[\s*_$€£¥]*[-−+]?\d[\d.,]*%?(?:[^\S\n]?\p{L}+){0,2}[*_$]*(?:\s*$|[.。!！](?!\d)(?![\s\S]*(?:=|(?<!\p{L})(?:so|therefore|thus|hence|total|left)(?!\p{L})|所以|因此|一共|よって|したがって)))/iu;

/**
 * The statement that an answer is read together with, if the prompt ended with one.
 *
 * @example
 * statementBefore(' 42, since 40 + 2', 'answer is'); // 'answer is'
 * statementBefore(' First, 40 + 2', 'Answer:'); // ''
 */
export function statementBefore(answer: string, begun: string | undefined): string {
  if (begun === undefined) return '';
  return claim.test(foldWidth(begun)) || answerFirst.test(answer) ? begun : '';
}
