import { type Node, textNode } from '../prompt/node.ts';
import { contentText } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { escapePattern } from './text-matching.ts';

/** A model's reply with its thinking set apart. Nothing is lost: `raw` is the whole reply. */
export interface AnswerParts {
  readonly raw: string;
  /** What there is to score. */
  readonly answer: string;
  readonly reasoning?: string;
  /** The model was still thinking when the reply ended. */
  readonly unfinishedReasoning?: true;
  /** Thoughts and the white space around it count as the rest does. */
  readonly isVerbatim?: true;
}

/** A reply as it came, with thoughts that the server sent apart before it, as promptfoo has it. */
export function verbatimReply({ raw, answer, reasoning }: AnswerParts): AnswerParts {
  const isApart = reasoning !== undefined && answer === raw;
  const whole = isApart ? `Thinking: ${reasoning}\n\n${raw}` : raw;
  return { raw: whole, answer: whole, isVerbatim: true };
}

/** How a model thinks, as its config says. */
export interface Thinking {
  /** The marks around its thoughts; those of common models by default. */
  readonly begin?: string | undefined;
  readonly end?: string | undefined;
  /** Whether replies start in a thought that nothing in the prompt shows to be open. */
  readonly opened?: boolean | undefined;
  /** Whether later turns of a dialogue see thoughts. */
  readonly keep?: boolean | undefined;
}

/** What is known of a reply beside its text. */
export interface ThoughtContext {
  readonly thinking?: Thinking | undefined;
  /** The mark of the thought that was open where the reply starts. */
  readonly opened?: string | undefined;
  /** Whether the reply ended at the length limit. */
  readonly isCut?: boolean | undefined;
}

/** How thinking begins and ends with one family of models or another. */
const thoughtMarks: readonly (readonly [begin: string, end: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
];

interface Marks {
  readonly ends: ReadonlyMap<string, string>;
  readonly any: RegExp;
}

const common = compileMarks(thoughtMarks);
const compiled = new WeakMap<Thinking, Marks>();

function compileMarks(pairs: typeof thoughtMarks): Marks {
  return {
    ends: new Map(pairs.map(([begin, end]) => [begin.toLowerCase(), end.toLowerCase()])),
    any: new RegExp(pairs.flat().map(escapePattern).join('|'), 'gi'),
  };
}

function marksOf(thinking: Thinking | undefined): Marks {
  if (thinking?.begin === undefined || thinking.end === undefined) return common;
  const known = compiled.get(thinking) ?? compileMarks([[thinking.begin, thinking.end]]);
  compiled.set(thinking, known);
  return known;
}

/**
 * Separates a reply's thinking from its answer. `reasoning` is thinking that the server sent by
 * itself.
 *
 * @example
 * splitAnswer('<think>6 × 7</think>\n42').answer // '42'
 * splitAnswer('6 × 7', '', { opened: '<think>' }).unfinishedReasoning // true
 */
export function splitAnswer(
  raw: string,
  reasoning = '',
  { thinking, opened = '', isCut = false }: ThoughtContext = {},
): AnswerParts {
  const marks = marksOf(thinking);
  // A server that sends thoughts apart has ended the one that was open.
  const whole = reasoning === '' ? opened + raw : raw;
  if (reasoning === '' && whole.search(marks.any) < 0) return { raw, answer: raw };
  const { answers, thoughts, unfinished } = cut(whole, marks, isCut);
  const answer = thoughts.length === 0 ? raw : joinPieces(answers);
  const thoughtTexts = [reasoning, ...thoughts].map((thought) => thought.trim()).filter(Boolean);
  const neverAnswered = thoughtTexts.length > 0 && answer.trim() === '' && reasoning !== '';
  return {
    raw,
    answer,
    ...(thoughtTexts.length > 0 && { reasoning: thoughtTexts.join('\n\n') }),
    ...((unfinished || neverAnswered) && { unfinishedReasoning: true }),
  };
}

/** A stretch of a text. */
export type Stretch = readonly [start: number, end: number];

/** Where an answer, after its thoughts, says again what the prompt had it begin with. */
export function repeatedPrefix(
  raw: string,
  answerPrefix: string,
  { thinking, opened = '', isCut = false }: ThoughtContext = {},
): Stretch | undefined {
  const prefix = answerPrefix.trim();
  if (prefix === '' || !raw.includes(prefix)) return undefined;
  const marks = marksOf(thinking);
  const whole = opened + raw;
  const start = whole.search(marks.any) < 0 ? 0 : cut(whole, marks, isCut).start - opened.length;
  if (start < 0) return undefined;
  const rest = raw.slice(start);
  const end = rest.length - rest.trimStart().length + prefix.length;
  return rest.trimStart().startsWith(prefix) ? [start, start + end] : undefined;
}

/** A text without a stretch of it. */
export function without(text: string, stretch: Stretch | undefined): string {
  return stretch ? text.slice(0, stretch[0]) + text.slice(stretch[1]) : text;
}

/** What stands before and after a thought are pieces with a line break between them. */
function joinPieces(answers: readonly string[]): string {
  const pieces = answers.map((answer) => answer.trim()).filter(Boolean);
  return pieces.join('\n').replace(answerBegin, '').replace(answerEnd, '').trim();
}

// Marks that models with marks of their own for thoughts put around their answers.
const answerBegin = /^<\|begin_of_solution\|>/i;
const answerEnd = /(?:<\|(?:end_of_solution|return|end|im_end|eot_id|endoftext)\|>\s*)+$/i;

/**
 * The mark of the thought that the reply to a prompt starts in; nothing where it starts in none. What
 * the prompt has the answer begin with may stand in that thought.
 */
export function openedThought(
  prompt: Prompt,
  thinking?: Thinking,
  answerPrefix = '',
): string | undefined {
  const opened = openedBy(prompt, thinking, answerPrefix.trimEnd());
  if (opened !== undefined || !thinking?.opened) return opened;
  return thinking.begin ?? '<think>';
}

/** What comes before the model's own turn may talk of marks; what the model is made to say does not. */
function openedBy(
  prompt: Prompt,
  thinking: Thinking | undefined,
  prefix: string,
): string | undefined {
  if (prompt.type === 'text') {
    const text = prompt.text.trimEnd();
    const before = text.endsWith(prefix) ? text.slice(0, text.length - prefix.length) : text;
    return openedAtEnd(before, thinking);
  }
  const last = prompt.messages.at(-1);
  return last?.role === 'assistant' ? openedIn(contentText(last.content), thinking) : undefined;
}

const longestMark = 80;

/** The mark of the thought that a text leaves open where it ends, but for white space. */
export function openedAtEnd(text: string, thinking?: Thinking): string | undefined {
  const tail = text.slice(-longestMark).trimEnd().toLowerCase();
  for (const begin of marksOf(thinking).ends.keys()) if (tail.endsWith(begin)) return begin;
  return undefined;
}

/** The mark of the thought that a text leaves open, wherever it begins. */
function openedIn(text: string, thinking?: Thinking): string | undefined {
  return cut(text, marksOf(thinking), false).unfinished;
}

interface Pieces {
  readonly answers: readonly string[];
  /** Where the first of them that is not blank starts. */
  readonly start: number;
  readonly thoughts: readonly string[];
  /** The mark of a thought that does not end. */
  readonly unfinished: string | undefined;
}

function cut(raw: string, { any, ends }: Marks, isCut: boolean): Pieces {
  const answers: string[] = [];
  const starts: number[] = [];
  const thoughts: string[] = [];
  let from = 0;
  let opened: { readonly start: number; readonly begin: string; readonly end: string } | undefined;
  // How many thoughts began inside of the last one, and the mark that ended it.
  let inner = 0;
  let closed: string | undefined;
  for (const { 0: found, index } of raw.matchAll(any)) {
    const mark = found.toLowerCase();
    const end = ends.get(mark);
    // Chat templates of servers may open the thought: the reply then starts in it.
    const endsThought = opened
      ? mark === opened.end
      : end === undefined && (from === 0 || (inner > 0 && mark === closed));
    if (endsThought) {
      thoughts.push(raw.slice(from, index));
      if (!opened) inner--;
      closed = mark;
    } else if (!opened && end !== undefined) {
      answers.push(raw.slice(from, index));
      starts.push(from);
      inner = 0;
    } else {
      if (mark === opened?.begin) inner++;
      continue;
    }
    opened = end === undefined ? undefined : { start: index, begin: mark, end };
    from = index + found.length;
  }
  const followsThought = thoughts.length > 0 && answers.at(-1)?.trim() === '';
  const isThought =
    opened !== undefined && (isCut || followsThought || startsLine(raw, opened.start));
  if (isThought) thoughts.push(raw.slice(from));
  else answers.push(raw.slice(opened?.start ?? from));
  if (!isThought) starts.push(opened?.start ?? from);
  const first = answers.findIndex((answer) => answer.trim() !== '');
  return {
    answers,
    start: starts[first] ?? raw.length,
    thoughts,
    unfinished: isThought ? opened?.begin : undefined,
  };
}

// An opening mark inside a line, never closed, is talk about the mark.
function startsLine(text: string, index: number): boolean {
  return text.slice(text.lastIndexOf('\n', index - 1) + 1, index).trim() === '';
}

/** What a format writes before an answer, without a thought that it opens there. */
export function withoutOpenThought(nodes: readonly Node[]): readonly Node[] {
  const last = nodes.at(-1);
  if (last?.type !== 'text' || last.span.tokenIds) return nodes;
  const { text, origin } = last.span;
  const tail = text.trimEnd().toLowerCase();
  const mark = thoughtMarks.find(([begin]) => tail.endsWith(begin))?.[0];
  if (mark === undefined) return nodes;
  return [...nodes.slice(0, -1), textNode(text.slice(0, tail.length - mark.length), origin)];
}
