import type { Row } from '../../../prompt/values.ts';
import { type DatasetClass, type DatasetClasses, linesOf } from './dataset-class.ts';

type Shape = (row: Row) => Row;

const asked: Shape = ({ input, context, answers }) => ({ input, context, answers });
const told: Shape = ({ context, answers }) => ({ context, answers });
const sorted: Shape = ({ input, context, answers, all_classes }) => ({
  input,
  context,
  all_labels: { answers, all_classes },
});

/** A file of the set by the name of its task. */
const longBench = (shape: Shape): DatasetClass => ({
  at: 'Longbench',
  settings: ['name'],
  async read(files, { name }) {
    const [nested] = await files.names(new RegExp(`^${name}\\.jsonl$`), 'data');
    return { test: (await files.rows(nested ?? `${name}.jsonl`)).map(shape) };
  },
});

const shapes: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    '2wikimqa hotpotqa musique multifieldqa_en multifieldqa_zh narrativeqa qasper triviaqa qmsum dureader repobench passage_retrieval_en passage_retrieval_zh samsum'
      .split(' ')
      .map((name) => [name, asked]),
  ),
  ...Object.fromEntries(
    'gov_report vcsum lcc passage_count multi_news'.split(' ').map((name) => [name, told]),
  ),
  trec: sorted,
  lsht: sorted,
};

/** Classes of questions about long texts, by their names. */
export const longTextClasses: DatasetClasses = {
  ...Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [`LongBench${name}Dataset`, longBench(shape)]),
  ),
  LongBenchv2Dataset: linesOf('longbenchv2/data.json'),
};
