import type { Row } from '../../../prompt/values.ts';
import {
  at,
  type DatasetClass,
  type DatasetClasses,
  linesOf,
  listOf,
  splitFiles,
  textOf,
  without,
} from './dataset-class.ts';
import type { PublishedFiles } from './published-files.ts';

const fourLetters = [...'ABCD'];

/** Texts under letters. */
function lettered(texts: readonly unknown[], letters: readonly string[] = fourLetters): Row {
  return Object.fromEntries(letters.map((letter, index) => [letter, texts[index]]));
}

const numberedCsv = (folder: string): DatasetClass => ({
  at: folder,
  settings: ['name'],
  read: (files, { name }) =>
    splitFiles(['dev', 'test'], async (split) =>
      (await files.rows(`${split}/${name}.csv`)).map((row) => {
        const [, question, ...rest] = Object.values(row);
        return { question, ...lettered(rest), answer: rest[4] };
      }),
    ),
});

function hellaswag(row: Row, parts: number): Row {
  const [label, choices] = [Number(row.gold), listOf(row.choices)];
  const context = textOf(row.query).split(': ').slice(parts).join(': ');
  const isShort = textOf(row.query).split(': ').length <= parts;
  return {
    ctx: isShort ? textOf(row.query).split(': ').at(-1) : context,
    ...lettered(choices),
    label,
  };
}

const letterOf = (row: Row): Row => ({ ...row, label: fourLetters[Number(row.label)] });

/** Four choices of a question with its stem and labels. */
function stemmed(row: Row): Row | undefined {
  const choices = listOf(at(row, 'question', 'choices'));
  if (choices.length !== 4) return undefined;
  const label = choices.findIndex((choice) => at(choice, 'label') === row.answerKey);
  const texts = choices.map((choice) => at(choice, 'text'));
  return {
    question: at(row, 'question', 'stem'),
    answerKey: fourLetters[label],
    ...lettered(texts, ['textA', 'textB', 'textC', 'textD']),
  };
}

const openBook = (change: (stem: string) => string): DatasetClass =>
  linesOf('openbookqa/Main/test.jsonl', (row) => ({
    ...lettered(listOf(at(row, 'question', 'choices')).map((choice) => at(choice, 'text'))),
    question_stem: change(textOf(at(row, 'question', 'stem'))),
    answerKey: row.answerKey,
    ...(row.fact1 !== undefined && { fact1: row.fact1 }),
  }));

/** Rows of one file with their labels of another. */
async function labelled(
  files: PublishedFiles,
  part: 'train' | 'dev',
  change: (row: Row, label: number) => Row,
): Promise<Row[]> {
  const [rows, labels] = [
    await files.rows(`${part}.jsonl`),
    await files.lines(`${part}-labels.lst`),
  ];
  return rows.map((row, index) => change(row, Number((labels[index] ?? '').trim())));
}

const withLabels = (folder: string, change: (row: Row, label: number) => Row): DatasetClass => ({
  at: folder,
  async read(files) {
    const [train, validation] = [
      await labelled(files, 'train', change),
      await labelled(files, 'dev', change),
    ];
    return { train, validation };
  },
});

const asAnswerLetter = (answer: unknown) =>
  answer === '' ? 'NULL' : ([' ', 'A', 'B'][Number(answer)] ?? '');

function winogrande(row: Row, answer: (given: unknown) => unknown): Row {
  const prompt = textOf(row.sentence);
  return {
    prompt,
    only_option1: row.option1,
    only_option2: row.option2,
    opt1: prompt.replaceAll('_', textOf(row.option1)),
    opt2: prompt.replaceAll('_', textOf(row.option2)),
    answer: answer(row.answer),
    cont: prompt.split('_')[1],
  };
}

const winograndeDev = (answer: (given: unknown) => unknown): DatasetClass => ({
  at: 'winogrande',
  read: async (files) => (await files.rows('dev.jsonl')).map((row) => winogrande(row, answer)),
});

const orders = ['ABCD', 'BCDA', 'CDAB', 'DABC'];

const arc: DatasetClass = {
  at: 'ARC/ARC-c/ARC-Challenge-Dev.jsonl',
  settings: ['name'],
  read(files, { name }) {
    const of = async (file: string) =>
      (await files.rows(file)).flatMap((row): Row[] => {
        const asked = stemmed(row);
        return asked ? [asked] : [];
      });
    if (!files.isFolder) return of('');
    return splitFiles(['Dev', 'Test'], (split) => of(`${name}-${split}.jsonl`));
  },
};

/** Classes of questions with options, by their names. */
export const choiceClasses: DatasetClasses = {
  MMLUDataset: {
    at: 'mmlu',
    settings: ['name'],
    read: (files, { name }) =>
      splitFiles(['dev', 'test'], (split) =>
        files.rows(`${split}/${name}_${split}.csv`, ['input', ...fourLetters, 'target']),
      ),
  },
  CEvalDataset: {
    at: 'ceval/formal_ceval',
    settings: ['name'],
    read: (files, { name }) =>
      splitFiles(['dev', 'val', 'test'], async (split) =>
        (await files.rows(`${split}/${name}_${split}.csv`)).map((row) => ({
          explanation: '',
          answer: '',
          ...row,
        })),
      ),
  },
  CMMLUDataset: numberedCsv('cmmlu'),
  FinanceIQDataset: numberedCsv('FinanceIQ'),
  MMLUProDataset: {
    at: 'mmlu_pro',
    settings: ['category'],
    read: (files, { category }) =>
      splitFiles(['test', 'validation'], async (split) => {
        const name = new RegExp(`^${split}.*\\.(?:parquet|jsonl?)$`);
        const found = [...(await files.names(name)), ...(await files.names(name, 'data'))];
        const rows = (await Promise.all(found.map((file) => files.rows(file)))).flat();
        return rows.filter((row) => row.category === category).map(withOptionLines);
      }),
  },
  HellaswagDataset: linesOf('hellaswag/hellaswag.jsonl', (row) => hellaswag(row, 2)),
  HellaswagDataset_V2: linesOf('hellaswag/hellaswag.jsonl', (row) => letterOf(hellaswag(row, 1))),
  HellaswagDataset_V3: linesOf('hellaswag/hellaswag.jsonl', (row) => ({
    query: row.query,
    ...lettered(listOf(row.choices)),
    gold: row.gold,
  })),
  HellaswagDatasetwithICE: {
    at: 'hellaswag',
    async read(files) {
      const [train, val] = await Promise.all(
        ['hellaswag_train_sampled25.jsonl', 'hellaswag.jsonl'].map((name) => files.rows(name)),
      );
      const change = (row: Row) => letterOf(hellaswag(row, 1));
      return { train: (train ?? []).map(change), val: (val ?? []).map(change) };
    },
  },
  ARCDataset: arc,
  RaceDataset: {
    at: 'race',
    settings: ['name'],
    read: (files, { name }) =>
      splitFiles(['validation', 'test'], async (split) =>
        (await files.rows(`${split}/${name}.jsonl`)).map((row) => ({
          article: row.article,
          question: row.question,
          ...lettered(listOf(row.options)),
          answer: row.answer,
        })),
      ),
  },
  commonsenseqaDataset: {
    at: 'commonsenseqa',
    async read(files) {
      const of = async (name: string) =>
        (await files.rows(name)).map((row) => ({
          question: at(row, 'question', 'stem'),
          ...lettered(
            listOf(at(row, 'question', 'choices')).map((choice) => at(choice, 'text')),
            [...'ABCDE'],
          ),
          answerKey: row.answerKey,
        }));
      return {
        train: await of('train_rand_split.jsonl'),
        validation: await of('dev_rand_split.jsonl'),
      };
    },
  },
  GPQADataset: {
    at: 'gpqa',
    settings: ['name'],
    read: async (files, { name }) =>
      (await files.rows(textOf(name))).map((row, index) => {
        const [question, ...options] = Object.values(row).slice(7, 12);
        const order = orders[(index + 1) % 4] ?? 'ABCD';
        const placed = [...order].map((letter) => options[fourLetters.indexOf(letter)]);
        return {
          question,
          ...lettered(placed),
          answer: fourLetters[placed.indexOf(options[0])],
        };
      }),
  },
  OBQADataset: openBook((stem) => stem),
  OBQADatasetV2: openBook((stem) => (stem.endsWith('?') ? stem : `${stem} what?`)),
  PIQADataset: withLabels('piqa', (row, label) => ({ ...without(row, 'id'), label })),
  PIQADatasetV2: withLabels('piqa', (row, label) => ({
    ...without(row, 'id'),
    answer: label < 0 ? 'NULL' : 'AB'[label],
  })),
  siqaDataset: withLabels('siqa', (row, label) => ({ ...row, label })),
  siqaDataset_V2: withLabels('siqa', (row, label) => ({
    ...row,
    all_labels: {
      candidates: [...'ABC'].map((letter) => {
        const text = row[`answer${letter}`];
        return [`${letter}. ${textOf(text)}`, letter, text];
      }),
      label: label - 1,
    },
    label: ' ABC'[label],
  })),
  SiqaDatasetV3: withLabels('siqa', (row, label) => ({
    ...without(row, 'answerA', 'answerB', 'answerC'),
    A: row.answerA,
    B: row.answerB,
    C: row.answerC,
    answer: 'ABC'[label - 1],
  })),
  WinograndeDataset: winograndeDev((answer) => answer),
  WinograndeDatasetV2: winograndeDev(asAnswerLetter),
  WinograndeDatasetV3: {
    at: 'winogrande',
    read: (files) =>
      splitFiles(['train_xs', 'dev'], async (split) =>
        (await files.rows(`${split}.jsonl`)).map((row) => winogrande(row, asAnswerLetter)),
      ),
  },
  ChemBenchDataset: {
    at: 'ChemBench',
    settings: ['name'],
    read: (files, { name }) =>
      splitFiles(['dev', 'test'], async (split) =>
        (await files.rows(`${split}/${name}_benchmark.json`)).map((row) => ({
          input: row.question,
          ...lettered([row.A, row.B, row.C, row.D]),
          target: row.answer,
        })),
      ),
  },
};

function withOptionLines(row: Row): Row {
  const options = listOf(row.options).map(textOf);
  const lines = options.map((text, index) => `${String.fromCharCode(65 + index)}. ${text}\n`);
  const kept = lines.filter((_, index) => options[index] !== 'N/A');
  const right = lines.find((line, index) => options[index] !== 'N/A' && line[0] === row.answer);
  const thought = textOf(row.cot_content);
  const lead = "A: Let's think step by step.";
  return {
    ...row,
    answer_string: right ?? '',
    options_str: kept.join('').trim(),
    cot_content: (thought.startsWith(lead) ? thought.slice(lead.length) : thought).trim(),
  };
}
