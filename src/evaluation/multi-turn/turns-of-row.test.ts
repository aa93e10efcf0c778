import { expect, test } from 'vitest';
import { answersIn, questionsIn, rowOfTurn } from './turns-of-row.ts';

test('each turn sees its own element of lists that are as long as the dialogue', () => {
  const row = { a: [1, 2], b: [1, 2, 3], c: [1], d: 'x' };
  expect(rowOfTurn(row, 1, 2)).toEqual({ a: 2, b: [1, 2, 3], c: [1], d: 'x' });
});

test('a turn asks all that the user says since the answer before', () => {
  const messages = ['s', 'one', 'two', '1', '2', 'three'].map((content, index) => ({
    role: ['system', 'user', 'user', 'assistant', 'assistant', 'user'][index] ?? '',
    content,
  }));
  expect(questionsIn(messages, 3)).toEqual(['one\n\ntwo', undefined, 'three']);
  expect(questionsIn(messages, 2)).toEqual([]);
  expect(answersIn(messages, 2)).toEqual(['1', '2']);
  expect(answersIn(messages, 1)).toEqual([]);
});
