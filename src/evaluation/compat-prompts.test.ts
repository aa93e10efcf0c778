import { describe, expect, it } from 'vitest';
import { chatApiFormat, plainFormat } from '../prompt/format.ts';
import { metaTemplateOf } from './compat-prompts.ts';
import type { PromptSetup } from './prompt-setup.ts';

describe('the meta template where none is given', () => {
  const chatTemplate = { type: 'chat-template' };
  const aisbench = {
    round: [
      { role: 'HUMAN', api_role: 'HUMAN' },
      { role: 'BOT', api_role: 'BOT', generate: true },
    ],
    reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }],
  };
  const opencompass = {
    round: [
      { role: 'HUMAN', api_role: 'HUMAN' },
      { role: 'SYSTEM', api_role: 'HUMAN' },
      { role: 'BOT', api_role: 'BOT', generate: true },
    ],
  };

  it.each([
    ['aisbench', 'text', plainFormat, undefined],
    ['aisbench', 'messages', chatApiFormat, aisbench],
    ['aisbench', 'text', chatTemplate, aisbench],
    ['opencompass', 'text', plainFormat, undefined],
    ['opencompass', 'messages', plainFormat, undefined],
    ['opencompass', 'text', chatTemplate, opencompass],
  ] as const)('%s, a model that takes %s', (compat, takes, format, expected) => {
    const setup = { compat, model: { takes, format } } as unknown as PromptSetup;
    expect(metaTemplateOf(setup)).toEqual(expected);
    const own = { round: [] };
    const given = { ...setup, model: { ...setup.model, metaTemplate: own } };
    expect(metaTemplateOf(given)).toBe(own);
  });
});
