import { expect, it } from 'vitest';
import { chatApiFormat } from '../../src/prompt/format.ts';
import { compilePrompt } from '../../src/prompt/program.ts';
import { plainPromptList, tracePromptList } from '../../src/prompt/prompt-list.ts';

/** The multimodal examples of document 000, in the mode that is not compat. */
const tag = (type: string, value: string) => `<AIS_${type}_START>${value}<AIS_CONTENT_TAG>`;

function listOf(address: (type: string) => string, data: Readonly<Record<string, string>>) {
  const media = Object.fromEntries(
    ['image', 'video', 'audio'].map((type) => [
      type,
      { type: `${type}_url`, [`${type}_url`]: { url: address(type) } },
    ]),
  );
  const text = { type: 'text', text: '{anything}\nQuestion: {question}' };
  const program = compilePrompt({
    promptTemplate: {
      type: 'MMPromptTemplate',
      template: { round: [{ role: 'HUMAN', prompt_mm: { text, ...media } }] },
    },
    format: chatApiFormat,
    outputColumn: 'answer',
  });
  const question =
    tag('TEXT', 'What is this?') +
    ['image', 'audio', 'video'].map((type) => tag(type.toUpperCase(), data[type] ?? '')).join('');
  const row = { anything: 'blabla', question, answer: 'a cat' };
  return plainPromptList(tracePromptList(program, { id: 0, row }));
}

const expected = (url: (type: string) => string) => [
  {
    role: 'HUMAN',
    prompt: [
      { type: 'text', text: 'blabla\nQuestion: What is this?' },
      ...['image', 'audio', 'video'].map((type) => ({
        type: `${type}_url`,
        [`${type}_url`]: { url: url(type) },
      })),
    ],
  },
];

it('data that are addresses stay as they are', () => {
  const url = (type: string) => `https://example.com/${type}`;
  const data = { image: url('image'), audio: url('audio'), video: url('video') };
  expect(listOf((type) => `file://{${type}}`, data)).toEqual(expected(url));
});

it('data in base64 follow the prefix of the template', () => {
  const prefix = (type: string) => `data:${type}/x;base64,`;
  const data = { image: 'AAAA', audio: 'BBBB', video: 'CCCC' } as const;
  expect(listOf((type) => `${prefix(type)}{${type}}`, data)).toEqual(
    expected((type) => prefix(type) + data[type as keyof typeof data]),
  );
});
