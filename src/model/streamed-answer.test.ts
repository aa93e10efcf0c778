import { expect, test } from 'vitest';
import { StreamedAnswer } from './streamed-answer.ts';

const endpoint = { url: 'http://h/v1/chat/completions', secrets: ['s3cret'] };

function read(text: string, chunkBytes = 1) {
  const answer = new StreamedAnswer(endpoint);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    answer.push(bytes.subarray(start, start + chunkBytes));
  }
  return answer;
}

const event = (value: unknown, end = '\n\n') => `data: ${JSON.stringify(value)}${end}`;
const delta = (part: object, finish: string | null = null) =>
  event({ id: 'c1', model: 'm', choices: [{ delta: part, finish_reason: finish }] });
const done = 'data: [DONE]\n\n';

test.each([1, 2, 3, 7, 10_000])('pieces in chunks of %i bytes', (chunkBytes) => {
  const stream = [
    ': ping\n\n',
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: '考え' }),
    delta({ reasoning_content: '中' }),
    delta({ content: '答え🙂' }),
    delta({ content: ' 7' }, 'stop'),
    event({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 3 } }),
    done,
  ].join('');
  const answer = read(stream, chunkBytes);
  expect(answer.isDone).toBe(true);
  expect(answer.firstTokenAt).toBeGreaterThan(0);
  expect(answer.end()).toEqual({
    text: '答え🙂 7',
    reasoning: '考え中',
    finishReason: 'stop',
    usage: { inputTokens: 4, outputTokens: 3 },
    raw: { id: 'c1', model: 'm' },
  });
});

test.each<[string, string, object]>([
  ['text completions', event({ choices: [{ text: 'a' }] }) + done, { text: 'a' }],
  [
    'choices of other numbers',
    event({ choices: [{ index: 1, delta: { content: 'b' }, finish_reason: 'length' }] }) +
      event({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] }) +
      event({
        choices: [
          { index: 1, delta: { content: 'b' } },
          { index: 0, delta: {} },
        ],
      }) +
      done,
    { text: 'a', finishReason: 'stop' },
  ],
  ['an end without [DONE]', delta({ content: 'a' }, 'length'), { finishReason: 'length' }],
  ['an end without an empty line', delta({ content: 'a' }) + done.trimEnd(), { text: 'a' }],
  ['line ends of Windows', delta({ content: 'a' }, 'stop').replaceAll('\n', '\r\n'), { text: 'a' }],
  ['text after the end', delta({ content: 'a' }) + done + delta({ content: 'b' }), { text: 'a' }],
  [
    'usage in every piece',
    event({ choices: [{ text: 'a' }], usage: { prompt_tokens: 1, completion_tokens: 1 } }) +
      event({ choices: [{ text: 'b' }], usage: { prompt_tokens: 1, completion_tokens: 2 } }) +
      done,
    { text: 'ab', usage: { inputTokens: 1, outputTokens: 2 } },
  ],
  [
    'tool calls',
    delta({ tool_calls: [{ index: 0 }] }, 'tool_calls') + done,
    { finishReason: 'tool_calls', raw: { tool_calls: [{}] } },
  ],
])('%s', (_name, stream, expected) => {
  expect(read(stream).end()).toMatchObject(expected);
});

test.each<[string, string, object]>([
  ['nothing', '', { code: 'model.unfinished_answer', retryable: true }],
  ['no end', delta({ content: 'a' }), { code: 'model.unfinished_answer', retryable: true }],
  ['an end and nothing else', done, { code: 'model.unfinished_answer', retryable: true }],
  ['empty pieces', event({ choices: [{}] }) + done, { code: 'model.unfinished_answer' }],
  ['a number', delta({ content: 42 }), { code: 'model.unreadable_answer', retryable: true }],
  ['no JSON', 'data: {"cho\n\n', { code: 'model.unreadable_answer', retryable: true }],
  [
    'an error',
    delta({ content: 'a' }) + event({ error: { message: 'out of memory, s3cret' } }),
    { code: 'model.reported_error', retryable: true, message: /error: out of memory, \*\*\*$/ },
  ],
  [
    'an error with a status',
    event({ error: { message: 'bad prompt', code: 400 } }),
    { status: 400, retryable: false },
  ],
  [
    'an error inside a choice',
    event({ choices: [{ error: { message: 'gone', code: 502 }, finish_reason: 'error' }] }),
    { status: 502, retryable: true, message: /gone/ },
  ],
  ['an event of that name', 'event: error\ndata: melted\n\n', { message: /melted/ }],
])('%s is an error', (_name, stream, { message, ...expected }: { message?: RegExp }) => {
  const failing = () => read(stream).end();
  expect(failing).toThrow(expect.objectContaining({ url: endpoint.url, ...expected }));
  expect(failing).toThrow(message ?? endpoint.url);
});

test('bytes that are not UTF-8 are an error, a replacement character is not', () => {
  const replaced = read(delta({ content: 'a\uFFFD' }) + done).end();
  expect(replaced.text).toBe('a\uFFFD');
  const [before, after] = (delta({ content: 'a|' }) + done)
    .split('|')
    .map((text) => Buffer.from(text));
  const answer = new StreamedAnswer(endpoint);
  const garbled = Buffer.concat([before ?? Buffer.of(), Buffer.of(0xc3), after ?? Buffer.of()]);
  expect(() => answer.push(garbled)).toThrow(
    expect.objectContaining({ code: 'model.garbled_answer', retryable: true }),
  );
});
