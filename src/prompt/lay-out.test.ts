import { expect, test } from 'vitest';
import { chatApiFormat, formatOf, type ModelFormat, plainFormat } from './format.ts';
import { sendsAnswerPrefix } from './lay-out.ts';

const meta = { round: [{ role: 'HUMAN' }, { role: 'BOT', generate: true }] };
const text = formatOf({ takes: 'text', metaTemplate: meta, path: ['meta_template'] });

test.each<[string, ModelFormat, boolean]>([
  ['a text', plainFormat, true],
  ['a meta template', text, true],
  ['messages', chatApiFormat, false],
  ['messages that a server goes on with', { ...chatApiFormat, prefill: true } as ModelFormat, true],
])('the beginning of an answer is sent as part of %s: %j', (_, format, expected) => {
  expect(sendsAnswerPrefix(format)).toBe(expected);
});
