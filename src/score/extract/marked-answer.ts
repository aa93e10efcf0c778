import { contentText } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { escapePattern, foldWidth } from '../text-matching.ts';
import { type Extraction, type Extractor, runChain, trimmedSlice } from './extractor.ts';
import { firstLineFrom } from './text-extractors.ts';

interface Box extends Extraction {
  /** Where its command begins. */
  readonly from: number;
}

const notBoxed = /(?:(?<!\p{L})(?:not|rather than|instead of|nicht)|不是)[\s$(（*\\]*$/iu;

/** The innermost boxes of a text, without those of which it says that they are not the answer. */
function boxesIn(text: string): readonly Box[] {
  if (!/\\(?:boxed|fbox)/.test(text)) return [];
  // Where each open brace's content starts; undefined where the brace opens no box.
  const open: (readonly [from: number, start: number] | undefined)[] = [];
  const boxes: Box[] = [];
  for (const match of text.matchAll(/\\(?:boxed|fbox)\s*\{|\\[\s\S]|[{}]/g)) {
    const end = match.index + match[0].length;
    if (match[0] === '{') open.push(undefined);
    else if (match[0].length > 2) open.push([match.index, end]);
    else if (match[0] === '}') {
      const [from, start] = open.pop() ?? [];
      if (from === undefined || start === undefined || start <= (boxes.at(-1)?.from ?? -1))
        continue;
      const found = trimmedSlice(text, start, match.index);
      if (found) boxes.push({ ...found, from });
    }
  }
  return boxes.filter(({ from }) => !notBoxed.test(text.slice(Math.max(0, from - 30), from)));
}

/** What stands in the last `\boxed{…}`; of nested boxes, in the innermost. */
export const boxed: Extractor = {
  name: 'boxed',
  extract(text) {
    const last = boxesIn(text).at(-1);
    return last && { value: last.value, start: last.start, end: last.end };
  },
};

/** What stands in the last `<answer>…</answer>`. */
export const answerTag: Extractor = {
  name: 'answer-tag',
  extract(text) {
    const last = text.includes('<') && [...text.matchAll(/<(final_)?answer>/gi)].at(-1);
    if (!last) return undefined;
    const start = last.index + last[0].length;
    const end = text.toLowerCase().indexOf(last[0].toLowerCase().replace('<', '</'), start);
    return end < 0 ? undefined : trimmedSlice(text, start, end);
  },
};

const betweenBoxes =
  /^\s*\}[\s$}]*(?:[,，、;；]|\\quad|\\text\s*\{|\}|\$|\s|(?<!\p{L})(?:and|or|und|oder|et|ou|y|o)(?!\p{L})|和|或者?|与|と|または|か)*$/iu;

/** The same, with the boxes that are joined to it: `\boxed{1}` and `\boxed{2}` is `1, 2`. */
export const lastBoxes: Extractor = {
  name: 'boxed',
  extract(text) {
    const boxes = boxesIn(text);
    const last = boxes.at(-1);
    if (!last) return undefined;
    let first = boxes.length - 1;
    const isJoined = (one: Box | undefined, next: Box | undefined) =>
      one && next && next.from - one.end < 40 && betweenBoxes.test(text.slice(one.end, next.from));
    while (isJoined(boxes[first - 1], boxes[first])) first -= 1;
    const values = [...new Set(boxes.slice(first).map(({ value }) => value))];
    return { value: values.join(', '), start: boxes[first]?.start ?? last.start, end: last.end };
  },
};

/**
 * The rest of the line after the last of the markers, or the next line that is not blank. Case
 * and width of letters do not matter, nor does Markdown emphasis around the marker or the answer.
 *
 * @example
 * afterMarker(['Answer:']).extract('It is a sum.\n**Answer:** 42')?.value; // '42'
 */
export function afterMarker(markers: readonly string[]): Extractor {
  return afterAny(markers, /^[*_\s]*/);
}

const heading =
  /(?:^|\n)(?:[^\S\n]*#{1,6}[^\S\n]*[*_]{0,3}|[^\S\n]*[*_]{1,3})(?:the\s)?(?:final\s)?answer[*_]{0,3}[^\S\n]*(?=\n)/giu;

/** The first line below the last heading that is `Answer` alone, without a colon. */
export const underHeading: Extractor = {
  name: 'answer-heading',
  extract(text) {
    const last = [...text.matchAll(heading)].at(-1);
    if (!last) return undefined;
    const after = last.index + last[0].length;
    const gap = /^(?:\s|(?:\$\$|\\\[)[^\S\n\r]*[\n\r])*/.exec(text.slice(after))?.[0].length ?? 0;
    return firstLineFrom(text, after + gap);
  },
};

/** What is said before an answer, in several languages. */
export const answerMarkers: readonly string[] = [
  ...['answer is', 'answer:', '答えは', '答え:', '正解は', '正解:', '答案是', '答案:'],
  ...['antwort ist', 'antwort lautet', 'antwort:', 'réponse est', 'réponse :', 'réponse:'],
  ...['respuesta es', 'respuesta correcta es', 'respuesta:', 'risposta è', 'risposta corretta è'],
  ...['risposta:', 'resposta é', 'resposta correta é', 'resposta:', 'ответ:', 'ответ —'],
  ...['정답은', '정답:', '답은', '답:', 'đáp án là', 'đáp án:', 'jawaban:', 'jawabannya adalah'],
];

/** `skipped` is what stands between a marker and what is looked for. */
function afterAny(markers: readonly string[], skipped: RegExp): Extractor {
  const anyMarker = new RegExp(
    markers.map((marker) => escapePattern(foldWidth(marker))).join('|'),
    'gi',
  );
  return {
    name: 'after-marker',
    extract(text) {
      const folded = foldWidth(text);
      if (folded.search(anyMarker) < 0) return undefined;
      const match = [...folded.matchAll(anyMarker)].at(-1);
      if (!match) return undefined;
      const after = match.index + match[0].length;
      const gap = skipped.exec(folded.slice(after))?.[0].length ?? 0;
      const line = firstLineFrom(text, after + gap);
      if (!line) return undefined;
      let end = line.end;
      while (/[*_\s]/.test(text.charAt(end - 1))) end -= 1;
      return trimmedSlice(text, line.start, end);
    },
  };
}

/**
 * The line that says what the answer is: the rest of the line after the words for it and a colon, or
 * the next one that is more than the beginning of a formula or of a block of code.
 */
export const answerLine: Extractor = afterAny(
  answerMarkers,
  /^(?:[*_\s:]|(?:\$\$|\\\[|```\w*)[^\S\n\r]*[\n\r])*/,
);

/**
 * The same extractors for answers that may run on into a next question, which the model made up:
 * they read what stands before it, if the answer is found there.
 *
 * @example
 * const [find] = untilNextQuestion([lastNumber]);
 * find?.extract('5\n\nQuestion: 3 + 3?\nAnswer: 6')?.value; // '5'
 */
export function untilNextQuestion(extractors: readonly Extractor[]): readonly Extractor[] {
  const findPart = (text: string, openings: readonly string[]) => {
    for (const end of endsOfAnswer(text, openings)) {
      const before = text.slice(0, end);
      if (runChain(extractors, before).found) return before;
    }
    return text;
  };
  // The extractors are asked for one text after the other, each in turn.
  let asked = { text: '', openings: none, part: '' };
  const readPart = (text: string, openings: readonly string[]) => {
    if (asked.text !== text || asked.openings !== openings)
      asked = { text, openings, part: findPart(text, openings) };
    return asked.part;
  };
  return extractors.map(({ name, extract }) => ({
    name,
    extract: (text, openings = none) => extract(readPart(text, openings)),
  }));
}

const none: readonly string[] = [];
const special = String.raw`<\|(?:im_(?:start|end)|eot_id|eom_id|end(?:_?of_?text|_of_turn|oftext)?|(?:start|end)_header_id|begin_of_text|user|assistant|eos)\|>|<\/?s>|<(?:start|end)_of_turn>|<eos>|<\|(?:begin▁of▁sentence|end▁of▁sentence)\|>|\[\/?INST\]`;
const speaker = '(?:assistant|model|bot)?';
const turnOpening = new RegExp(String.raw`^\s*(?:(?:${special})\s*${speaker}\s*)+`, 'i');
const turnMark = new RegExp(
  String.raw`(?:${special})(?!\s*(?:<\|(?:im_)?start\|>\s*assistant|<\|channel\|>final))|\n(?!\n)[\s*_]{0,20}(?:#{1,4}\s*(?:human|user|instruction|input)\b|(?:human|user)\s*:)`,
  'gi',
);
const questionMark =
  /\n(?!\n)[\s*_#>]{0,20}(?:(?:(?:next\s+)?(?:question|problem|exercise|instruction)|example|q|問題?|質問|例題?|问题?|题目|題目|frage|pregunta|domanda|pergunta|вопрос|задача|질문|문제|câu hỏi)[^\S\n]*\d*[*_]*[^\S\n]*:|#{1,4}\s*(?:next\s+)?(?:question|problem|example|exercise)\b)/giu;

/** Where an answer may end because something else follows it, from left to right. */
function endsOfAnswer(text: string, openings: readonly string[]): readonly number[] {
  const folded = foldWidth(text);
  // What follows an answer begins with a mark of a turn, or with a line.
  if (!/[\n<[]/.test(folded)) return [];
  const ends: number[] = [];
  const start = turnOpening.exec(folded)?.[0].length ?? 0;
  const isEmpty = (end: number) => text.slice(start, end).trim() === '';
  const add = (marks: Iterable<RegExpExecArray>, isAnswer: (before: string) => boolean) => {
    let count = 0;
    for (const { index } of marks) {
      // One that comes after so many others ends no answer, and looking further would take long.
      count += 1;
      if (count > 20) return;
      if (!isEmpty(index) && isAnswer(text.slice(start, index))) ends.push(index);
    }
  };
  add(folded.matchAll(turnMark), () => true);
  add(folded.matchAll(questionMark), isAnswered);
  for (const opening of openings) {
    const atLine = new RegExp(
      `\\n(?!\\n)[\\s*_#>]{0,20}${escapePattern(foldWidth(opening))}`,
      'giu',
    );
    add(folded.matchAll(atLine), (before) => !isLeadIn(before));
  }
  return ends.sort((left, right) => left - right);
}

const stated = [boxed, afterMarker(['####']), answerLine];

/** Whether a text is the answer itself, and not what a model says before it repeats its question. */
function isAnswered(before: string): boolean {
  if (stated.some(({ extract }) => extract(before))) return true;
  if (isLeadIn(before)) return false;
  const lines = before.replace(/[-*_=\s]{1,40}$/, '').trim();
  return !lines.includes('\n') || concludes.test(lines.slice(lines.lastIndexOf('\n') + 1));
}

const concludes =
  /^[\s*_]*(?:a|answer|solution)[\s*_]*:|\b(?:so|therefore|thus|hence|in total|altogether)\b|よって|したがって|合計|所以|因此|=\s*[$€£¥]?[-−]?[\d.,]*\d\s*\p{L}*[.。]?\s*$/iu;

const leadIn =
  /^[\s*_>-]*(?:#|(?:let(?:['’]s| us| me)|i(?:['’]ll| will| need)|we (?:have|need|know|are given)|first|to (?:solve|answer|find)|sure|okay|ok|here|given|known|facts?|data|context|background|passage|text|step|part|sub-?question|restat\w+)\b)/iu;

/** Whether a text announces what follows it, and so holds no answer of its own. */
function isLeadIn(before: string): boolean {
  if (stated.some(({ extract }) => extract(before))) return false;
  const lines = before.trim();
  if (/[:：]$/.test(lines)) return true;
  return leadIn.test(lines) && !concludes.test(lines.slice(lines.lastIndexOf('\n') + 1));
}

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

const anyStatement = new RegExp(anyOf(answerMarkers), 'giu');
const beginsWithAmount =
  /^[\s*_:(\\[]*(?:(?:about|approximately|exactly|only|just|a total of|\p{L}\s*=|[≈~])\s*)?[-−+]?[$€£¥]?[-−+]?\.?\d/iu;
const concludesLater =
  /\d[\s\S]*?(?:(?<=[.,;:!?\n][\s*_]*(?:the\s+)?)(?:so|therefore|thus|hence|altogether|in\s+(?:all|total)|total)(?!\p{L})[^\d\n]{0,60}|(?:所以|因此|一共|合計|よって|したがって)[^\d\n]{0,30})\d/iu;

/** Whether `Answer:` is followed by a solution that comes to its result later: `Answer: 3 and 4, so 7`. */
export function startsSolution(text: string): boolean {
  const folded = foldWidth(text);
  const last = [...folded.matchAll(anyStatement)].at(-1);
  if (!last || !isCue(last[0])) return false;
  const rest = folded.slice(last.index + last[0].length);
  return !beginsWithAmount.test(rest) && concludesLater.test(rest.slice(0, 4_000));
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
