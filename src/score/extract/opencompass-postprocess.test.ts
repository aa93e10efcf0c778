import { expect, test } from 'vitest';
import { firstOption } from '../../compat/scoring/first-option.ts';
import fixture from './opencompass-postprocess.fixture.json' with { type: 'json' };
import { firstNumber, lastOption, opencompassPostprocessors } from './opencompass-postprocess.ts';

const apply = (name: string, text: string) => opencompassPostprocessors.get(name)?.(text);

test.each(fixture.cases)('agrees with Python on $text', ({ text, options, ...expected }) => {
  const results = {
    ...Object.fromEntries([...opencompassPostprocessors].map(([name, run]) => [name, run(text)])),
    last_option: lastOption(text, options),
    first_number: firstNumber(text),
    first_option: firstOption({ options })(text),
    first_option_nocushion: firstOption({ options, cushion: false })(text),
  };
  const found = Object.entries(results).filter(([, result]) => result !== '' && result !== null);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('the recorded cases reach all post-processors', () => {
  const names = new Set(fixture.cases.flatMap((recorded) => Object.keys(recorded)));
  expect([...names]).toEqual(expect.arrayContaining([...opencompassPostprocessors.keys()]));
});

test.each([
  ['general', 'The Answer, is 5', 'Answer'],
  ['general', '  An apple\u3000a\x1cday!', 'apple day'],
  ['general', 'the的 a_b thé AN', 'the的 a_b thé'],
  ['general', '', ''],
  ['first-capital', 'ⅷ ǅ Ⅷ b', 'Ⅷ'],
  ['last-capital', 'a𝐀b', '𝐀'],
  ['last-capital', 'none', ''],
  ['first-capital-multi', 'EXACT BAD', 'AC'],
  ['multiple-select', 'zB𐐀ＡBA', 'ABＡ𐐀'],
  ['extract-non-reasoning-content', '<think>A\nB</think> C <think></think>D<think>', 'C D<think>'],
])('%s of %j is %j', (name, text, expected) => {
  expect(apply(name, text)).toBe(expected);
});

test.each([
  ['x -3.50.1', -3.5],
  ['.5', 5],
  ['--7.', -7],
  ['٣.١४', 3.14],
  ['𝟘𝟟𝟷', 71],
  ['½ ²', null],
])('first number of %j is %d', (text, expected) => {
  expect(firstNumber(text)).toBe(expected);
});

test('last option counts characters, not code units', () => {
  expect(lastOption('𝐀B𝐁c', '𝐀𝐁')).toBe('𝐁');
  expect(lastOption('abc', 'ABC')).toBe('');
});
