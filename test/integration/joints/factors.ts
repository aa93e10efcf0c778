/** What configs differ in, and how. The first level of each factor is the plain one. */
export const factors = {
  ask: [
    'gen',
    'ppl',
    'll',
    'clp',
    'ppl-only',
    'sc',
    'turns-every',
    'turns-gt',
    'turns-last',
    'chat-every',
    'chat-gt',
    'chat-last',
  ],
  model: ['chat', 'plain', 'chatml', 'gemma', 'jinja', 'local'],
  prefill: ['none', 'told', 'by-itself'],
  compat: ['none', 'opencompass', 'aisbench', 'opencompass-model', 'aisbench-model'],
  retriever: ['zero', 'fixed', 'random', 'balanced', 'window', 'bm25', 'topk'],
  template: [
    'text',
    'open-end',
    'column-tokens',
    'dialogue',
    'prefix',
    'system',
    'messages',
    'label-texts',
    'label-dialogues',
    'turns',
    'media',
  ],
  examples: ['none', 'both', 'ice-only'],
  shotsAs: ['own', 'turns', 'text', 'system'],
  fit: ['free', 'roomy', 'tight', 'cramped'],
  testRange: ['all', 'slice', 'count', 'negative', 'chained', 'share'],
  trainRange: ['all', 'slice', 'count', 'negative'],
  rowLimit: ['none', 'used', 'unused'],
  stop: ['none', 'model', 'inferencer', 'both'],
  stream: ['off', 'on'],
  limit: ['none', 'model', 'inferencer', 'both', 'turns'],
  kwargs: ['none', 'sampling', 'seed', 'limit', 'stop'],
  thinking: ['none', 'marks', 'keep'],
  media: ['none', 'file', 'list', 'data-url', 'path', 'tags'],
  judge: ['none', 'choice', 'grade', 'pair', 'own-prompt', 'examples', 'opencompass'],
  repeats: ['none', 'samples', 'rotations'],
  labels: ['none', 'given', 'data', 'template', 'row'],
  normalizing: ['off', 'on'],
  separator: ['none', 'sep-token'],
  joiner: ['usual', 'own'],
  mask: ['none', 'own'],
  seed: ['none', 'config', 'retriever'],
  data: [
    'jsonl',
    'split-files',
    'inline',
    'inline-splits',
    'json',
    'csv',
    'parts',
    'share-gpt',
    'wire-messages',
  ],
  rows: ['distinct', 'doubled'],
  tokenizer: ['none', 'given'],
  size: ['one', 'two-models', 'two-datasets', 'both'],
  file: ['json', 'yaml'],
} as const;

export type Factor = keyof typeof factors;

/** One level for each factor. */
export type Levels = { readonly [Name in Factor]: (typeof factors)[Name][number] };

export const factorNames = Object.keys(factors) as Factor[];

/** The plain level of every factor. */
export const plainLevels = Object.fromEntries(
  factorNames.map((name) => [name, factors[name][0]]),
) as Levels;
