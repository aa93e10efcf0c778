import { sniffMediaType } from '../../../data/media/media-source.ts';
import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { literalEval } from '../../../python/literal.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import { isList, listItems } from '../../../python/values.ts';
import {
  at,
  type ClassSettings,
  type DatasetClass,
  type DatasetClasses,
  textOf,
} from './dataset-class.ts';
import type { PublishedFiles } from './published-files.ts';

type Part = { readonly image: string } | { readonly text: string };

/** Texts and images in the form in which `MMPromptTemplate` takes them apart. */
function contentOf(parts: readonly Part[]): string {
  return parts
    .map((part) =>
      'image' in part ? `<AIS_IMAGE_START>${part.image}` : `<AIS_TEXT_START>${part.text}`,
    )
    .map((part) => `${part}<AIS_CONTENT_TAG>`)
    .join('');
}

/** What pandas reads as nothing. */
const nothing = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN'],
  ...['<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
]);

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || nothing.has(textOf(value));
}

/** An image as an address that holds it; the originals write it to a file and name that. */
function addressOf(bytes: Buffer): string {
  return `data:${sniffMediaType(bytes) ?? 'image/jpeg'};base64,${bytes.toString('base64')}`;
}

/** The images of a row: base64, or a list of such texts. */
function imagesIn(text: string): string[] {
  const list = /^\[[\s\S]*\]$/.test(text) ? literalEval(text)?.value : undefined;
  const texts =
    list !== undefined && isList(list) ? listItems(list).map((one) => pyStr(one)) : [text];
  return texts.map((one) => addressOf(Buffer.from(one, 'base64')));
}

interface PictureRow {
  readonly row: Row;
  readonly images: readonly string[];
}

/** An image of at most this many characters is the index of the row that has it. */
const longestIndex = 64;

/** Rows of a table with an image in each; those without one are left out. */
async function pictureRows(files: PublishedFiles): Promise<PictureRow[]> {
  const rows = (await files.rows()).filter(({ image }) => !isNothing(image));
  const held = new Map(rows.map(({ index, image }) => [textOf(index), textOf(image)]));
  return rows.map((row) => {
    const own = textOf(row.image);
    const image = own.length <= longestIndex ? (held.get(own) ?? own) : own;
    return { row, images: imagesIn(image) };
  });
}

const table = (
  path: string,
  read: (picture: PictureRow, settings: ClassSettings) => Row,
  settings: readonly string[] = [],
): DatasetClass => ({
  at: path,
  settings,
  holdsImages: true,
  read: async (files, given) => (await pictureRows(files)).map((picture) => read(picture, given)),
});

const documentQuestion = ({ row, images }: PictureRow): Row => ({
  content: contentOf([
    ...images.map((image) => ({ image })),
    { text: `${textOf(row.question)}\nAnswer the question using a single word or phrase.` },
  ]),
  answer: row.answer,
});

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function choicesOf(row: Row): [letter: string, text: string][] {
  return letters
    .filter((letter) => !isNothing(row[letter]))
    .map((letter) => [letter, textOf(row[letter])]);
}

function optionLines(choices: readonly (readonly [string, string])[]): string {
  return `Options:\n${choices.map(([letter, text]) => `${letter}. ${text}\n`).join('')}`;
}

function hintOf(row: Row): string {
  return isNothing(row.hint) ? '' : `Hint: ${textOf(row.hint)}\n`;
}

/** Images where the text has `<image 1>`; before it where it has none. */
function placed(text: string, images: readonly string[]): Part[] {
  const [first = '', ...rest] = text.split('<image ');
  if (rest.length === 0) return [...images.map((image) => ({ image })), { text }];
  return [
    { text: first },
    ...rest.flatMap((part): Part[] => {
      const image = images[Number(part[0]) - 1];
      if (image !== undefined) return [{ image }, { text: part.slice(2) }];
      throw new DataError(
        'data.syntax',
        `a question has \`<image ${part[0]}>\` but no such image`,
        {
          hint: 'The file differs from the published one: download it again.',
        },
      );
    }),
  ];
}

const direct = 'Answer directly with the option letter from the given choices. ';
const format =
  "the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of the options. ";
const stepwise = 'Think step by step before answering. ';

/** The choices, the answer and the category as `MMMUProEvaluator` reads them. */
function proAnswer(row: Row): string {
  return JSON.stringify([Object.fromEntries(choicesOf(row)), row.answer, row.category]);
}

const realWorld = (question: string) =>
  `Read the picture and solve the following problem step by step.The last line of your response should be of the form "ANSWER: [ANSWER]" (without quotes) where [ANSWER] is the answer to the problem.\n\n${question}\n\nRemember to put your answer on its own line at the end in the form "ANSWER: [ANSWER]" (without quotes) where [ANSWER] is the answer to the problem, and you do not need to use a \\boxed command.`;

function bytesOf(value: unknown): Buffer | undefined {
  const bytes = value instanceof Uint8Array ? value : at(value, 'bytes');
  return bytes instanceof Uint8Array ? Buffer.from(bytes) : undefined;
}

/** The images of a row of MMMU by their numbers. */
function numberedImages(row: Row): Map<number, string> {
  return new Map(
    [1, 2, 3, 4, 5, 6, 7].flatMap((number) => {
      const bytes = bytesOf(row[`image_${number}`]);
      return bytes ? [[number, addressOf(bytes)] as const] : [];
    }),
  );
}

/** Texts that are more than white space, and images where the text names them. */
function numberedParts(text: string, images: ReadonlyMap<number, string>): Part[] {
  const pieces = text.split(/<image[_ ](\d+)>/);
  const parts = pieces.flatMap((piece, index): Part[] => {
    if (index % 2 === 0) return stripText(piece) === '' ? [] : [{ text: piece }];
    const image = images.get(Number(piece));
    return image === undefined ? [] : [{ image }];
  });
  if (pieces.length > 1) return parts;
  return [...[...images.values()].map((image) => ({ image })), ...parts];
}

function filled(template: unknown, values: Readonly<Record<string, string>>): string {
  return textOf(template).replace(/\{\{|\}\}|\{(\w+)\}/g, (mark, name: string | undefined) =>
    name === undefined ? mark.slice(0, 1) : (values[name] ?? mark),
  );
}

function listed(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  const text = stripText(textOf(value));
  const read = text === '' ? undefined : literalEval(text)?.value;
  if (read !== undefined && isList(read)) return listItems(read).map((item) => pyStr(item));
  return text === '' ? [] : [text];
}

function multimodalRow(row: Row, settings: ClassSettings): Row[] {
  const question = stripText(textOf(row.question));
  if (question === '') return [];
  const options = listed(row.options);
  const isChoice =
    row.question_type === undefined ? options.length > 0 : row.question_type === 'multiple-choice';
  const choices = options.map(
    (option, index) => [letters[index] ?? String(index - 25), option] as const,
  );
  const prompt = isChoice
    ? filled(settings.mult_choice_prompt, {
        question,
        choices: choices.map(([letter, text]) => `${letter}) ${text}`).join('\n'),
        letters: choices.map(([letter]) => letter).join(','),
      })
    : filled(settings.open_prompt, { question });
  const { subject, subfield } = row;
  const answer = {
    type: isChoice ? 'multiple-choice' : 'open',
    ...(isChoice && { choices: JSON.stringify(Object.fromEntries(choices)) }),
    answer: stripText(textOf(row.answer)),
    split: settings.split ?? 'validation',
    subject,
    subfield,
    category: row.category ?? subject,
    'l2-category': row['l2-category'] ?? subfield,
  };
  const images = numberedImages(row);
  const [image = ''] = images.values();
  return [{ content: contentOf(numberedParts(prompt, images)), question: prompt, image, answer }];
}

/** Classes of AISBench whose tables hold the images themselves, by their names. */
export const pictureClasses: DatasetClasses = {
  DocVQADataset: table('DocVQA/DocVQA_VAL.tsv', documentQuestion),
  InfoVQADataset: table('InfoVQA/InfoVQA_VAL.tsv', documentQuestion),
  MMStarDataset: table('mmstar/MMStar.tsv', ({ row, images }) => {
    const choices = choicesOf(row);
    const options = `${optionLines(choices)}Please select the correct answer from the options above. \n`;
    const text = `${hintOf(row)}${textOf(row.question)}${choices.length > 0 ? options : ''}`;
    const [image = ''] = images;
    return {
      content: contentOf([{ image }, { text }]),
      answer: {
        choices: JSON.stringify(Object.fromEntries(choices)),
        answer: row.answer,
        split: row.split,
        'l2-category': row['l2-category'],
        category: row.category,
      },
    };
  }),
  MMMUProOptions10Dataset: table(
    'mmmu_pro/MMMU_Pro_10c.tsv',
    ({ row, images }, { is_cot: isStepwise }) => {
      const choices = choicesOf(row);
      const asked = isStepwise
        ? `Answer the following multiple-choice question. The last line of your response should be of ${format}${stepwise}`
        : direct;
      const options = choices.length > 0 ? `${optionLines(choices)}${asked}` : '';
      const text = `${hintOf(row)}Question: ${textOf(row.question)}\n${options}`;
      return { content: contentOf(placed(text, images)), answer: proAnswer(row) };
    },
    ['is_cot'],
  ),
  MMMUProVisionDataset: table(
    'mmmu_pro/MMMU_Pro_V.tsv',
    ({ row, images }, { is_cot: isStepwise }) => {
      const asked = isStepwise
        ? `The last line of your response should be of ${format}${stepwise}`
        : direct;
      const text = `Answer the following multiple-choice question in the image. ${asked}`;
      return { content: contentOf(placed(text, images.slice(0, 1))), answer: proAnswer(row) };
    },
    ['is_cot'],
  ),
  RealworldQADataset: {
    at: 'RealworldQA/data',
    settings: ['image_type'],
    holdsImages: true,
    async read(files, { image_type: type = 'image_path' }) {
      const names = await files.names(/\.parquet$/);
      const rows = (await Promise.all(names.map((name) => files.rows(name)))).flat();
      return rows.flatMap((row): Row[] => {
        const bytes = bytesOf(row.image);
        if (!bytes) return [];
        const image = type === 'image_base64' ? bytes.toString('base64') : addressOf(bytes);
        const text = realWorld(textOf(row.question));
        return [{ content: contentOf([{ text }, { image }]), answer: row.answer }];
      });
    },
  },
  MMMUDataset: {
    at: 'mmmu',
    holdsImages: true,
    settings: ['split', 'subset_list', 'mult_choice_prompt', 'open_prompt'],
    async read(files, settings) {
      const { split = 'validation', subset_list: subsets } = settings;
      const pattern = new RegExp(`${textOf(split)}[^/]*\\.parquet$`);
      const folders = Array.isArray(subsets)
        ? subsets.map(textOf)
        : await files.names(/^[A-Z][\w-]*$/);
      const found = await Promise.all(
        ['', ...folders].map(async (folder) => {
          const names = await files.names(pattern, folder);
          const rows = (await Promise.all(names.map((name) => files.rows(name)))).flat();
          return rows.map((row) => (folder === '' ? row : { subject: folder, ...row }));
        }),
      );
      return found.flat().flatMap((row) => multimodalRow(row, settings));
    },
  },
};
