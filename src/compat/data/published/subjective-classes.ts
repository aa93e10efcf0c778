import type { Row } from '../../../prompt/values.ts';
import {
  at,
  type DatasetClass,
  type DatasetClasses,
  listOf,
  rowOf,
  textOf,
} from './dataset-class.ts';
import type { PublishedFiles } from './published-files.ts';

async function questions(files: PublishedFiles, name: unknown): Promise<Row[]> {
  return (await files.rows(`${name}.json`)).map((row) => ({
    question: row.question,
    capability: row.capability,
    others: row.others,
    judge: { capability: row.capability, question: row.question },
  }));
}

const questionsIn = (folder: string): DatasetClass => ({
  at: folder,
  settings: ['name'],
  read: (files, { name }) => questions(files, name),
});

/** What stands for a reference where there is none. */
const anySensible = '满足用户需求，言之有理即可';

/** Classes of questions whose answers a judge compares or grades, by their names. */
export const subjectiveClasses: DatasetClasses = {
  SubjectiveCmpDataset: questionsIn('subjective'),
  AlpacaEvalDataset: questionsIn('subjective/alpaca_eval'),
  AlignmentBenchDataset: {
    ...questionsIn('subjective/alignment_bench'),
    read: async (files, { name }) =>
      (await questions(files, name)).map((row) => ({
        ...row,
        judge: { ...rowOf(row.judge), others: row.others },
        ref: at(row.others, 'reference'),
      })),
  },
  CompassArenaDataset: {
    ...questionsIn('subjective/compass_arena'),
    read: async (files, { name }) =>
      (await questions(files, name)).map((row) => ({
        ...row,
        ref: at(row.others, 'reference') ?? anySensible,
      })),
  },
  ArenaHardDataset: {
    ...questionsIn('subjective/arena_hard'),
    read: async (files, { name }) =>
      (await files.rows(`${name}.jsonl`)).map(({ turns, cluster, question_id: id }) => {
        const question = at(listOf(turns)[0], 'content');
        return {
          question,
          capability: cluster,
          judge: { capability: cluster, question, question_id: id },
        };
      }),
  },
  FofoDataset: {
    ...questionsIn('subjective/fofo'),
    read: async (files, { name }) =>
      (await files.rows(`${name}.json`)).map((row) => ({
        question: row.instruction,
        judge: {
          lan: textOf(name).includes('cn') ? 'cn' : 'en',
          id: row.id,
          domain: row.domain,
          sub_domain: row.sub_domain,
          format: row.format,
          format_type: row.format_type,
          question: row.instruction,
        },
      })),
  },
  FollowBenchDataset: {
    ...questionsIn('subjective/followbench/converted_data'),
    read: async (files, { name }) =>
      (await files.rows(`${name}.json`)).map((row) => ({
        instruction: row.instruction,
        judge_prompt: row.judge_prompt,
        judge: row,
      })),
  },
};
