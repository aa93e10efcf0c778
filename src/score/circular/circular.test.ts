import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../../prompt/values.ts';
import type { RowScore } from '../scorer.ts';
import { circular } from './circular.ts';
import { type RotationSettings, rotateRow } from './rotate-row.ts';

const columns: RotationSettings = { textColumns: ['A', 'B', 'C', 'D'], goldColumn: 'answer' };
const list: RotationSettings = { textColumns: ['choices'], goldColumn: 'answer' };
const text: RotationSettings = { textColumns: ['question'], goldColumn: 'answer' };
const capitals = { question: 'Where?', A: 'Rome', B: 'Bern', C: 'Kyiv', D: 'Oslo' };

test.each<[name: string, RotationSettings, Row, rotation: number, Row]>([
  [
    'columns',
    columns,
    { ...capitals, answer: 'B' },
    1,
    { question: 'Where?', A: 'Bern', B: 'Kyiv', C: 'Oslo', D: 'Rome', answer: 'A' },
  ],
  ['no turn', columns, { ...capitals, answer: 'B' }, 4, { ...capitals, answer: 'B' }],
  [
    'empty last columns',
    columns,
    { A: 'x', B: 'y', C: 'z', D: null, answer: 'a' },
    1,
    { A: 'y', B: 'z', C: 'x', D: null, answer: 'C' },
  ],
  [
    'several right answers',
    list,
    { choices: [1, 2, 3], answer: ['A', '(c)'] },
    1,
    { choices: [2, 3, 1], answer: ['C', 'B'] },
  ],
  [
    'the text of the right answer',
    list,
    { choices: ['x', 'y'], answer: 'y' },
    1,
    { choices: ['y', 'x'], answer: 'y' },
  ],
  [
    'numbers as labels',
    { ...list, labels: ['0', '1', '2'] },
    { choices: ['x', 'y', 'z'], answer: 2 },
    2,
    { choices: ['z', 'x', 'y'], answer: 0 },
  ],
  [
    'lines of a text',
    text,
    { question: 'A. Smith asks:\nA. one\n  more\nB. two\n(C) three\n\nAnswer:', answer: 'A' },
    1,
    { question: 'A. Smith asks:\nA. two\nB. three\n(C) one\n  more\n\nAnswer:', answer: 'C' },
  ],
])('%s', (_, settings, row, rotation, expected) => {
  expect(rotateRow(row, rotation, settings)).toEqual(expected);
});

test('the right answer moves along with its text', () => {
  const choices = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(choices, fc.nat(), fc.boolean(), (texts, pick, all) => {
      const index = pick % texts.length;
      const row = { choices: texts, answer: 'ABCDE'[index] };
      const orders = all ? 'permutations' : 'rotations';
      const rows = circular({ ...list, orders }).expandRow(row);
      expect(rows[0]).toEqual(row);
      for (const { choices: moved, answer } of rows as (typeof row)[]) {
        expect(moved['ABCDE'.indexOf(answer ?? '')]).toBe(texts[index]);
      }
      const factorial = texts.reduce((product, _, index) => product * (index + 1), 1);
      expect(new Set(rows.map((each) => JSON.stringify(each))).size).toBe(
        all ? factorial : texts.length,
      );
    }),
  );
});

test.each([
  [columns, { A: 'only' }],
  [list, { choices: [] }],
  [text, { question: 'no options here' }],
  [text, { question: 'B. two\nC. three' }],
])('rows without options are refused', (settings, row) => {
  expect(() => circular(settings).expandRow(row)).toThrow(
    expect.objectContaining({ code: 'data.options_not_found' }),
  );
});

test('too many options for all orders', () => {
  const all = circular({ ...list, orders: 'permutations' });
  expect(all.expandRow({ choices: [1, 2, 3, 4, 5], answer: 'A' })).toHaveLength(120);
  expect(() => all.expandRow({ choices: [1, 2, 3, 4, 5, 6], answer: 'A' })).toThrow(
    expect.objectContaining({ code: 'config.too_many_orders' }),
  );
});

const scored = (value: number, got: string, want: string): RowScore => ({
  type: 'scored',
  value,
  extracted: got,
  compared: { got, want },
});
const lost: RowScore = { type: 'unscored', reason: 'no answer found' };
const { combine } = circular(list);

test.each<[name: string, scores: readonly RowScore[], expected: object]>([
  [
    'right in all orders',
    [scored(1, 'B', 'B'), scored(1, 'A', 'A')],
    { value: 1, compared: { got: 'B A', want: 'B A' }, metrics: { perf_orig: 1, perf_circ: 1 } },
  ],
  [
    'right in some',
    [scored(1, 'B', 'B'), scored(0, 'B', 'A'), scored(0, 'B', 'C'), scored(0, 'B', 'D')],
    { value: 0, extracted: 'B', metrics: { perf_orig: 1, perf_circ: 0.25 } },
  ],
  ['one order lost', [scored(1, 'B', 'B'), lost], lost],
  ['one lost and one wrong', [lost, scored(0, 'B', 'A')], { value: 0, metrics: {} }],
  ['all lost', [lost, lost], lost],
  ['nothing', [], { type: 'unscored', reason: 'no orders' }],
])('%s', (_, scores, expected) => {
  expect(combine(scores)).toMatchObject(expected);
});
