import { escapePattern } from './text-matching.ts';

/** A model's reply with its thinking set apart. Nothing is lost: `raw` is the whole reply. */
export interface AnswerParts {
  readonly raw: string;
  /** What there is to score. */
  readonly answer: string;
  readonly reasoning?: string;
  /** The model was still thinking when the reply ended. */
  readonly unfinishedReasoning?: true;
}

// How thinking begins and ends with one family of models or another.
const marks: readonly (readonly [open: string, close: string])[] = [
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
const closeOf = new Map(marks);
const anyMark = new RegExp(marks.flat().map(escapePattern).join('|'), 'gi');

/**
 * Sets a reply's thinking apart from its answer. `reasoning` is thinking that the server sent by
 * itself.
 *
 * @example
 * splitAnswer('<think>6 × 7</think>\n42').answer // '42'
 */
export function splitAnswer(raw: string, reasoning = ''): AnswerParts {
  if (reasoning === '' && raw.search(anyMark) < 0) return { raw, answer: raw };
  const { answers, thoughts, unfinished } = cut(raw);
  const answer = thoughts.length === 0 ? raw : answers.join('').trim();
  const thinking = [reasoning, ...thoughts].map((thought) => thought.trim()).filter(Boolean);
  const neverAnswered = thinking.length > 0 && answer.trim() === '' && reasoning !== '';
  return {
    raw,
    answer,
    ...(thinking.length > 0 && { reasoning: thinking.join('\n\n') }),
    ...((unfinished || neverAnswered) && { unfinishedReasoning: true }),
  };
}

interface Pieces {
  readonly answers: readonly string[];
  readonly thoughts: readonly string[];
  readonly unfinished: boolean;
}

function cut(raw: string): Pieces {
  const answers: string[] = [];
  const thoughts: string[] = [];
  let from = 0;
  let opened: { readonly start: number; readonly close: string } | undefined;
  for (const { 0: found, index } of raw.matchAll(anyMark)) {
    const mark = found.toLowerCase();
    const close = closeOf.get(mark);
    // Chat templates may put the opening mark into the prompt: the reply then starts in a thought.
    const endsThought = opened ? mark === opened.close : !close && from === 0;
    if (endsThought) thoughts.push(raw.slice(from, index));
    else if (!opened && close) answers.push(raw.slice(from, index));
    else continue;
    opened = close === undefined ? undefined : { start: index, close };
    from = index + found.length;
  }
  const unfinished = opened !== undefined && startsLine(raw, opened.start);
  if (unfinished) thoughts.push(raw.slice(from));
  else answers.push(raw.slice(opened?.start ?? from));
  return { answers, thoughts, unfinished };
}

// An opening mark inside a line, never closed, is talk about the mark.
function startsLine(text: string, index: number): boolean {
  return text.slice(text.lastIndexOf('\n', index - 1) + 1, index).trim() === '';
}
