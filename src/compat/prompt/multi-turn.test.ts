import { expect, test } from 'vitest';
import { toPython } from '../../python/convert.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import type { PyDict, PyValue } from '../../python/values.ts';
import { runMultiTurn } from './aisbench-turns.ts';
import { createTemplate, renderItem } from './any-template.ts';
import { toWireMessages } from './messages.ts';
import { isMultimodalPrompt } from './multimodal-template.ts';
import { createParser, parsePrompt } from './parser.ts';

const meta = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
};
const parser = createParser(meta, { compat: 'aisbench', parser: 'api', path: [] });

function render(type: string, template: unknown, row: object): PyValue {
  const made = createTemplate({ type, template }, { compat: 'aisbench', path: [] });
  return renderItem(made, { entry: toPython(row) as PyDict, row: 0 });
}

const dialogue = render(
  'MultiTurnPromptTemplate',
  {
    round: [
      { role: 'HUMAN', prompt: '{question}' },
      { role: 'BOT', prompt: '{answer}' },
    ],
  },
  { question: ['q1', 'q2', 'q3'], answer: ['a1', 'a2'] },
);

async function requestsOf(inferMode: string, options: object = {}): Promise<string[]> {
  const requests: string[] = [];
  await runMultiTurn({
    prompt: dialogue,
    inferMode,
    parser,
    maxOutLen: 16,
    model: ({ input, maxOutLen }) => {
      const texts = toWireMessages(input).map((each) => pyStr(each.get('content') ?? ''));
      return `g${requests.push(`${texts.join('|')} ${pyStr(maxOutLen)}`)}`;
    },
    ...options,
  });
  return requests;
}

test('each mode sends its own history', async () => {
  expect(await requestsOf('every')).toEqual(['q1 16', 'q1|g1|q2 16']);
  expect(await requestsOf('every_with_gt')).toEqual(['q1 16', 'q1|a1|q2 16']);
  expect(await requestsOf('last', { repairLast: true })).toEqual(['q1|a1|q2 16']);
  await expect(requestsOf('last')).rejects.toMatchObject({ pythonType: 'RecursionError' });
  await expect(requestsOf('all')).rejects.toMatchObject({ pythonCode: 'ICLI-PARAM-002' });
});

test('the first of a row of limits holds for all turns', async () => {
  expect(await requestsOf('every', { rowMaxOutLen: [1, 2] })).toEqual(['q1 1', 'q1|g1|q2 1']);
  expect(await requestsOf('last', { rowMaxOutLen: [1, 2], repairLast: true })).toEqual([
    'q1|a1|q2 2',
  ]);
});

test('content parts come in the order of the data, and only tagged ones', () => {
  const prompt_mm = {
    text: { type: 'text', text: 'Q: {question}' },
    image: { type: 'image_url', image_url: { url: 'file://{image}' } },
    audio: { type: 'audio_url', audio_url: '{audio}' },
  };
  const content =
    'loose<AIS_CONTENT_TAG><AIS_IMAGE_START>/1.png<AIS_CONTENT_TAG><AIS_TEXT_START>$& {image}' +
    '<AIS_CONTENT_TAG><AIS_AUDIO_START>b.wav';
  const prompt = render('MMPromptTemplate', { round: [{ role: 'HUMAN', prompt_mm }] }, { content });
  const messages = toWireMessages(parsePrompt(parser, { prompt, mode: 'gen' }));
  expect(pyRepr(messages)).toBe(
    `[{'content': [{'type': 'image_url', 'image_url': {'url': 'file:///1.png'}}, ` +
      `{'type': 'text', 'text': 'Q: $& {image}'}, {'type': 'audio_url', 'audio_url': 'b.wav'}], 'role': 'user'}]`,
  );
  expect(isMultimodalPrompt(messages)).toBe(true);
});
