import { expect, test } from 'vitest';
import { chatApiFormat, formatOf, type ModelFormat, plainFormat } from './format.ts';
import { sendsAnswerPrefix } from './lay-out.ts';
import { compilePrompt } from './program.ts';
import { fillPrompt } from './render.ts';

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

const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });

test.each<['gen' | 'ppl', readonly object[], string | undefined]>([
  ['gen', [human('{q}'), bot('So {a}')], 'So '],
  ['ppl', [human('{q}'), bot('So {a}')], undefined],
  ['gen', [bot('Hi'), human('{q} is {a}')], undefined],
])(
  'without roles, answers in %s begin with what the last answer of %j does',
  (mode, round, prefix) => {
    const settings = {
      promptTemplate: { template: { round } },
      outputColumn: 'a',
      format: plainFormat,
    };
    const prompt = fillPrompt(compilePrompt(settings, mode), { q: 'Q', a: 'A' });
    expect(prompt).toMatchObject({ type: 'text' });
    expect(prompt.type === 'text' && prompt.answerPrefix).toBe(prefix);
  },
);
