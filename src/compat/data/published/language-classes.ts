import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import {
  at,
  type DatasetClass,
  type DatasetClasses,
  linesOf,
  listOf,
  rowOf,
  textOf,
  without,
} from './dataset-class.ts';

/** A label by its letter. */
function letter(letters: Readonly<Record<string, string>>, label: unknown): string {
  const found = letters[textOf(label)];
  if (found !== undefined) return found;
  throw new DataError(
    'data.unknown_label',
    `\`${textOf(label)}\` is not one of ${Object.keys(letters).join(', ')}`,
    {
      hint: 'The file differs from the published one: download it again.',
    },
  );
}

const relabelled = (path: string, letters: Readonly<Record<string, string>>): DatasetClass =>
  linesOf(path, (row) => ({ ...row, label: letter(letters, row.label) }));

const truth = { true: 'A', false: 'B' };
const zeroOne = { 0: 'A', 1: 'B' };

/** Rows of a file that HuggingFace's own reader would read, changed one by one. */
const hubFile = (change: (row: Row) => Row = (row) => row): DatasetClass => ({
  at: '',
  key: 'data_files',
  settings: ['split'],
  async read(files, { split }) {
    const rows = (await files.rows()).map(change);
    return split === undefined ? { train: rows } : rows;
  },
});

const spans = (row: Row): Row => ({
  span1: at(row, 'target', 'span1_text'),
  span2: at(row, 'target', 'span2_text'),
  text: row.text,
  label: letter(truth, row.label),
});

const answerOfTruth = (row: Row): Row => ({ ...row, answer: Number(row.label === 'true') });

const newsLetters = Object.fromEntries(
  'agriculture travel game tech sports edu entertainment finance military car house world culture story stock'
    .split(' ')
    .map((name, index) => [`news_${name}`, String.fromCharCode(65 + index)]),
);

const readings = (label: (value: unknown) => unknown): DatasetClass => ({
  at: 'SuperGLUE/MultiRC/val.jsonl',
  read: async (files) =>
    (await files.rows()).flatMap((row) =>
      listOf(at(row, 'passage', 'questions')).flatMap((question) =>
        listOf(at(question, 'answers')).map((answer) => ({
          text: at(row, 'passage', 'text'),
          question: at(question, 'question'),
          answer: at(answer, 'text'),
          label: label(at(answer, 'label')),
        })),
      ),
    ),
});

const stories = (answer: (value: unknown) => unknown): DatasetClass => ({
  at: 'xstory_cloze',
  settings: ['lang'],
  async read(files, { lang }) {
    const rows = (
      await Promise.all(['train', 'eval'].map((split) => files.rows(`${lang}_${split}.jsonl`)))
    ).flat();
    return rows.map((row) => ({
      ...row,
      context: [1, 2, 3, 4].map((sentence) => textOf(row[`input_sentence_${sentence}`])).join(' '),
      answer_right_ending: answer(row.answer_right_ending),
    }));
  },
});

/** Texts that were changed to mislead, and after them those that they were made of. */
const adversarial = (subset: string, columns: readonly string[]): DatasetClass => ({
  at: 'adv_glue/dev_ann.json',
  async read(files) {
    const all = listOf(at(await files.json(), subset)).map(rowOf);
    const changed = all
      .filter((row) => columns.some((column) => row[`original_${column}`]))
      .map((row) => ({ ...row, label_option: 'ABC'[Number(row.label)] }));
    const original = changed.map((row: Row) => {
      const known = columns.filter((column) => row[`original_${column}`]);
      const texts = known.map((column) => [column, row[`original_${column}`]]);
      return { ...row, ...Object.fromEntries(texts), type: 'original' };
    });
    return [...changed, ...original];
  },
});

/** Classes of CLUE, FewCLUE and SuperGLUE, and files of JSON as they are, by their names. */
export const languageClasses: DatasetClasses = {
  HFDataset: hubFile(),
  CslDataset: hubFile((row) => ({
    ...row,
    keywords: listOf(row.keyword).map(textOf).join('，'),
  })),
  CHIDDataset: hubFile((row) => ({
    ...row,
    ...Object.fromEntries(
      listOf(row.candidates).map((candidate, index) => [
        `content${index}`,
        textOf(row.content).replaceAll('#idiom#', textOf(candidate)),
      ]),
    ),
  })),
  CluewscDataset: hubFile((row) => {
    const letters = Array.from(textOf(row.text));
    letters[Number(at(row, 'target', 'span2_index'))] = textOf(at(row, 'target', 'span1_text'));
    return {
      ...answerOfTruth(without(row, 'target')),
      new_text: letters.join(''),
      span1: at(row, 'target', 'span1_text'),
      span2: at(row, 'target', 'span2_text'),
    };
  }),
  WiCDataset: hubFile(answerOfTruth),
  BoolQDataset: hubFile(answerOfTruth),
  BoolQDatasetV2: relabelled('SuperGLUE/BoolQ/val.jsonl', truth),
  AXDatasetV2: relabelled('SuperGLUE/AX-b/AX-b.jsonl', { entailment: 'A', not_entailment: 'B' }),
  CBDatasetV2: relabelled('SuperGLUE/CB/val.jsonl', {
    contradiction: 'A',
    entailment: 'B',
    neutral: 'C',
  }),
  COPADatasetV2: relabelled('SuperGLUE/COPA/val.jsonl', zeroOne),
  WiCDatasetV2: relabelled('SuperGLUE/WiC/val.jsonl', truth),
  WSCDatasetV2: linesOf('SuperGLUE/WSC/val.jsonl', spans),
  MultiRCDataset: readings((label) => label),
  MultiRCDatasetV2: readings((label) => 'BA'[Number(label)]),
  ReCoRDDataset: {
    at: 'SuperGLUE/ReCoRD/val.jsonl',
    read: async (files) =>
      (await files.rows()).flatMap((row) =>
        listOf(row.qas).map((question) => ({
          text: textOf(at(row, 'passage', 'text')).replaceAll('@highlight', ''),
          question: textOf(at(question, 'query')).replaceAll('@placeholder', '____'),
          answers: listOf(at(question, 'answers')).map((answer) => at(answer, 'text')),
        })),
      ),
  },
  AnliDataset: relabelled('', { c: 'A', e: 'B', n: 'C' }),
  AFQMCDatasetV2: relabelled('CLUE/AFQMC/dev.json', zeroOne),
  CMNLIDataset: linesOf('CLUE/cmnli/cmnli_public/dev.json', (row) =>
    row.label === '-' ? undefined : row,
  ),
  CMNLIDatasetV2: linesOf('CLUE/cmnli/cmnli_public/dev.json', (row) =>
    row.label === '-'
      ? undefined
      : { ...row, label: letter({ entailment: 'A', contradiction: 'B', neutral: 'C' }, row.label) },
  ),
  C3Dataset_V2: {
    at: 'CLUE/C3/dev_0.json',
    read: async (files) =>
      listOf(await files.json()).flatMap((entry) =>
        listOf(at(entry, 1)).map((question) => {
          const choices = listOf(at(question, 'choice')).map(textOf);
          const label = choices.indexOf(textOf(at(question, 'answer')));
          const shown = [...choices, '[NULL]', '[NULL]', '[NULL]'];
          return {
            content: listOf(at(entry, 0)).map(textOf).join(''),
            question: at(question, 'question'),
            choice0: shown[0],
            choice1: shown[1],
            choice2: shown[2],
            choice3: shown[3],
            label: 'ABCD'[label],
          };
        }),
      ),
  },
  CHIDDatasetV2: linesOf('FewCLUE/chid/test_public.json', (row) => ({
    content: textOf(row.content).replaceAll('#idiom#', '______'),
    ...Object.fromEntries(
      listOf(row.candidates).map((one, index) => [String.fromCharCode(65 + index), one]),
    ),
    answer: 'ABCDEFG'[Number(row.answer)],
  })),
  CluewscDatasetV2: linesOf('FewCLUE/cluewsc/test_public.json', spans),
  CslDatasetV2: linesOf('FewCLUE/csl/test_public.json', (row) => ({
    abst: row.abst,
    keywords: listOf(row.keyword).map(textOf).join('，'),
    label: 'AB'[Number(row.label)],
  })),
  EprstmtDatasetV2: linesOf('FewCLUE/eprstmt/test_public.json', (row) => ({
    sentence: row.sentence,
    label: letter({ Positive: 'A', Negative: 'B' }, row.label),
  })),
  TNewsDatasetV2: linesOf('FewCLUE/tnews/test_public.json', (row) => ({
    sentence: row.sentence,
    label_desc2: letter(newsLetters, row.label_desc),
  })),
  SummeditsDataset_V2: relabelled('summedits/summedits.jsonl', { 0: 'B', 1: 'A' }),
  AdvSst2Dataset: adversarial('sst2', ['sentence']),
  AdvQqpDataset: adversarial('qqp', ['question1', 'question2']),
  AdvMnliDataset: adversarial('mnli', ['premise', 'hypothesis']),
  AdvMnliMMDataset: adversarial('mnli-mm', ['premise', 'hypothesis']),
  AdvQnliDataset: adversarial('qnli', ['question', 'sentence']),
  AdvRteDataset: adversarial('rte', ['sentence1', 'sentence2']),
  StoryClozeDataset: stories((value) => value),
  StoryClozeDatasetV2: stories((value) => ' AB'[Number(value)]),
};
