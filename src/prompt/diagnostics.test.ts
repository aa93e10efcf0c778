import { expect, test } from 'vitest';
import { chatApiFormat, formatOf, type ModelFormat, plainFormat } from './format.ts';
import { compilePrompt, type PromptSettings } from './program.ts';

const codesOf = (settings: PromptSettings, format: ModelFormat = plainFormat) =>
  compilePrompt({ ...settings, format }).diagnostics.map(({ code }) => code);

test('doubled braces are told of the prompt, and of examples with a template of their own', () => {
  const doubled = { template: 'x {{q}}' };
  const plain = { template: '</E>{q}', ice_token: '</E>' };
  expect(codesOf({ promptTemplate: doubled })).toContain('template.doubled_braces');
  expect(codesOf({ promptTemplate: plain })).not.toContain('template.doubled_braces');
  const codes = codesOf({ promptTemplate: plain, iceTemplate: doubled, hasShots: true });
  expect(codes.filter((code) => code === 'template.doubled_braces')).toHaveLength(1);
  // One template for both is told of once.
  const both = { template: '</E>{{q}}', ice_token: '</E>' };
  const once = codesOf({ promptTemplate: both, iceTemplate: both, hasShots: true });
  expect(once.filter((code) => code === 'template.doubled_braces').length).toBeLessThan(3);
});

const answered = {
  round: [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: '' },
  ],
};

test.each<[string, object, ModelFormat, boolean]>([
  ['messages', { ...answered, end: [{ role: 'HUMAN', prompt: 'late' }] }, chatApiFormat, true],
  ['messages without an end', answered, chatApiFormat, false],
  [
    'a meta template',
    { ...answered, end: 'late' },
    formatOf({
      takes: 'text',
      metaTemplate: { round: [{ role: 'HUMAN' }, { role: 'BOT', generate: true }] },
      path: ['meta_template'],
    }),
    true,
  ],
  ['a text', { ...answered, end: 'late' }, plainFormat, false],
])('what is said after the place of the answer is told: %s', (_, template, format, isTold) => {
  const codes = codesOf({ promptTemplate: { template } }, format);
  expect(codes.includes('template.end_not_sent')).toBe(isTold);
});
