import { retrieverTypes } from '../../config/type-names.ts';
import type { ComponentTypes } from '../../score/component/component.ts';
import { evaluatorTypes } from '../../score/evaluators/evaluator-types.ts';
import { ownPostprocessors } from '../../score/extract/postprocessors.ts';

/** Something that configs choose by name. */
export interface CatalogueEntry {
  readonly name: string;
  readonly summary: string;
  /** Keys that go with the name. */
  readonly options: readonly string[];
}

/** An evaluator with an answer to show it by, if a text alone can show it. */
export interface EvaluatorEntry extends CatalogueEntry {
  readonly example?: {
    readonly answer: string;
    readonly gold: string;
    readonly options?: Readonly<Record<string, unknown>>;
  };
}

const sentence = { answer: 'The cat sat on the mat.', gold: 'The cat sat on the mat.' };

const examples: { readonly [Name in keyof typeof evaluatorTypes]?: EvaluatorEntry['example'] } = {
  exact: { answer: ' Paris\n', gold: 'Paris' },
  contains: { answer: 'I think it is Paris.', gold: 'Paris' },
  number: { answer: '6 boxes of 3 make **18**.', gold: '18' },
  math: { answer: 'So $x = \\frac{\\sqrt{2}}{2}$.', gold: '1/\\sqrt{2}' },
  choice: { answer: 'A? No. The answer is (C).', gold: 'C' },
  regex: { answer: 'the label: cat', gold: 'cat', options: { pattern: 'label: (\\w+)' } },
  AccEvaluator: { answer: 'B', gold: 'B' },
  AccwithDetailsEvaluator: { answer: 'B', gold: 'B' },
  equals: { answer: '{"a": 1, "b": 2}', gold: '', options: { value: { b: 2, a: 1 } } },
  'contains-all': { answer: 'Paris or Rome', gold: '', options: { value: ['Rome', 'Paris'] } },
  'starts-with': { answer: 'Dear Ann, …', gold: '', options: { value: 'Dear' } },
  matches: { answer: 'call 555-1234', gold: '', options: { pattern: '\\d{3}-\\d{4}' } },
  'is-json': { answer: '{"a": 1}', gold: '' },
  length: { answer: 'one two three', gold: '', options: { max: 3, unit: 'words' } },
  refusal: { answer: "I'm sorry, but I can't help with that.", gold: '' },
  EMEvaluator: { answer: 'The Eiffel Tower, in Paris', gold: 'Eiffel Tower' },
  bleu: sentence,
  chrf: sentence,
  rouge: sentence,
  token_f1: { answer: 'the Eiffel Tower!', gold: 'Eiffel Tower' },
  edit_distance: sentence,
  BleuEvaluator: sentence,
  RougeEvaluator: sentence,
  SquadEvaluator: { answer: 'Eiffel Tower\nI think.', gold: 'the Eiffel Tower' },
  classification: {
    answer: 'The answer is: Positive.',
    gold: 'positive',
    options: { labels: ['positive', 'negative'] },
  },
  MccEvaluator: { answer: '1', gold: '1' },
};

export const evaluators: readonly EvaluatorEntry[] = entriesOf(evaluatorTypes).map((entry) => {
  const example = examples[entry.name as keyof typeof examples];
  return { ...entry, ...(example && { example }) };
});

export const postprocessors: readonly CatalogueEntry[] = entriesOf(ownPostprocessors);

function entriesOf(types: ComponentTypes<unknown, never>): CatalogueEntry[] {
  return Object.entries(types).map(([name, { summary, options }]) => ({
    name,
    summary,
    options: Object.keys(options.shape).filter((key) => key !== 'type'),
  }));
}

const iceOptions = ['ice_separator', 'ice_eos_token'];
const choiceOptions = ['where', 'same_as', ...iceOptions];
const vectorOptions = ['embedder', 'columns', ...choiceOptions];

const retrieverNotes: Readonly<
  Record<(typeof retrieverTypes)[number], Omit<CatalogueEntry, 'name'>>
> = {
  ZeroRetriever: { summary: 'no examples', options: [] },
  FixKRetriever: {
    summary: 'the same training rows for every row',
    options: ['fix_id_list', ...iceOptions],
  },
  RandomRetriever: {
    summary: 'random training rows for each row, by seed and id; never the row itself',
    options: ['ice_num', 'seed', ...choiceOptions],
  },
  BalancedRetriever: {
    summary: 'the same number of each answer, drawn for each row by seed and id',
    options: ['ice_num', 'seed', ...choiceOptions],
  },
  SlidingWindowRetriever: {
    summary: 'the rows just before the row',
    options: ['k', ...choiceOptions],
  },
  BM25Retriever: {
    summary: 'the rows with the most similar words (BM25)',
    options: ['ice_num', 'columns', ...choiceOptions],
  },
  TopkRetriever: {
    summary: 'the rows closest in meaning',
    options: ['ice_num', ...vectorOptions],
  },
  VotekRetriever: {
    summary: 'the same rows for every row: those close to many others',
    options: ['ice_num', 'votek_k', 'seed', ...vectorOptions],
  },
  DPPRetriever: {
    summary: 'rows close in meaning, yet different from each other',
    options: ['ice_num', 'candidate_num', 'scale_factor', ...vectorOptions],
  },
  MDLRetriever: {
    summary: 'close rows after which the model is most certain of an answer',
    options: ['ice_num', 'candidate_num', 'select_time', 'seed', 'labels', ...vectorOptions],
  },
  FunctionRetriever: {
    summary: 'chosen by your own function; in TypeScript configs',
    options: ['retrieve', ...choiceOptions],
  },
};

export const retrievers: readonly CatalogueEntry[] = retrieverTypes.map((name) => ({
  name,
  ...retrieverNotes[name],
}));
