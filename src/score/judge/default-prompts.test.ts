import { expect, test } from 'vitest';
import { pairPrompt, singlePrompt } from './default-prompts.ts';

const values = (scores: Readonly<Record<string, number>>) =>
  ({ type: 'values', field: 'verdict', scores: new Map(Object.entries(scores)) }) as const;

test('a judge is told what each verdict means', () => {
  const verdict = values({ yes: 1, half: 0.5, no: 0 });
  const asked = JSON.stringify(singlePrompt({ verdict, hasReference: true, hasExamples: false }));
  const meanings = ['yes', 'it does', 'half', 'it does in part (worth 0.5)', 'no', 'it does not'];
  const [one, two, three, four, five, six] = meanings;
  expect(asked.replaceAll('\\', '')).toContain(
    `The verdict is "${one}" if ${two}, "${three}" if ${four}, "${five}" if ${six}.`,
  );
  expect(asked).toContain('reference');
});

test('a judge of two answers is told which verdict is for which', () => {
  const asked = JSON.stringify(pairPrompt(values({ B: 0, A: 1, tie: 0.5 }))).replaceAll('\\', '');
  expect(asked).toContain('"A" for answer-1, "B" for answer-2,');
  expect(asked).toContain('"tie" if neither is better');
});
