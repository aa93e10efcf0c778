import { expect, test } from 'vitest';
import { compileScorer } from './compile-scorer.ts';
import { splitAnswer } from './split-thought.ts';

/** What takes long to read if anything in it is tried in too many ways. */
const hostile: Readonly<Record<string, string>> = {
  digits: '7'.repeat(200_000),
  'digits with separators': '1,'.repeat(100_000),
  points: '1.'.repeat(100_000),
  spaces: ' '.repeat(200_000),
  lines: '\n'.repeat(200_000),
  'words that say what the answer is': 'the answer is '.repeat(20_000),
  'open brackets': '('.repeat(100_000),
  'open boxes': '\\boxed{'.repeat(20_000),
  fractions: '\\frac{'.repeat(20_000),
  powers: '9^'.repeat(20_000).concat('9'),
  'a tower': '10^{10^{10^{10}}}',
  factorials: `${'9'.repeat(300)}!!!!`,
  roots: '\\sqrt'.repeat(20_000).concat('2'),
  letters: 'A '.repeat(100_000),
  'letters in brackets': '(A) (B) '.repeat(25_000),
  stars: '*'.repeat(200_000),
  thoughts: '<think>'.repeat(30_000),
  'marks above letters': `e${'\u0301'.repeat(100_000)}`,
  'broken characters': '\ud800'.repeat(100_000),
};
const golds: readonly [type: string, gold: string, options?: object][] = [
  ['number', '42'],
  ['math', '\\frac{1}{2}'],
  ['exact', 'Paris'],
  ['choice', 'B', { options: ['A', 'B', 'C', 'D'] }],
];

test.each(Object.keys(hostile))('an answer of %s is scored in bounded time', (name) => {
  const text = hostile[name] ?? '';
  for (const [type, gold, options] of golds) {
    for (const raw of [text, `${text} so ${gold}`]) {
      const before = process.cpuUsage();
      const scorer = compileScorer({ evaluator: { type, ...options } });
      const score = scorer.score({ answer: splitAnswer(raw), gold, row: {} });
      const { user, system } = process.cpuUsage(before);
      expect(['scored', 'unscored']).toContain(score.type);
      expect([type, (user + system) / 1e6 < 2]).toEqual([type, true]);
    }
  }
});
