import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileScorer } from './compile-scorer.ts';
import { furtherChoices, furtherFormulas, furtherNumbers } from './further-answers.fixture.ts';
import {
  choiceAnswers,
  labelAnswers,
  mathAnswers,
  numberAnswers,
  otherMathAnswers,
  type RealAnswer,
} from './real-answers.fixture.ts';
import { splitAnswer } from './split-thought.ts';

const tables: readonly (readonly [type: string, answers: readonly RealAnswer[]])[] = [
  ['choice', choiceAnswers],
  ['number', numberAnswers],
  ['math', mathAnswers],
  ['choice', furtherChoices],
  ['number', furtherNumbers],
  ['math', furtherFormulas],
];

test.each(
  tables.flatMap(([type, answers]) =>
    answers.map(([answer, says]) => [type, answer, says] as const),
  ),
)('%s of %j: %s', (type, answer, says) => {
  const scorer = compileScorer({ evaluator: { type } });
  const gold = says ?? (type === 'choice' ? 'D' : '41');
  const score = scorer.score({ answer: splitAnswer(answer), gold, row: {} });
  const read = score.type === 'scored' ? `${score.value} ${score.extracted}` : score.type;
  if (says === undefined) expect(read).toBe('unscored');
  else expect(read.split(' ')[0]).toBe('1');
});

test.each(otherMathAnswers)('math of %j is not %s', (answer, gold) => {
  const scorer = compileScorer({ evaluator: { type: 'math' } });
  const score = scorer.score({ answer: splitAnswer(answer), gold, row: {} });
  expect(score.type === 'scored' ? score.value : 0).toBe(0);
});

test.each(labelAnswers)('labels %s: %j says %s', (labels, answer, says) => {
  const scorer = compileScorer({ evaluator: { type: 'choice', options: labels } });
  const score = scorer.score({ answer: splitAnswer(answer), gold: says ?? labels[0], row: {} });
  expect(score.type === 'scored' ? score.compared.got : undefined).toBe(says);
});

const letters = fc.constantFrom(...'ABCD');
const joins = fc.constantFrom(
  ...[' or ', ' and ', ' oder ', ' ou ', ' o ', ' y ', ' или ', ' hoặc ', ' atau ', ' veya ', ', '],
  ...[
    ' vs ',
    ' vs. ',
    ' to ',
    ' + ',
    '+',
    ' & ',
    '/',
    '、',
    'と',
    'か',
    '或',
    '和',
    ' 또는 ',
    ' > ',
    ' = ',
  ],
);
const statements = fc.constantFrom(
  ...['The answer is ', 'Answer: ', 'Die Antwort ist ', 'La réponse est ', 'La respuesta es '],
  ...['答えは', '答案是', '정답은 ', 'Ответ: ', '\\boxed{', ''],
);

test('two letters are never read as one, however they are joined and announced', () => {
  const scorer = compileScorer({ evaluator: { type: 'choice' } });
  fc.assert(
    fc.property(statements, letters, joins, letters, (said, one, join, other) => {
      fc.pre(one !== other);
      const answer = `${said}${one}${join}${other}${said.includes('{') ? '}' : ''}`;
      const score = scorer.score({ answer: splitAnswer(answer), gold: other, row: {} });
      expect([answer, score.type]).toEqual([answer, 'unscored']);
    }),
    { numRuns: 2000 },
  );
});

test('what was read stays what it is with options before it and a next question after it', () => {
  const settled = choiceAnswers.filter(
    ([answer, says]) =>
      says !== undefined && !/question|\b(?:Q|Example|Problem)\b|<|###|問題|^d\)/i.test(answer),
  );
  const before = fc.constantFrom('', '(A) red (B) green (C) blue (D) yellow\n\n');
  const after = fc.constantFrom(
    '',
    '<|im_end|>\n<|im_start|>user\nB?',
    '\n\nHuman: And now?\nAssistant: A',
  );
  const scorer = compileScorer({ evaluator: { type: 'choice' } });
  fc.assert(
    fc.property(fc.constantFrom(...settled), before, after, ([answer, gold], first, last) => {
      const text = first + answer + last;
      const score = scorer.score({ answer: splitAnswer(text), gold, row: {} });
      expect([text, score.type === 'scored' && score.compared.got]).toEqual([text, gold]);
    }),
    { numRuns: 1500 },
  );
});

test.each([
  ['number', '3,75', '2,75', 0],
  ['number', '2,75', '75', 0],
  ['number', 'Die Antwort ist 2,75.', '2', 0],
  ['EMEvaluator', '東京。日本の首都です。', '東京', 1],
  ['EMEvaluator', '巴黎，法国首都', '巴黎', 1],
  ['EMEvaluator', 'Berlin! Hauptstadt', 'Berlin', 1],
  ['choice', 'The answer is A', 'A.', 1],
])('%s of %j against %s is %d', (type, answer, gold, value) => {
  const scorer = compileScorer({ evaluator: { type } });
  expect(scorer.score({ answer: splitAnswer(answer), gold, row: {} })).toMatchObject({ value });
});

test('a gold answer that cannot be used is named also where no answer is found', () => {
  const scorer = compileScorer({ evaluator: { type: 'number' } });
  const score = scorer.score({ answer: splitAnswer('many'), gold: 'many', row: {} });
  expect(score).toMatchObject({ type: 'unscored', reason: 'unusable gold answer' });
});
