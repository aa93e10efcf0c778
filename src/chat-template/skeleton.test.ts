import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TypecaseError } from '../errors.ts';
import { loadChatTemplate } from './load.ts';
import { renderChatTemplate } from './render.ts';
import { runTemplate } from './run-template.ts';
import { findParts } from './skeleton.ts';

const folder = new URL('../../test/vectors/chat-templates/templates/', import.meta.url);
const tokens = { bos_token: '<s>', eos_token: '</s>' };
const all = '{% for m in messages %}';

function talk(...contents: string[]) {
  const messages = contents.map((content, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  }));
  return { messages, addGenerationPrompt: true };
}

describe('a skeleton is made', () => {
  test.each([
    ['printed', `${all}<{{ m.content }}>{% endfor %}`],
    ['added up', "{{ 'a' + messages[0].content + messages[0]['content'] ~ 1 }}"],
    ['trimmed', '{{ messages[0].content | trim }}{{ messages[0].content.rstrip() }}'],
    ['trimmed with more', "{{ (' a ' + messages[0].content + ' b ') | trim }}"],
    ['joined', "{{ messages | map(attribute='content') | join('+') }}"],
    ['kept in a name', '{% set x = messages[0].content %}{{ x }}'],
    ['kept in a namespace', '{% set n = namespace(x=messages[0].content) %}{{ n.x }}'],
    ['in a macro', '{% macro f(x) %}[{{ x }}]{% endmacro %}{{ f(messages[0].content) | trim }}'],
    ['in a block', '{% set b %}({{ messages[0].content }}){% endset %}{{ b }}'],
    ['asked for its type', '{{ messages[0].content is string }}'],
    [
      'asked whether it is empty',
      "{{ messages[0].content or 'x' }}{{ messages[0].content == '' }}",
    ],
    ['passed through', "{{ messages[0].content | default('x') | string | safe }}"],
  ])('when content is %s', (_, source) => {
    const template = loadChatTemplate(source);
    for (const content of ['a', '', ' ', ' a ', '\n\u00a0b', 'c\u3000', '{{ x }}', '\ud800']) {
      const input = talk(content, ` ${content}d\n`);
      expect(findParts(template, input)).not.toBeNull();
      expect(renderChatTemplate(template, input)).toBe(runTemplate(template, input).join(''));
    }
  });
});

describe('no skeleton is made', () => {
  test.each([
    ['measured', '{{ messages[0].content | length }}'],
    ['compared', "{{ messages[0].content == 'x' }}"],
    ['compared in messages', '{{ messages[0] == messages[1] }}{{ messages[0] in messages[2:] }}'],
    ['sliced', '{{ messages[0].content[1:] }}'],
    ['split', '{{ messages[0].content.split() }}'],
    ['split where it can be', "{{ messages[0].content.split('a') }}"],
    ['searched for the content of another', '{{ messages[0].content in messages[1].content }}'],
    ['searched after something was added', "{{ 'x' in messages[0].content + 'y' }}"],
    ['changed', '{{ messages[0].content | upper }}'],
    ['written as JSON', '{{ messages | tojson }}'],
    ['written as a list', '{{ messages }}'],
    ['used as a key', "{{ {'a': 1}[messages[0].content] }}"],
    ['looped over', '{% for c in messages[0].content %}.{% endfor %}'],
    ['stripped of characters', "{{ messages[0].content.strip('a') }}"],
    ['sorted', "{{ messages | sort(attribute='content') | length }}"],
  ])('when content is %s', (_, source) => {
    const template = loadChatTemplate(source);
    expect(findParts(template, talk('a', 'b', 'a'))).toBeNull();
  });

  test.each([
    ['keys of other kinds', { role: 'user', name: 'Ada', content: 'a' }],
    ['keys in another order', { content: 'a', role: 'user' }],
    ['content in parts', { role: 'user', content: [{ type: 'text', text: 'a' }] }],
  ])('for %s', (_, message) => {
    const input = { messages: [message], addGenerationPrompt: false };
    expect(findParts(loadChatTemplate('x'), input)).toBeNull();
  });
});

describe('guards', () => {
  test.each([
    ["{{ 'x' in messages[0].content }}"],
    ["{{ 'x' not in messages[0].content | trim }}{{ messages[0].content }}"],
    ["{{ messages[0].content.startswith('x') }}{{ messages[0].content.endswith(('y', 'x')) }}"],
    ["{{ messages[0].content.split('x')[0] }}"],
    ["{{ messages[0].content.rsplit('x', 1) | last }}"],
    ["{{ messages[0].content | replace('x', 'z') }}"],
    ["{{ messages[0].content.lstrip('x') }}{{ messages[0].content.rstrip('xy') }}"],
    ["{{ messages[0].content | trim('x') }}"],
  ])('%s is right for every content', (source) => {
    const template = loadChatTemplate(source);
    for (const content of ['a', ' ax', 'xa', 'axa', 'x', 'xx ', 'a', 'xa', 'yx', 'b ', 'y']) {
      const input = talk(content);
      expect(renderChatTemplate(template, input)).toBe(runTemplate(template, input).join(''));
    }
    expect(findParts(template, talk('a'))).not.toBeNull();
  });

  test('contents of ever new kinds are left to the interpreter', () => {
    const letters = [...'abcdefghij'];
    const source = letters.map((letter) => `{{ '${letter}' in messages[0].content }}`).join('');
    const template = loadChatTemplate(source);
    const found = letters.map((letter) => findParts(template, talk(letter)) !== null);
    expect(found).toEqual(letters.map((_, index) => index < 8));
  });
});

test('the time is only looked at by templates that tell it', () => {
  const template = loadChatTemplate("{{ strftime_now('%Y') }}{{ messages[0].content }}");
  const render = (year: number) =>
    renderChatTemplate(template, { ...talk('a'), now: new Date(year, 0, 1) });
  expect([render(2001), render(2002), render(2001)]).toEqual(['2001a', '2002a', '2001a']);
  expect(findParts(template, talk('a'))).toBeNull();
  expect(findParts(loadChatTemplate('{{ messages[0].content }}'), talk('a'))).not.toBeNull();
});

test('shapes differ in what the result can depend on', () => {
  const template = loadChatTemplate(
    `${all}{{ m.role }}:{{ m.content or '-' }};{% endfor %}{{ add_generation_prompt }}{{ tools }}{{ v }}`,
  );
  const render = (extra: object, ...contents: string[]) =>
    renderChatTemplate(template, { ...talk(...contents), ...extra });
  const variables = { v: 1 };
  expect([
    render({}, 'a'),
    render({}, 'b', ''),
    render({}, '', 'b'),
    render({ addGenerationPrompt: false }, 'a'),
    render({ tools: [1] }, 'a'),
    render({ variables }, 'a'),
    render({ variables: { v: 2 } }, 'a'),
    render({ variables: { v: '2' } }, 'a'),
    render({ variables: { v: ['2'] } }, 'a'),
    render({ variables: { v: [3] } }, 'a'),
    render({ messages: [{ role: 'user', content: '1 1' }] }),
    render({ messages: [{ role: 'user1 1', content: ' ' }] }),
  ]).toEqual([
    'user:a;TrueNone',
    'user:b;assistant:-;TrueNone',
    'user:-;assistant:b;TrueNone',
    'user:a;FalseNone',
    'user:a;True[1]',
    'user:a;TrueNone1',
    'user:a;TrueNone2',
    'user:a;TrueNone2',
    "user:a;TrueNone['2']",
    'user:a;TrueNone[3]',
    'user:1 1;TrueNone',
    'user1 1: ;TrueNone',
  ]);
});

const word = fc.constantFrom(
  ...['', ' ', '\n\u3000', 'a', '🗼', '\ud800', '\udc00', '{{ x }}', '{% if', '</think>', '$&'],
  ...['<tool_response>', '<|im_end|>', '\u0000', '\ufeff', '\u0085', '0 ', 'é'],
);
const content = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
const roles = fc.constantFrom('user', 'assistant', 'system', 'tool');
const conversation = fc.record({
  isAlternating: fc.boolean(),
  hasSystem: fc.boolean(),
  turns: fc.array(fc.record({ role: roles, content }), { minLength: 1, maxLength: 6 }),
  addGenerationPrompt: fc.boolean(),
});

function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return error.message;
  }
}

test.each(readdirSync(folder))('%s: skeletons agree with the interpreter', (file) => {
  const chat_template = readFileSync(new URL(file, folder), 'utf8');
  const template = loadChatTemplate({ ...tokens, chat_template });
  const property = fc.property(conversation, ({ isAlternating, hasSystem, turns, ...rest }) => {
    const list = turns.map((turn, index) => {
      const role = index % 2 === 0 ? 'user' : 'assistant';
      return isAlternating ? { ...turn, role } : turn;
    });
    const messages = hasSystem ? [{ role: 'system', content: 'Be brief.' }, ...list] : list;
    const input = { ...rest, messages, now: new Date(2024, 6, 6) };
    const interpreted = attempt(() => runTemplate(template, input).join(''));
    expect(attempt(() => renderChatTemplate(template, input))).toBe(interpreted);
  });
  fc.assert(property, { numRuns: 200 });
});
