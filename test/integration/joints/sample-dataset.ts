import type { Levels } from './factors.ts';
import { sampleEvaluator } from './sample-evaluator.ts';
import { isDialogue } from './sample-rows.ts';
import { sampleTemplates } from './sample-templates.ts';

interface DatasetParts {
  /** Where its rows are. */
  readonly source: object;
  /** Where the embedder is. */
  readonly url: string;
}

/** The dataset that a config is about. */
export function sampleDataset(levels: Levels, { source, url }: DatasetParts): object {
  const { media, repeats } = levels;
  return {
    abbr: 'd',
    ...source,
    ...(repeats === 'samples' && { n: 3 }),
    ...(media === 'path' && { media: { inline: false } }),
    reader_cfg: {
      input_columns: inputColumns(levels),
      output_column: 'answer',
      ...rangeOf('test_range', ranges.test[levels.testRange]),
      ...rangeOf('train_range', ranges.train[levels.trainRange]),
    },
    infer_cfg: {
      ...sampleTemplates(levels),
      ...(levels.shotsAs !== 'own' && { shots_as: levels.shotsAs }),
      retriever: retrieverOf(levels, url),
      inferencer: inferencerOf(levels),
    },
    ...sampleEvaluator(levels),
  };
}

/** A second dataset, with another template and rows of its own. */
export const otherDataset = {
  abbr: 'e',
  rows: [
    { question: 'one', answer: 'A' },
    { question: 'two {answer}', answer: 'B' },
  ],
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    prompt_template: { type: 'PromptTemplate', template: 'Say: {question}' },
    inferencer: { type: 'GenInferencer', max_out_len: 4, stopping_criteria: ['.'] },
  },
  eval_cfg: { evaluator: { type: 'exact' } },
};

const ranges = {
  test: {
    all: undefined,
    slice: '[2:5]',
    count: 2,
    negative: '[-3:]',
    chained: '[1:][::2]',
    share: 0.5,
  },
  train: { all: undefined, slice: '[1:7]', count: 6, negative: '[-6:]' },
};

const rangeOf = (key: string, range: string | number | undefined) =>
  range === undefined ? {} : { [key]: range };

function inputColumns(levels: Levels): string[] {
  const limit = levels.rowLimit === 'used' ? ['max_out_len'] : [];
  const image = { none: [], tags: ['content'] }[levels.media as string] ?? ['image'];
  if (isDialogue(levels)) return ['question', ...image, ...limit];
  return ['question', 'A', 'B', 'C', 'D', 'topic', 'level', 'note', ...image, ...limit];
}

function retrieverOf({ retriever, joiner, seed }: Levels, url: string): object {
  return {
    ...retrievers[retriever],
    ...(retriever === 'topk' && { embedder: { base_url: url, model: 'embedder' } }),
    ...(joiner === 'own' && { ice_separator: '\n--\n', ice_eos_token: '\n==\n' }),
    ...(seed === 'retriever' && { seed: 7 }),
  };
}

const retrievers: Readonly<Record<Levels['retriever'], object>> = {
  zero: { type: 'ZeroRetriever' },
  fixed: { type: 'FixKRetriever', fix_id_list: [2, 0, 3] },
  random: { type: 'RandomRetriever', ice_num: 3 },
  balanced: { type: 'BalancedRetriever', ice_num: 3 },
  window: { type: 'SlidingWindowRetriever', k: 3 },
  bm25: { type: 'BM25Retriever', ice_num: 3 },
  topk: { type: 'TopkRetriever', ice_num: 3 },
};

const inferencers: Readonly<Record<Levels['ask'], object>> = {
  gen: { type: 'GenInferencer' },
  ppl: { type: 'PPLInferencer' },
  ll: { type: 'LLInferencer' },
  clp: { type: 'CLPInferencer' },
  'ppl-only': { type: 'PPLOnlyInferencer' },
  sc: { type: 'SCInferencer', sc_size: 3 },
  'turns-every': { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
  'turns-gt': { type: 'MultiTurnGenInferencer', infer_mode: 'every_with_gt' },
  'turns-last': { type: 'MultiTurnGenInferencer', infer_mode: 'last' },
  'chat-every': { type: 'ChatInferencer', infer_mode: 'every' },
  'chat-gt': { type: 'ChatInferencer', infer_mode: 'every_with_gt' },
  'chat-last': { type: 'ChatInferencer', infer_mode: 'last' },
};

function inferencerOf({ ask, limit, stop, mask, labels, normalizing }: Levels): object {
  const isLimited = limit === 'inferencer' || limit === 'both';
  const overlapping = stop === 'both' ? ['END', '###'] : ['###'];
  return {
    ...inferencers[ask],
    ...(isLimited && { max_out_len: 6 }),
    ...(limit === 'turns' && { max_out_len: [5, 8] }),
    ...((stop === 'inferencer' || stop === 'both') && { stopping_criteria: overlapping }),
    ...(mask === 'own' && { gen_field_replace_token: '___' }),
    ...(labels === 'given' && { labels: ['A', 'B', 'C', 'D'] }),
    ...(normalizing === 'on' && { normalizing_str: 'Answer:' }),
  };
}
