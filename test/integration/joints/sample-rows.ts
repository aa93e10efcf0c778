import { writePng } from '../../vision-server/png.ts';
import type { Levels } from './factors.ts';

export type SampleRow = Readonly<Record<string, unknown>>;

/** The rows of a dataset, and the files that they name. */
export interface SampleData {
  readonly test: readonly SampleRow[];
  readonly train: readonly SampleRow[];
  readonly media: Readonly<Record<string, Buffer>>;
}

const questions = [
  'What is 7 + 5?',
  'Which of these has {answer} in it, or {A}?',
  'Wie heißt „Straße“ auf Japanisch?\nだれか知っていますか。',
  'Is a "quoted\\path" the same as a path?',
  'Which number comes after 11 and before 13?',
  'Which river runs through Vienna </E> and Budapest?',
  'How many legs has a spider 🕷 in all?',
  'Which of the numbers is the largest of them?',
];
const words = ['twelve', 'a river', '道', 'a "path"', 'eleven', 'Donau', 'eight', '{question}'];
const letters = ['A', 'B', 'C', 'D'] as const;

/** Eight rows to ask about and eight to show, with texts that are hard to copy. */
export function sampleRows(levels: Levels): SampleData {
  const rowOf = isDialogue(levels) ? dialogueRow : choiceRow;
  const rows = (start: number) =>
    questions.map((_, index) => ({
      ...rowOf(start + index, levels),
      ...sharedColumns(start + index, levels),
    }));
  const test = rows(0);
  if (levels.rows === 'doubled') test.splice(3, 1, test[2] ?? {});
  return { test, train: rows(questions.length), media: mediaFiles(levels) };
}

export function isDialogue({ template }: Pick<Levels, 'template'>): boolean {
  return template === 'turns';
}

const at = <Item>(items: readonly Item[], index: number): Item =>
  items[index % items.length] as Item;

/** Those to show ask something else, in words that the others have too. */
function questionAt(index: number): string {
  const question = at(questions, index);
  return index < questions.length ? question : `${at(words, index * 3)}: ${question.slice(0, 24)}`;
}

function choiceRow(index: number, levels: Levels): SampleRow {
  return {
    question: questionAt(index),
    ...Object.fromEntries(letters.map((letter, place) => [letter, at(words, index * 3 + place)])),
    answer: at(letters, index * 5 + 1),
    topic: at(['sums', 'words', 'maps'], index),
    level: index % 3 === 0 ? index : index + 0.5,
    note: index % 4 === 1 ? '' : at(words, index),
    ...(levels.labels === 'row' && { choices: [' A', ' B', ` ${at(words, index)}`] }),
    ...(levels.judge === 'pair' && { rival: rivalAt(index) }),
    ...imageColumns(index, levels),
  };
}

function dialogueRow(index: number, levels: Levels): SampleRow {
  const turns = Array.from({ length: (index % 3) + 1 }, (_, turn) => index + turn * 3);
  const question = turns.map(questionAt);
  const answer = turns.map((turn) => at(words, turn));
  const image = turns.map((turn) => imageAt(turn, levels));
  return {
    style: at(['brief', 'kind {question}'], index),
    ...dialogueColumns(levels, question, answer),
    ...(levels.media !== 'none' && { image }),
    ...(levels.judge === 'pair' && { rival: turns.map(rivalAt) }),
  };
}

function rivalAt(index: number): string {
  return `It is ${at(words, index + 1)}.`;
}

function dialogueColumns({ data }: Levels, question: readonly string[], answer: readonly string[]) {
  const said = (asked: (text: string) => object, answered: (text: string) => object) =>
    question.flatMap((text, turn) => [asked(text), answered(answer[turn] ?? '')]);
  switch (data) {
    case 'share-gpt':
      return {
        conversations: said(
          (value) => ({ from: 'human', value }),
          (value) => ({ from: 'gpt', value }),
        ),
      };
    case 'wire-messages':
      return {
        messages: said(
          (content) => ({ role: 'user', content }),
          (content) => ({ role: 'assistant', content }),
        ),
      };
    default:
      return { question, answer };
  }
}

function sharedColumns(index: number, { rowLimit }: Levels): SampleRow {
  return {
    ...(rowLimit !== 'none' && { max_out_len: 4 + (index % 4) }),
  };
}

function imageAt(index: number, { media }: Levels): string {
  const place = index % 3;
  if (media !== 'data-url') return `images/${place}.png`;
  return `data:image/png;base64,${pngAt(place).toString('base64')}`;
}

function imageColumns(index: number, levels: Levels): SampleRow {
  switch (levels.media) {
    case 'none':
      return {};
    case 'list':
      return { image: [imageAt(index, levels), imageAt(index + 1, levels)] };
    case 'tags':
      return {
        content: `<AIS_TEXT_START>${questionAt(index)}<AIS_CONTENT_TAG><AIS_IMAGE_START>${imageAt(index, levels)}<AIS_CONTENT_TAG>`,
      };
    default:
      return { image: imageAt(index, levels) };
  }
}

const pngAt = (place: number) => writePng([place * 80, 40, 200 - place * 80]);

function mediaFiles({ media }: Levels): SampleData['media'] {
  if (media === 'none') return {};
  return Object.fromEntries([0, 1, 2].map((place) => [`images/${place}.png`, pngAt(place)]));
}
