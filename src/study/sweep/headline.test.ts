import { expect, test } from 'vitest';
import { describeChoice, nameSettings } from './headline.ts';
import type { CellSettings } from './sweep-summary.ts';

const kind = { metric: 'accuracy' };

/** Configurations with their scores, of which some lead, best first. */
function told(scores: Readonly<Record<string, number>>, leading: readonly string[], of = kind) {
  const configurations = Object.entries(scores).map(([name, score]) => ({
    settings: settingsOf(name),
    score,
  }));
  const leaders = leading.flatMap((name) => {
    const place = Object.keys(scores).indexOf(name);
    return configurations[place]?.settings ?? [];
  });
  const { title, text } = describeChoice({ configurations, leaders, kind: of, canTell: true });
  return `${title} | ${text}`;
}

function settingsOf(name: string): CellSettings {
  const [template = '', shots] = name.split('/');
  return { ...(template !== '' && { template }), ...(shots !== undefined && { shots }) };
}

test.each([
  [{ template: 'arrow' }, 'arrow'],
  [{ shots: '4' }, '4 shots'],
  [{ template: 'arrow', shots: '1' }, 'arrow with 1 shot'],
  [{ template: 'a', shots: '4', shots_as: 'turns' }, 'a with 4 shots, shots as turns'],
  [{ format: 'chatml' }, 'format chatml'],
])('%j is called %s', (settings, name) => {
  expect(nameSettings(settings)).toBe(name);
});

const crossed = { 'a/0': 0.4, 'a/4': 1, 'b/0': 0.2, 'b/4': 1, 'c/0': 0.1, 'c/4': 0.983 };

test('the example that the table shows: shots matter, templates hardly do', () => {
  expect(told(crossed, ['a/4', 'b/4', 'c/4'])).toBe(
    'Use 4 shots | With 4 shots the template hardly matters: 98.3 to 100.0, with no clear difference.',
  );
});

test('what is far apart may matter, though it cannot be told', () => {
  expect(told({ ...crossed, 'c/4': 0.8 }, ['a/4', 'b/4', 'c/4'])).toBe(
    'Use 4 shots | With 4 shots the template makes no clear difference on these rows: 80.0 to 100.0.',
  );
});

test('some of the templates are left', () => {
  expect(told(crossed, ['a/4', 'b/4'])).toBe(
    'Use 4 shots | With 4 shots, there is no clear difference between a and b: all 100.0. 4 others are worse.',
  );
});

test('one is better than all others', () => {
  expect(told(crossed, ['a/4'])).toBe(
    'Use a with 4 shots | 100.0 on these rows, clearly better than each of 5 others.',
  );
  expect(told({ a: 0.9, b: 0.1 }, ['a'])).toBe(
    'Use a | 90.0 on these rows, clearly better than the other one.',
  );
});

test('no winner is named where none can be told apart', () => {
  expect(told({ a: 0.7, b: 0.6, c: 0.7 }, ['a', 'b', 'c'])).toBe(
    'No clear winner | a and c lead with 70.0, but none of the 3 configurations is clearly different on these rows.',
  );
  expect(told({ a: 0.7, b: 0.6, c: 0.1 }, ['a', 'b'])).toBe(
    'No clear winner | a leads with 70.0, but is not clearly better than b. The other one is worse.',
  );
  expect(told({ a: 0.7, b: 0.6, c: 0.7, d: 0.1 }, ['a', 'b', 'c'])).toBe(
    'No clear winner | a and c lead with 70.0, but are not clearly better than b. The other one is worse.',
  );
  expect(told({ a: 1, b: 0.99, c: 0.2 }, ['a', 'b'])).toBe(
    'No clear winner | a leads with 100.0, but is not clearly better than b. The other one is worse. Which of these you use hardly matters: 99.0 to 100.0.',
  );
  expect(told(crossed, ['a/4', 'b/0'])).toContain('No clear winner | a with 4 shots leads');
});

test('where less is better the lowest lead', () => {
  const errors = { metric: 'cer', direction: 'lower', plain: true } as const;
  expect(told({ a: 0.1, b: 0.2 }, ['a', 'b'], errors)).toContain('a leads with 0.100');
});
