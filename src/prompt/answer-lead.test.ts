import { expect, test } from 'vitest';
import { answerLead } from './answer-lead.ts';
import { compilePrompt } from './program.ts';
import { createShotPool } from './render.ts';

function leadOf(prompt: string, example: string): string {
  const program = compilePrompt({
    promptTemplate: { template: `</E>${prompt}`, ice_token: '</E>' },
    iceTemplate: { template: example },
    outputColumn: 'a',
    hasShots: true,
  });
  const shots = createShotPool(program, [{ id: 0, row: { q: 'one', a: '1' } }])?.take([0]);
  return answerLead(program, { id: 1, row: { q: 'two', a: '2' } }, shots);
}

test.each([
  ['{q}\nA: {a}', '{q}\nA: {a}', ' '],
  ['{q}\n', '{q}\nA: {a}', 'A: '],
  ['{q} =', 'Answer {a}', ''],
  ['{q} =', '{q} = {a}', ' '],
])('%j after examples like %j leaves %j to the model', (prompt, example, lead) => {
  expect(leadOf(prompt, example)).toBe(lead);
});
