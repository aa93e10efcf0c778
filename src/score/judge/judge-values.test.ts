import { expect, test } from 'vitest';
import { judgeValues } from './judge-values.ts';

const settings = {
  questionColumn: 'question',
  prediction: 'third',
  reference: 'c',
  cleanGold: (gold: unknown) => gold,
};

test('turns are numbered from 1, each with its question, answer and reference', () => {
  const before = ['first', 'second'].map((answer, index) => ({
    row: {},
    question: `q${index + 1}`,
    answer,
    gold: 'ab'.charAt(index),
  }));
  const dialogue = { question: 'q3', before, isLast: true };
  const { said } = judgeValues({ row: {}, dialogue }, settings);
  expect(said).toMatchObject({
    question_1: 'q1',
    question_2: 'q2',
    question_3: 'q3',
    answer_1: 'first',
    answer_3: 'third',
    prediction_r2: 'second',
    reference_1: 'a',
    reference_3: 'c',
  });
});
