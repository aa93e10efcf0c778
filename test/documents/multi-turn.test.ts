import { expect, it } from 'vitest';
import { runMultiTurn } from '../../src/compat/prompt/aisbench-turns.ts';
import { createTemplate, renderItem } from '../../src/compat/prompt/any-template.ts';
import { toWireMessages } from '../../src/compat/prompt/messages.ts';
import { createParser, parsePrompt } from '../../src/compat/prompt/parser.ts';
import { toPython } from '../../src/python/convert.ts';
import { pyStr } from '../../src/python/repr.ts';
import { PyDict, type PyValue } from '../../src/python/values.ts';

/** The multi-turn example of document 000, by the compat functions for AISBench. */
const template = {
  type: 'MultiTurnPromptTemplate',
  template: {
    round: [
      { role: 'HUMAN', prompt: '{question}' },
      { role: 'BOT', prompt: '{answer}' },
    ],
  },
};
const meta = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
};
const row = { question: ['1+1=?', '2+2=?', '3+3=?'], answer: ['2', '4', '6'] };

function said(input: PyValue): string[] {
  return toWireMessages(input).map(
    (message) => `${pyStr(message.get('role') ?? '')}: ${pyStr(message.get('content') ?? '')}`,
  );
}

async function histories(inferMode: string): Promise<string[][]> {
  const parser = createParser(toPython(meta), {
    compat: 'aisbench',
    parser: 'api',
    path: ['meta_template'],
  });
  const entry = toPython(row);
  if (!(entry instanceof PyDict)) throw new Error('a row is a dict');
  const made = createTemplate(template, { compat: 'aisbench', path: ['prompt_template'] });
  const prompt = renderItem(made, { entry, row: 0, ice: '' });
  const sent: string[][] = [];
  await runMultiTurn({
    prompt,
    inferMode,
    parser,
    maxOutLen: 16,
    repairLast: true,
    model: ({ input }) => `answer${sent.push(said(input))}`,
  });
  expect(said(parsePrompt(parser, { prompt, mode: 'ppl' }))).toHaveLength(6);
  return sent;
}

it.each([
  [
    'every',
    [
      ['user: 1+1=?'],
      ['user: 1+1=?', 'assistant: answer1', 'user: 2+2=?'],
      ['user: 1+1=?', 'assistant: answer1', 'user: 2+2=?', 'assistant: answer2', 'user: 3+3=?'],
    ],
  ],
  [
    'every_with_gt',
    [
      ['user: 1+1=?'],
      ['user: 1+1=?', 'assistant: 2', 'user: 2+2=?'],
      ['user: 1+1=?', 'assistant: 2', 'user: 2+2=?', 'assistant: 4', 'user: 3+3=?'],
    ],
  ],
  ['last', [['user: 1+1=?', 'assistant: 2', 'user: 2+2=?', 'assistant: 4', 'user: 3+3=?']]],
])('%s sends what document 000 shows', async (inferMode, expected) => {
  expect(await histories(inferMode)).toEqual(expected);
});
