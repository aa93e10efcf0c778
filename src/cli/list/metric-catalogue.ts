import type { EvaluatorEntry } from './catalogues.ts';

const sentence = { answer: 'The cat sat on the mat.', gold: 'The cat sat on the mat.' };
const rougeOptions = ['variant', 'use_stemmer', 'language'];
const bleuOptions = ['tokenize', 'lowercase', 'smooth_method', 'smooth_value'];

/** Evaluators whose metrics are more than the share of right answers. */
export const metricEvaluators: readonly EvaluatorEntry[] = [
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
    summary: 'area under the ROC curve, of labels that are chosen by loglikelihood',
    options: [],
  },
];
