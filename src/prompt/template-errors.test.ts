import { describe, expect, it } from 'vitest';
import { TypecaseError } from '../errors.ts';
import { chatApiFormat, formatOf } from './format.ts';
import { parseMetaTemplate } from './meta-template.ts';
import { compileLabelPrompts, compilePrompt, type PromptSettings } from './program.ts';
import { Float } from './values.ts';

function problem(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (TypecaseError.isInstance(error)) {
      return {
        code: error.code,
        path: error.path?.join('.'),
        text: `${error.message} ${error.hint ?? ''}`,
      };
    }
    throw error;
  }
  return undefined;
}

const human = { role: 'HUMAN', prompt: '{q}' };
const prompt = (template: unknown, more: object = {}): PromptSettings => ({
  promptTemplate: { template, ...more },
});

describe('data-side templates', () => {
  it.each<[string, PromptSettings, string, string, RegExp]>([
    ['no template at all', {}, 'template.missing', '', /prompt_template/],
    [
      'a template of the wrong type',
      prompt(5),
      'template.wrong_type',
      'prompt_template.template',
      /not a number/,
    ],
    [
      'a float as a template',
      prompt(new Float(1)),
      'template.wrong_type',
      'prompt_template.template',
      /not a number/,
    ],
    ...(['ice_token', 'sep_token'] as const).map(
      (name): [string, PromptSettings, string, string, RegExp] => [
        `a number as ${name}`,
        prompt('{q}', { [name]: 5 }),
        'template.wrong_type',
        `prompt_template.${name}`,
        /not a number/,
      ],
    ),
    [
      'a list as template',
      prompt(['{q}']),
      'template.wrong_type',
      'prompt_template.template',
      /not a list/,
    ],
    [
      'a round that is no list',
      prompt({ round: 'hi' }),
      'template.round_not_a_list',
      'prompt_template.template.round',
      /not a string/,
    ],
    [
      'no round',
      prompt({ begin: 'hi' }),
      'template.round_missing',
      'prompt_template.template',
      /round/,
    ],
    [
      'text in the round',
      prompt({ round: ['hi'] }),
      'template.text_in_round',
      'prompt_template.template.round.0',
      /role/,
    ],
    [
      'a turn without role',
      prompt({ round: [{ prompt: 'x' }] }),
      'template.role_missing',
      'prompt_template.template.round.0',
      /HUMAN/,
    ],
    [
      'a misspelt key of a turn',
      prompt({ round: [{ role: 'HUMAN', promt: 'x' }] }),
      'template.unknown_key',
      'prompt_template.template.round.0.promt',
      /Did you mean `prompt`/,
    ],
    [
      'a misspelt section',
      prompt({ rounds: [human] }),
      'template.label_template',
      'prompt_template.template.rounds',
      /Did you mean the section `round`/,
    ],
    [
      'a section beside a misspelt one',
      prompt({ begn: 'x', round: [human] }),
      'template.unknown_key',
      'prompt_template.template.begn',
      /Did you mean `begin`/,
    ],
    [
      'a prompt that is not text',
      prompt({ round: [{ role: 'HUMAN', prompt: 5 }] }),
      'template.wrong_type',
      'prompt_template.template.round.0.prompt',
      /a string/,
    ],
    [
      'an ice_token that is nowhere',
      prompt('{q}', { ice_token: '</E>' }),
      'template.ice_token_missing',
      'prompt_template.template',
      /<\/E>/,
    ],
    [
      'an ice_token missing from a dialogue',
      prompt({ round: [human] }, { ice_token: '</E>' }),
      'template.ice_token_missing',
      'prompt_template.template',
      /<\/E>/,
    ],
    [
      'examples without a mark',
      { ...prompt('{q}'), iceTemplate: { template: '{q}' }, hasShots: true },
      'template.ice_token_missing',
      'prompt_template',
      /ice_token/,
    ],
    [
      'examples without a template',
      { ...prompt('</E>', { ice_token: '</E>' }), hasShots: true },
      'template.ice_template_missing',
      'prompt_template',
      /ZeroRetriever/,
    ],
    [
      'dialogues inside a text',
      {
        ...prompt('</E>', { ice_token: '</E>' }),
        iceTemplate: { template: { round: [human] } },
        hasShots: true,
      },
      'template.turns_inside_text',
      'prompt_template',
      /string too/,
    ],
    [
      'one template per label for generation',
      prompt({ A: 'a', B: 'b' }),
      'template.labels_need_ppl',
      'prompt_template.template',
      /PPLInferencer/,
    ],
    [
      'two columns with one token',
      prompt('x', { column_token_map: { a: '</x>', b: '</x>' } }),
      'template.duplicate_token',
      'prompt_template.column_token_map.b',
      /a different token/,
    ],
    [
      'an unknown wire role',
      { promptTemplate: { messages: [{ role: 'usr', content: 'x' }] } },
      'template.unknown_role',
      'prompt_template.messages.0.role',
      /Did you mean `user`/,
    ],
    [
      'a message without content',
      { promptTemplate: { messages: [{ role: 'user' }] } },
      'template.content_missing',
      'prompt_template.messages.0',
      /content/,
    ],
    [
      'text among messages',
      { promptTemplate: { messages: ['hi'] } },
      'template.text_in_messages',
      'prompt_template.messages.0',
      /content/,
    ],
  ])('%s', (_name, settings, code, path, text) => {
    const found = problem(() => compilePrompt(settings));
    expect(found).toMatchObject({ code });
    if (path) expect(found?.path).toBe(path);
    expect(found?.text).toMatch(text);
  });

  it('a role that the format does not know', () => {
    const settings = {
      ...prompt({ round: [{ role: 'HUMN', prompt: 'x' }] }),
      format: chatApiFormat,
    };
    expect(problem(() => compilePrompt(settings))).toMatchObject({
      code: 'template.unknown_role',
      path: 'prompt_template.template.round.0.role',
      text: expect.stringMatching(/Did you mean `HUMAN`.*fallback_role/),
    });
  });

  it.each([
    ['USER', 'HUMAN'],
    ['assistant', 'BOT'],
  ])('the role %s, as chat endpoints call it, is %s in templates', (role, own) => {
    const settings = { ...prompt({ round: [{ role, prompt: 'x' }] }), format: chatApiFormat };
    expect(problem(() => compilePrompt(settings))?.text).toContain(`Did you mean \`${own}\`?`);
  });

  it('a label without a template', () => {
    expect(
      problem(() => compileLabelPrompts(prompt({ A: 'a', B: 'b' }), ['A', 'C'])),
    ).toMatchObject({
      code: 'template.unknown_label',
      path: 'prompt_template.template',
      text: expect.stringContaining('Labels: A, B'),
    });
    expect(problem(() => compileLabelPrompts(prompt('{q}')))).toMatchObject({
      code: 'template.labels_missing',
    });
  });
});

describe('meta templates', () => {
  it.each<[string, unknown, 'text' | 'chat', string, string, RegExp]>([
    ['no mapping', 'x', 'text', 'template.wrong_type', 'meta_template', /mapping/],
    [
      'a round that is no list',
      { round: {} },
      'text',
      'meta_template.round_not_a_list',
      'meta_template.round',
      /list of roles/,
    ],
    [
      'a role twice',
      { round: [{ role: 'H' }, { role: 'H' }] },
      'text',
      'meta_template.duplicate_role',
      'meta_template.round.1.role',
      /second time/,
    ],
    [
      'a role twice, once reserved',
      { round: [{ role: 'H' }], reserved_roles: [{ role: 'H' }] },
      'text',
      'meta_template.duplicate_role',
      'meta_template.reserved_roles.0.role',
      /second time/,
    ],
    [
      'no role',
      { round: [{ begin: 'x' }] },
      'text',
      'meta_template.role_missing',
      'meta_template.round.0',
      /HUMAN/,
    ],
    [
      'a misspelt key',
      { rounds: [] },
      'text',
      'template.unknown_key',
      'meta_template.rounds',
      /Did you mean `round`/,
    ],
    [
      'a misspelt key of a role',
      { round: [{ role: 'H', generat: true }] },
      'text',
      'template.unknown_key',
      'meta_template.round.0.generat',
      /Did you mean `generate`/,
    ],
    [
      'a bad begin',
      { begin: 5, round: [] },
      'text',
      'template.wrong_type',
      'meta_template.begin',
      /token ids/,
    ],
    [
      'a bad token id',
      { round: [{ role: 'H', begin: ['x', -1] }] },
      'text',
      'template.wrong_type',
      'meta_template.round.0.begin.1',
      /token id/,
    ],
    [
      'text between the roles of a chat',
      { round: ['x'] },
      'chat',
      'meta_template.text_in_round',
      'meta_template.round.0',
      /begin/,
    ],
    [
      'text around a chat',
      { begin: 'x', round: [] },
      'chat',
      'meta_template.text_around_messages',
      'meta_template.begin',
      /SYSTEM/,
    ],
    [
      'the API role of a turn',
      { begin: [{ role: 'SYSTEM', api_role: 'SYSTEM', prompt: 'x' }], round: [] },
      'chat',
      'template.unknown_key',
      'meta_template.begin.0.api_role',
      /It goes with a role\. /,
    ],
    [
      'a chat role without api_role',
      { round: [{ role: 'THOUGHTS' }] },
      'chat',
      'meta_template.api_role_missing',
      'meta_template.round.0',
      /api_role/,
    ],
  ])('%s', (_name, meta, kind, code, path, text) => {
    const found = problem(() => parseMetaTemplate(meta, kind, ['meta_template']));
    expect(found).toMatchObject({ code, path });
    expect(found?.text).toMatch(text);
  });

  it('a name that is not in the catalogue', () => {
    const found = problem(() =>
      formatOf({ takes: 'text', metaTemplate: 'chatlm', path: ['meta_template'] }),
    );
    expect(found).toMatchObject({
      code: 'meta_template.unknown_name',
      text: expect.stringContaining('Did you mean `chatml`'),
    });
  });

  it('a text format for a chat model', () => {
    const found = problem(() =>
      formatOf({ takes: 'messages', metaTemplate: 'chatml', path: ['meta_template'] }),
    );
    expect(found).toMatchObject({ code: 'meta_template.text_format_for_chat' });
  });
});
