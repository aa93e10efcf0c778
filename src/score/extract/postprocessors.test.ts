import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../../prompt/values.ts';
import type { ScorerConfig } from '../build-scorer.ts';
import { compileScorer } from '../compile-scorer.ts';
import type { Component } from '../component/component.ts';
import { splitAnswer } from '../split-thought.ts';
import { buildExtractors } from './postprocessors.ts';

type Postprocessor = NonNullable<ScorerConfig['predPostprocessor']>;

function extract(predPostprocessor: Postprocessor, raw: string, row: Row = {}) {
  const scorer = compileScorer({ evaluator: { type: 'exact' }, predPostprocessor });
  const score = scorer.score({ answer: splitAnswer(raw), gold: 'gold', row });
  return score.type === 'scored' ? { found: score.extracted, tried: score.tried } : score.reason;
}

const boxed = { type: 'boxed' };
const line = { type: 'last-line' };

test('a list is tried in order', () => {
  const list = [boxed, { type: 'after-marker', marker: 'Answer:' }, line];
  expect(extract(list, 'Answer: 7')).toEqual({ found: '7', tried: ['boxed', 'after-marker'] });
  expect(extract(list, '\\boxed{8}\nAnswer: 7')).toEqual({ found: '8', tried: ['boxed'] });
  expect(extract(list, 'so\n9')).toMatchObject({ found: '9' });
  expect(extract([boxed], 'so\n9')).toBe('no answer found');
});

test('within looks in what another finds, or the first of several', () => {
  const number = { type: 'last-number', within: [boxed, line] };
  expect(extract(number, '\\boxed{x = 7} of 9')).toEqual({
    found: '7',
    tried: ['boxed → last-number'],
  });
  expect(extract(number, '\\boxed{x}\nor 9')).toEqual({
    found: '9',
    tried: ['boxed → last-number', 'last-line → last-number'],
  });
  const deep = {
    type: 'regex',
    pattern: '.$',
    within: { type: 'json', path: 'a', within: { type: 'code' } },
  };
  expect(extract(deep, '{"a": "x"}\n```\n{"a": "yz"}\n```\n{"a": "w"}')).toMatchObject({
    found: 'z',
  });
});

test.each<[Postprocessor, raw: string, found: unknown]>([
  [{ type: 'json', path: 'items[0].name' }, 'Sure: {"items": [{"name": "x"}]}', 'x'],
  [
    { type: 'code', language: ['python', 'py'], which: 'first' },
    '```sh\na\n```\n```py\nb\n```\n```py\nc\n```',
    'b',
  ],
  [{ type: 'choice-text', text_columns: ['options'] }, 'I think Paris.', 'B'],
  [{ type: 'choice-text', text_columns: ['one', 'two'], options: 'XY' }, 'Rome', 'X'],
  [{ type: 'chain', extractors: [boxed, line] }, 'a\nb', 'b'],
])('%j of %j', (postprocessor, raw, found) => {
  const row = { options: ['Rome', 'Paris'], one: 'Rome', two: 'Paris' };
  expect(extract(postprocessor, raw, row)).toMatchObject({ found });
});

test('gold answers are prepared by a list as well, row by row', () => {
  const scorer = compileScorer({
    evaluator: { type: 'exact' },
    datasetPostprocessor: [{ type: 'choice-text', text_columns: ['options'] }, { type: 'trimmed' }],
  });
  const row = { options: ['Rome', 'Paris'] };
  const score = (gold: unknown) => scorer.score({ answer: splitAnswer('B'), gold, row });
  expect([score('Paris'), score('B'), score('A')]).toMatchObject([
    { value: 1 },
    { value: 1 },
    { value: 0 },
  ]);
});

test.each<[Postprocessor, code: string, message: string]>([
  [{ type: 'json' }, 'missing_key', 'pred_postprocessor has no `path`'],
  [{ type: 'json', path: 'a..b' }, 'wrong_type', 'path must be a path such as'],
  [
    { type: 'code', which: 'middle' },
    'unknown_value',
    'which must be `first` or `last`, not `middle`',
  ],
  [{ type: 'choice-text' }, 'missing_key', 'no `text_columns`'],
  [[boxed, { type: 'boxt' }], 'unknown_type', 'pred_postprocessor[1] has the unknown type'],
  [{ ...boxed, within: 'code' }, 'wrong_type', 'within must be a mapping'],
  [{ ...boxed, within: { type: 'kode' } }, 'unknown_type', 'pred_postprocessor.within has the'],
  [{ ...boxed, wthin: line }, 'unknown_key', '`wthin`'],
])('%j is refused', (predPostprocessor, code, message) => {
  expect(() => compileScorer({ evaluator: { type: 'exact' }, predPostprocessor })).toThrow(
    expect.objectContaining({ code: `config.${code}`, message: expect.stringContaining(message) }),
  );
});

const all: readonly Component[] = [
  ...['trimmed', 'first-line', 'last-line', 'first-number', 'last-number', 'boxed', 'code'],
  ...['first-option', 'last-option', 'general', 'first-capital', 'last-capital'],
  ...['first-capital-multi', 'multiple-select', 'extract-non-reasoning-content'],
  { type: 'json', path: 'a.b' },
  { type: 'choice-text', text_columns: ['options'] },
  { type: 'after-marker', marker: ['Answer:', '答え'] },
  { type: 'boxed', within: { type: 'code' } },
].map((entry) => (typeof entry === 'string' ? { type: entry } : entry));
const chains = all.map((component) => buildExtractors([{ component, path: [] }]));
const row = { options: ['a', 'aa', 'b'] };
const pieces = [
  ...['(', '[', '{', '}', '{"', '":', '"', "'", '\\', '\\\\', '\\boxed{', '\\boxed ', '\\frac{'],
  ...['`', '```\n', '<think>', '</think>', 'Answer:', '答え', '答案是', 'The correct answer is '],
  ...[
    'A',
    'A ',
    'a ',
    '(A)',
    'A or ',
    '1',
    '1,',
    '1,000',
    '1/',
    '1 1/',
    '½',
    '1万',
    '10^',
    '.',
    '\n',
    ' ',
  ],
];

test('no post-processor throws on any text, nor on much of the same', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  const tryAll = (raw: string) => {
    for (const extractorsOf of chains) {
      for (const { extract: find } of extractorsOf(row)) expect(() => find(raw)).not.toThrow();
    }
  };
  fc.assert(fc.property(text, tryAll));
  for (const piece of pieces) tryAll(`${piece.repeat(Math.ceil(30_000 / piece.length))} x`);
});
