import { retrieverTypes } from '../../config/type-names.ts';

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
const rougeOptions = ['variant', 'use_stemmer', 'language'];
const bleuOptions = ['tokenize', 'lowercase', 'smooth_method', 'smooth_value'];

/** Evaluators whose metrics are more than the share of right answers. */
const metricEvaluators: readonly EvaluatorEntry[] = [
  {
    name: 'bleu',
    summary: 'n-grams of words in common, over the whole dataset',
    options: bleuOptions,
    example: sentence,
  },
  {
    name: 'chrf',
    summary: 'n-grams of characters in common, over the whole dataset; `word_order: 2` for chrF++',
    options: ['char_order', 'word_order', 'beta', 'lowercase', 'whitespace', 'eps_smoothing'],
    example: sentence,
  },
  {
    name: 'ter',
    summary: 'how few words must change or move, over the whole dataset; less is better',
    options: ['normalized', 'no_punct', 'asian_support', 'case_sensitive'],
  },
  {
    name: 'rouge',
    summary: 'words and pairs of words in common: ROUGE-1, -2, -L and -Lsum',
    options: rougeOptions,
    example: sentence,
  },
  {
    name: 'token_f1',
    summary: 'words in common without articles and punctuation, as for SQuAD',
    options: ['language'],
    example: { answer: 'the Eiffel Tower!', gold: 'Eiffel Tower' },
  },
  {
    name: 'edit_distance',
    summary: 'how few characters must change; character error rate',
    options: [],
    example: sentence,
  },
  {
    name: 'BleuEvaluator',
    summary: 'as `bleu`',
    options: bleuOptions,
    example: sentence,
  },
  {
    name: 'RougeEvaluator',
    summary: 'as `rouge`',
    options: rougeOptions,
    example: sentence,
  },
  { name: 'JiebaRougeEvaluator', summary: 'as `rouge` with `language: zh`', options: [] },
  {
    name: 'SquadEvaluator',
    summary: 'as `token_f1`, of the first line',
    options: ['language'],
    example: { answer: 'Eiffel Tower\nI think.', gold: 'the Eiffel Tower' },
  },
  {
    name: 'classification',
    summary: 'F1, balanced accuracy and correlation of labels',
    options: ['labels', 'positive', 'metric'],
    example: {
      answer: 'The answer is: Positive.',
      gold: 'positive',
      options: { labels: ['positive', 'negative'] },
    },
  },
  {
    name: 'MccEvaluator',
    summary: "as `classification` with `metric: mcc`: Matthews' correlation",
    options: [],
    example: { answer: '1', gold: '1' },
  },
  {
    name: 'EDAccEvaluator',
    summary: 'whether the candidate that takes the fewest edits is the right one',
    options: [],
  },
  {
    name: 'AUCROCEvaluator',
    summary: 'area under the ROC curve, where labels are weighed',
    options: [],
  },
];

const textOptions = ['ignore_case', 'normalize'];
const openCompassJudge = [
  ...['model', 'verdict', 'question_column', 'prompt_template', 'judge_cfg'],
  ...['dict_postprocessor', 'dataset_cfg'],
];

export const evaluators: readonly EvaluatorEntry[] = [
  {
    name: 'exact',
    summary: 'the whole answer is the right one, but for white space around it',
    options: textOptions,
    example: { answer: ' Paris\n', gold: 'Paris' },
  },
  {
    name: 'contains',
    summary: 'the right answer stands somewhere in the answer',
    options: textOptions,
    example: { answer: 'I think it is Paris.', gold: 'Paris' },
  },
  {
    name: 'number',
    summary: 'the number that an answer comes to, however it is written',
    options: ['tolerance', 'relative_tolerance'],
    example: { answer: '6 boxes of 3 make **18**.', gold: '18' },
  },
  {
    name: 'math',
    summary: 'the formula that an answer comes to, however it is written',
    options: ['tolerance', 'relative_tolerance'],
    example: { answer: 'So $x = \\frac{\\sqrt{2}}{2}$.', gold: '1/\\sqrt{2}' },
  },
  {
    name: 'choice',
    summary: 'the option that an answer settles on, by its letter or its text',
    options: ['options', 'text_columns'],
    example: { answer: 'A? No. The answer is (C).', gold: 'C' },
  },
  {
    name: 'regex',
    summary: 'what a pattern finds in the answer is the right one',
    options: ['pattern', 'group', 'flags', ...textOptions],
    example: {
      answer: 'the label: cat',
      gold: 'cat',
      options: { pattern: 'label: (\\w+)' },
    },
  },
  {
    name: 'AccEvaluator',
    summary: 'as `exact`; in compat modes as in those systems',
    options: [],
    example: { answer: 'B', gold: 'B' },
  },
  {
    name: 'AccwithDetailsEvaluator',
    summary: 'as `exact`; in compat modes as in those systems',
    options: [],
    example: { answer: 'B', gold: 'B' },
  },
  {
    name: 'EMEvaluator',
    summary: 'the same up to the first stop, without articles and punctuation',
    options: [],
    example: { answer: 'The Eiffel Tower, in Paris', gold: 'Eiffel Tower' },
  },
  ...metricEvaluators,
  {
    name: 'judge',
    summary: 'another model decides whether the answer is right, or how good it is',
    options: [
      ...['model', 'prompt', 'verdict', 'question_column', 'examples', 'against', 'disagreement'],
    ],
  },
  {
    name: 'code',
    summary: 'the code of the answer passes the tests of the row',
    options: ['language', 'test', 'setup', 'entry_point', 'timeout', 'memory_mb'],
  },
  {
    name: 'function',
    summary: 'a function of a TypeScript config gives the score',
    options: ['score', 'metric'],
  },
  { name: 'GenericLLMEvaluator', summary: 'as `judge`', options: openCompassJudge },
  { name: 'LMEvaluator', summary: 'as `judge`', options: openCompassJudge },
];

const optionKeys = ['options', 'cushion'];

const ownPostprocessors: readonly CatalogueEntry[] = [
  { name: 'trimmed', summary: 'the whole text, without white space around it', options: [] },
  { name: 'first-line', summary: 'the first line that is not blank', options: [] },
  { name: 'last-line', summary: 'the last line that is not blank', options: [] },
  { name: 'first-number', summary: 'the first number', options: [] },
  { name: 'last-number', summary: 'the last number', options: [] },
  { name: 'boxed', summary: 'what stands in the last \\boxed{…}', options: [] },
  { name: 'first-option', summary: 'the option that is named first', options: optionKeys },
  { name: 'last-option', summary: 'the option that is named last', options: optionKeys },
  {
    name: 'choice-text',
    summary: 'the label of the option whose text is the answer, or in it',
    options: ['options', 'text_columns'],
  },
  { name: 'after-marker', summary: 'the line after the last marker', options: ['marker'] },
  { name: 'regex', summary: 'what a pattern finds', options: ['pattern', 'group', 'flags'] },
  { name: 'json', summary: 'a value of the last JSON object', options: ['path'] },
  { name: 'code', summary: 'a fenced block of code', options: ['language', 'which'] },
  {
    name: 'chain',
    summary: 'the first of several post-processors that finds something',
    options: ['extractors'],
  },
  {
    name: 'general',
    summary: 'the text up to the first stop, without articles and punctuation',
    options: [],
  },
  { name: 'first-capital', summary: 'the first capital letter', options: [] },
  { name: 'last-capital', summary: 'the last capital letter', options: [] },
  { name: 'first-capital-multi', summary: 'the first run of letters from A to D', options: [] },
  { name: 'multiple-select', summary: 'all capital letters, sorted, each once', options: [] },
  {
    name: 'extract-non-reasoning-content',
    summary: 'the text without <think>…</think>',
    options: [],
  },
];

export const postprocessors: readonly CatalogueEntry[] = ownPostprocessors.map((entry) => ({
  ...entry,
  options: [...entry.options, 'within'],
}));

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
    summary: 'training rows drawn for each row from the seed and its id, never the row itself',
    options: ['ice_num', 'seed', ...choiceOptions],
  },
  BalancedRetriever: {
    summary: 'as many of each answer, drawn for each row from the seed and its id',
    options: ['ice_num', 'seed', ...choiceOptions],
  },
  SlidingWindowRetriever: {
    summary: 'the rows that stand just before the row',
    options: ['k', ...choiceOptions],
  },
  BM25Retriever: {
    summary: 'the rows that share the most telling words',
    options: ['ice_num', 'columns', ...choiceOptions],
  },
  TopkRetriever: {
    summary: 'the rows that mean most alike',
    options: ['ice_num', ...vectorOptions],
  },
  VotekRetriever: {
    summary: 'the same rows for every row: those near to many others',
    options: ['ice_num', 'votek_k', 'seed', ...vectorOptions],
  },
  DPPRetriever: {
    summary: 'rows that mean alike and yet differ from each other',
    options: ['ice_num', 'candidate_num', 'scale_factor', ...vectorOptions],
  },
  MDLRetriever: {
    summary: 'near rows after which the model is surest of an answer',
    options: ['ice_num', 'candidate_num', 'select_time', 'seed', 'labels', ...vectorOptions],
  },
  FunctionRetriever: {
    summary: 'what your own function chooses; in TypeScript configs',
    options: ['retrieve', ...choiceOptions],
  },
};

export const retrievers: readonly CatalogueEntry[] = retrieverTypes.map((name) => ({
  name,
  ...retrieverNotes[name],
}));
