import { expect, test } from 'vitest';
import { type DiffPart, diffLines, diffWords } from './diff-lines.ts';

const show = (parts: readonly DiffPart[] | undefined) =>
  parts
    ?.map(({ type, text }) =>
      type === 'same' ? text : type === 'removed' ? `-${text}-` : `+${text}+`,
    )
    .join('');
const rows = (left: string, right: string) =>
  diffLines(left, right).map((row) => [show(row.left), show(row.right)]);

test.each<[string, string, [string | undefined, string | undefined][]]>([
  [
    'a\nb',
    'a\nb',
    [
      ['a', 'a'],
      ['b', 'b'],
    ],
  ],
  ['one two', 'one 2', [['one -two-', 'one +2+']]],
  [
    'a\nb\nc',
    'a\nc',
    [
      ['a', 'a'],
      ['-b-', undefined],
      ['c', 'c'],
    ],
  ],
  [
    'a\nc',
    'a\nb\nc',
    [
      ['a', 'a'],
      [undefined, '+b+'],
      ['c', 'c'],
    ],
  ],
  [
    'x 1\nend',
    'x 2\nmore\nend',
    [
      ['x -1-', 'x +2+'],
      [undefined, '+more+'],
      ['end', 'end'],
    ],
  ],
  ['', 'a', [['', '+a+']]],
])('%j and %j', (left, right, expected) => {
  expect(rows(left, right)).toEqual(expected);
});

test('words of scripts without spaces', () => {
  expect(show(diffWords('質問に簡潔に答える', '質問に丁寧に答える'))).toBe(
    '質問に-簡潔-+丁寧+に答える',
  );
});

test('each side can be read back', () => {
  const [left, right] = ['Solve  it.\n\n1+1=?\n', 'Solve it!\n1+1 = ?'];
  const side = (other: DiffPart['type']) =>
    diffWords(left, right)
      .filter(({ type }) => type !== other)
      .map(({ text }) => text)
      .join('');
  expect([side('added'), side('removed')]).toEqual([left, right]);
});

test('texts that share next to nothing are not searched for ever', () => {
  const text = (word: string) => `${word},`.repeat(5000);
  const types = diffWords(text('one'), text('two')).map(({ type }) => type);
  expect(types).toEqual(['removed', 'added']);
});

test('a line that only one text has does not move the others', () => {
  const left = 'Question: 1+1=?\nAnswer: 2\nQuestion: 3+3=?';
  const right = 'Solve these sums.\nQ: 1+1=?\nAnswer is 2\nQ: 3+3=?';
  const texts = diffLines(left, right).map(({ left: before, right: after }) =>
    [before, after].map((parts) => parts?.map(({ text }) => text).join('')),
  );
  expect(texts).toEqual([
    [undefined, 'Solve these sums.'],
    ['Question: 1+1=?', 'Q: 1+1=?'],
    ['Answer: 2', 'Answer is 2'],
    ['Question: 3+3=?', 'Q: 3+3=?'],
  ]);
});

test('texts of very many lines are put side by side', () => {
  const lines = 'line\n'.repeat(300_000);
  expect(diffLines(lines, `${lines}end`)).toHaveLength(300_001);
});
