import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { readEscapes } from '../../../python/string-literal.ts';
import { boxedAnswer } from '../../scoring/math-answers.ts';
import {
  at,
  type DatasetClass,
  type DatasetClasses,
  linesOf,
  listOf,
  membersOf,
  repeated,
  rowOf,
  splitFiles,
  textOf,
} from './dataset-class.ts';
import type { PublishedFiles } from './published-files.ts';

/** A list of texts as Python writes it. */
function pythonTexts(list: unknown): string[] {
  const items = [...textOf(list).matchAll(/'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"/gu)];
  return items.map(([, single, double]) =>
    readEscapes(single ?? double ?? '', (written) => {
      throw new DataError('data.syntax', `\`${written}\` is not the name of a character`);
    }),
  );
}

/** Questions and their answers, of which one split has the first alone. */
const questionTable = (folder: string, prefix: string, single: string): DatasetClass => ({
  at: folder,
  async read(files) {
    const of = async (split: string) =>
      (await files.table(`${prefix}-${split}.qa.csv`, ['question', 'answer'])).map((row) => {
        const answers = pythonTexts(row.answer);
        return { question: row.question, answer: split === single ? answers[0] : answers };
      });
    return { dev: await of('dev'), test: await of('test') };
  },
});

/** Paragraphs with their questions, as SQuAD has them. */
function paragraphsOf(document: unknown): { context: unknown; question: unknown }[] {
  return listOf(at(document, 'data'))
    .flatMap((article) => listOf(at(article, 'paragraphs')))
    .flatMap((paragraph) =>
      listOf(at(paragraph, 'qas')).map((question) => ({
        context: at(paragraph, 'context'),
        question,
      })),
    );
}

function answerTexts(question: unknown, key = 'answers'): unknown[] {
  return [...new Set(listOf(at(question, key)).map((answer) => at(answer, 'text')))];
}

const chineseReading = (path: string): DatasetClass => ({
  at: path,
  read: async (files) =>
    paragraphsOf(await files.json()).map(({ context, question }) => ({
      context,
      question: at(question, 'question'),
      answers: answerTexts(question),
    })),
});

const examplesOf = (folder: string): DatasetClass => ({
  at: folder,
  settings: ['name'],
  read: async (files, { name }) =>
    listOf(at(await files.json(`${name}.json`), 'examples')).map(rowOf),
});

/** Options on lines `A. …`. */
function optionLines(options: unknown): string {
  return listOf(options)
    .map((option, index) => `${String.fromCharCode(65 + index)}. ${textOf(option)}\n`)
    .join('');
}

const orders = ['ABCD', 'BCDA', 'CDAB', 'DABC'];

/** A question with its options in four orders; the answer says which one. */
function inFourOrders(row: Row, index: number): Row[] {
  return orders.map((order) => {
    const options = [...order].map((letter) => listOf(row.options)['ABCD'.indexOf(letter)]);
    const answer = 'ABCD'[order.indexOf(textOf(row.answer))] ?? '';
    return {
      ...row,
      options,
      answer: `${index}--${answer}--${order}`,
      question: `${textOf(row.question).trim()}\n${optionLines(options)}`,
    };
  });
}

/** A cloze, or a choice with its options in one order or in four. */
async function mixedQuestions(
  files: PublishedFiles,
  { file, isCloze, isCircular }: { file: string; isCloze: boolean; isCircular: boolean },
  keeps: boolean,
): Promise<Row[]> {
  return (await files.rows(file)).flatMap((row, index) => {
    const [question, answer] = [textOf(row.question).trim(), textOf(row.answer).trim()];
    if (isCloze) return [{ question, answer }];
    if (isCircular) return inFourOrders(row, index);
    const asked = { question: `${question}\n${optionLines(row.options)}` };
    return [keeps ? { ...row, ...asked } : { ...asked, answer }];
  });
}

/** Classes of questions with answers, by their names. */
export const answerClasses: DatasetClasses = {
  TheoremQADatasetV3: linesOf('TheoremQA/theoremqa_test.json', (row) => ({
    ...row,
    Answer: textOf(row.Answer),
  })),
  GSM8KDataset: {
    at: 'gsm8k',
    read: (files) => splitFiles(['train', 'test'], (split) => files.rows(`${split}.jsonl`)),
  },
  MATHDataset: {
    at: 'math',
    settings: ['file_name'],
    async read(files, { file_name: name = 'math.json' }) {
      const rows = membersOf(await files.json(textOf(name))).map(([, problem]) => ({
        problem: at(problem, 'problem'),
        solution: boxedAnswer(textOf(at(problem, 'solution'))) ?? null,
      }));
      return { test: rows, train: rows };
    },
  },
  Aime2024Dataset: linesOf('aime.jsonl', (row) => ({
    ...row,
    question: row.origin_prompt,
    answer: row.gold_answer,
  })),
  Aime2025Dataset: linesOf('aime2025/aime2025.jsonl'),
  Aime2026Dataset: linesOf('aime2026/aime2026.jsonl'),
  BBHDataset: examplesOf('BBH/data'),
  CharmDataset: examplesOf('CHARM'),
  MathBenchDataset: {
    at: 'mathbench_v1',
    settings: ['name', 'with_circular'],
    read: (files, { name, with_circular: circular = true }) =>
      mixedQuestions(
        files,
        {
          file: `${name}.jsonl`,
          isCloze: textOf(name).includes('cloze'),
          isCircular: circular === true,
        },
        false,
      ),
  },
  WikiBenchDataset: {
    at: 'WikiBench',
    settings: ['name', 'filename'],
    read: (files, { name, filename }) =>
      mixedQuestions(
        files,
        {
          file: textOf(filename),
          isCloze: textOf(name).includes('cloze'),
          isCircular: textOf(name).includes('circular'),
        },
        true,
      ),
  },
  TriviaQADataset: questionTable('triviaqa', 'trivia', 'test'),
  TriviaQADatasetV2: {
    at: 'triviaqa',
    read: async (files) => ({
      validation: await files.rows('triviaqa-validation.jsonl'),
      train: await files.rows('triviaqa-train.jsonl'),
    }),
  },
  TriviaQADatasetV3: linesOf('triviaqa/triviaqa-validation.jsonl'),
  NaturalQuestionDataset: questionTable('nq', 'nq', 'dev'),
  NQOpenDataset: {
    at: 'nq-open',
    read: async (files) => ({
      validation: await files.rows('nq-open-validation.jsonl'),
      train: (await files.rows('nq-open-train.jsonl')).map((row) => ({
        ...row,
        answer: listOf(row.answer)[0],
      })),
    }),
  },
  CMRCDataset: chineseReading('CLUE/CMRC/dev.json'),
  DRCDDataset: chineseReading('CLUE/DRCD/dev.json'),
  SQuAD20Dataset: {
    at: 'SQuAD2.0/dev-v2.0.json',
    read: async (files) =>
      paragraphsOf(await files.json()).map(({ context, question }) => ({
        context,
        question: at(question, 'question'),
        answers:
          at(question, 'is_impossible') === true
            ? [...answerTexts(question, 'plausible_answers'), 'impossible to answer']
            : answerTexts(question),
      })),
  },
  TydiQADataset: {
    at: 'tydiqa',
    settings: ['lang'],
    read: async (files, { lang }) =>
      (await files.rows(`dev/${lang}-dev.jsonl`)).map((row) => ({
        ...row,
        answer: answerTexts(row),
      })),
  },
  lambadaDataset: {
    at: 'lambada/test.jsonl',
    read: async (files) => ({ test: await files.rows(files.isFolder ? 'test.jsonl' : '') }),
  },
  StrategyQADataset: linesOf('strategyqa/strategyQA_train.json'),
  DropOpenAIDataset: {
    at: 'drop_simple_eval/dev.jsonl',
    read: async (files) => ({
      validation: (await files.rows()).map((row) => ({
        prompt: row.context,
        answers: row.ref_text,
      })),
    }),
  },
  XsumDataset: {
    at: 'Xsum/dev.jsonl',
    read: async (files) =>
      (await files.rows(files.isFolder ? 'dev.jsonl' : ''))
        .slice(0, 1000)
        .filter((row) => typeof row.dialogue === 'string' && typeof row.summary === 'string')
        .map((row) => ({ dialogue: row.dialogue, summary: row.summary })),
  },
  LCSTSDataset: {
    at: 'LCSTS',
    async read(files) {
      const [sources, targets] = [
        await files.lines('test.src.txt'),
        await files.lines('test.tgt.txt'),
      ];
      return sources
        .slice(0, targets.length)
        .map((text, index) => ({ content: text.trim(), abst: (targets[index] ?? '').trim() }));
    },
  },
  MGSMSDataset: {
    at: 'mgsm',
    read: (files) => files.table('', ['question', 'answer']).then((rows) => [...rows]),
  },
  SVAMPDataset: linesOf('svamp/SVAMP.jsonl', (row) => ({
    question: `${textOf(row.Body)} ${textOf(row.Question)}`,
    answer: String(Math.trunc(Number(textOf(row.Answer)))),
  })),
  GSMHardDataset: linesOf('gsm-hard/test.jsonl', (row) => ({
    question: row.input,
    answer: textOf(row.target),
  })),
  IFEvalDataset: linesOf('ifeval/input_data.jsonl', (row) => ({
    prompt: row.prompt,
    reference: row,
  })),
  SimpleQADataset: {
    at: 'simpleqa/simple_qa_test_set.csv',
    settings: ['n_repeats'],
    async read(files, { n_repeats: times }) {
      const rows = repeated(await files.rows(), times);
      return { train: rows, test: rows };
    },
  },
  AGIEvalDataset_v2: {
    at: 'AGIEval/data/v1',
    settings: ['name'],
    read: async (files, { name }) =>
      (await files.rows(`${name}.jsonl`)).map((row) => ({
        question: `${textOf(row.passage ?? '')}${textOf(row.question)}`,
        options: listOf(row.options).map(textOf).join('\n'),
        label: joinedLabel(row.label || row.answer),
      })),
  },
  GaokaoBenchDataset: {
    at: 'GAOKAO-BENCH/data',
    settings: ['filename'],
    read: async (files, { filename }) =>
      listOf(at(await files.json(textOf(filename).replace(/^\//, '')), 'example')).map(rowOf),
  },
  JsonlDataset: linesOf(''),
  CustomDataset: {
    at: '',
    settings: ['file_name'],
    read: async (files, { file_name: name }) =>
      (await files.rows(textOf(name))).map((row) => ({
        ...row,
        ...(row.max_tokens !== undefined && { max_out_len: row.max_tokens }),
      })),
  },
};

function joinedLabel(label: unknown): unknown {
  if (Array.isArray(label)) return label.map(textOf).join('');
  return label === null || label === undefined ? null : textOf(label);
}
