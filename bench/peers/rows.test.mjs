import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createHarness, describeEval } from 'vitest-evals';
import { answer } from './answer.mjs';

const { ROWS_FILE, SERVER_URL } = process.env;
const rows = readFileSync(ROWS_FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Without a server the function itself is evaluated. */
async function ask(input) {
  if (!SERVER_URL) return answer(input);
  const response = await fetch(`${SERVER_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'bench',
      messages: [{ role: 'user', content: input }],
      max_tokens: 16,
    }),
  });
  const { choices } = await response.json();
  return choices[0].message.content;
}

const harness = createHarness({
  name: 'loopback',
  run: async ({ input }) => {
    const output = await ask(input);
    const messages = [
      { role: 'user', content: input },
      { role: 'assistant', content: output },
    ];
    return { output, messages };
  },
});

describeEval('rows', { harness }, (it) => {
  it.for(rows)('$question', async ({ question, answer }, { run }) => {
    const { output } = await run(question);
    expect(output).toBe(answer);
  });
});
