import { basename, isAbsolute, sep } from 'node:path';
import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { at, type DatasetClasses, listOf, membersOf, textOf } from './dataset-class.ts';
import type { PublishedFiles } from './published-files.ts';

const start = {
  text: '<AIS_TEXT_START>',
  image: '<AIS_IMAGE_START>',
  video: '<AIS_VIDEO_START>',
  audio: '<AIS_AUDIO_START>',
};
const end = '<AIS_CONTENT_TAG>';

/** A medium itself, which the row names from wherever the originals were started. */
async function mediumBytes(files: PublishedFiles, path: string): Promise<string> {
  const parts = path.split(/[/\\]/);
  const tries = isAbsolute(path) ? [path] : parts.map((_, index) => parts.slice(index).join(sep));
  for (const name of tries) {
    try {
      return (await files.bytes(name)).toString('base64');
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
    }
  }
  throw new DataError('data.not_found', `${path}: file not found next to the dataset`, {
    hint: `Put ${basename(path)} into the folder of the dataset.`,
  });
}

/** Classes of questions about images and sound, by their names. */
export const mediaClasses: DatasetClasses = {
  TEXTVQADataset: {
    at: 'textvqa/textvqa_json/textvqa_val.jsonl',
    settings: ['image_type'],
    async read(files, { image_type: type = 'image_path' }) {
      const name = basename(files.path).split('.')[0];
      const answers = new Map(
        listOf(at(await files.json(`${name}_annotations.json`), 'annotations')).map((item) => [
          textOf(at(item, 'question_id')),
          at(item, 'answers'),
        ]),
      );
      return Promise.all(
        (await files.rows()).map(async (row): Promise<Row> => {
          const path = textOf(row.image);
          const image = type === 'image_base64' ? await mediumBytes(files, path) : path;
          return {
            ...row,
            answer: listOf(answers.get(textOf(row.question_id))).map((item) =>
              Object.fromEntries(membersOf(item)),
            ),
            image_url: image,
            content: `${start.image}${image}${end}${start.text}${textOf(row.question)}${end}`,
          };
        }),
      );
    },
  },
  MMCustomDataset: {
    at: 'mm_custom/mm_custom.jsonl',
    settings: ['mm_type'],
    async read(files, { mm_type: type = 'path' }) {
      return Promise.all(
        (await files.rows()).map(async (row): Promise<Row> => {
          const kind = textOf(row.type) as keyof typeof start;
          const media = await Promise.all(
            listOf(row.path).map((path) =>
              type === 'base64' && kind !== 'video'
                ? mediumBytes(files, textOf(path))
                : textOf(path),
            ),
          );
          const shown = media.map((medium) => `${start[kind]}${medium}${end}`).join('');
          return { ...row, content: `${shown}${start.text}${textOf(row.question)}` };
        }),
      );
    },
  },
  MTBenchDataset: {
    at: 'mtbench/question.jsonl',
    read: async (files) =>
      (await files.rows()).map((row) => {
        const question = listOf(row.prompt);
        if (question.length === 0) {
          throw new DataError(
            'data.unknown_column',
            'a row of MT-Bench has no questions in `prompt`',
            {
              hint: 'Write them as a list in the column `prompt`; files of FastChat call it `turns`.',
            },
          );
        }
        const reference = listOf(row.reference);
        const answer = reference.length > 0 ? reference : question.map(() => '');
        return { question, answer, id: row.question_id };
      }),
  },
};
