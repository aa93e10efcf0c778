import { describe, expect, test } from 'vitest';
import { TemplateError } from '../errors.ts';
import { Float } from '../prompt/values.ts';
import { loadChatTemplate } from './load.ts';
import { renderChatTemplate } from './render.ts';

const user = { messages: [{ role: 'user', content: 'Hi' }], addGenerationPrompt: false };

function errorOf(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('choosing a template', () => {
  const config = {
    chat_template: [
      { name: 'default', template: 'plain' },
      { name: 'tool_use', template: 'with tools' },
      { name: 'rag', template: 'with documents' },
    ],
  };

  test.each([
    [{}, 'default', 'plain'],
    [{ tools: false }, 'default', 'plain'],
    [{ tools: true }, 'tool_use', 'with tools'],
    [{ name: 'rag', tools: true }, 'rag', 'with documents'],
  ])('%j takes %s', (options, name, source) => {
    expect(loadChatTemplate(config, options)).toMatchObject({ name, source });
  });

  test('tools without a template for them take the default', () => {
    expect(loadChatTemplate('x', { tools: true }).name).toBe('default');
  });

  test('an unknown name is an error that lists the names', () => {
    const error = errorOf(() => loadChatTemplate(config, { name: 'ragg' }));
    expect(error.code).toBe('chat_template.unknown_name');
    expect(error.message).toContain('"ragg"; the file has default, tool_use, rag');
  });

  test.each([{}, { chat_template: null }, { chat_template: [] }])('%j has none', (empty) => {
    expect(errorOf(() => loadChatTemplate(empty)).code).toBe('chat_template.missing');
  });
});

describe('special tokens', () => {
  const chat_template =
    '{{ bos_token }}|{{ eos_token }}|{{ pad_token is defined }}|{{ image_token }}|{{ additional_special_tokens }}';
  const template = loadChatTemplate({
    chat_template,
    bos_token: '<s>',
    eos_token: { content: '</s>', lstrip: false },
    pad_token: null,
    add_bos_token: true,
    additional_special_tokens: ['<a>', { content: '<b>' }],
    extra_special_tokens: { image_token: '<img>' },
  });

  test('are variables of the template', () => {
    expect(renderChatTemplate(template, user)).toBe("<s>|</s>|False|<img>|['<a>', '<b>']");
  });

  test('can be overridden', () => {
    const variables = { bos_token: '<x>', messages: 'ignored' };
    expect(renderChatTemplate(template, { ...user, variables })).toMatch(/^<x>\|/);
  });
});

describe('mistakes are found when the template is loaded', () => {
  test.each([
    ['{% if x %}\n  {{ y | nope }}{% endif %}', 2, 10, 'unknown_filter', 'no filter nope'],
    ['{{ y is nope }}', 1, 9, 'unknown_test', 'no test nope'],
    ["{{ y | map('nope') }}", 1, 12, 'unknown_filter', 'no filter nope'],
    ["{{ y | selectattr('a', 'nope') }}", 1, 24, 'unknown_test', 'no test nope'],
    ['{{ nope() }}', 1, 4, 'unknown_function', 'no function nope'],
    ['{{ y.nope() }}', 1, 6, 'unknown_method', 'no method nope'],
    ['{% call nope() %}{% endcall %}', 1, 9, 'unknown_function', 'no function nope'],
    ['{% for x in y recursive %}{% endfor %}', 1, 15, 'syntax', 'recursive'],
    ['{{ 99999999999999999999 }}', 1, 4, 'syntax', 'too big'],
    ['a\r\nb {{ y', 2, 3, 'syntax', 'never closed with }}'],
    ['{{ [1, 2 }}', 1, 10, 'syntax', 'unexpected }'],
    ['{{ y ! }}', 1, 6, 'syntax', 'unexpected character !'],
    ["{{ '\\xZZ' }}", 1, 4, 'syntax', '\\x'],
    ['{{ dict(a=1, 2) }}', 1, 15, 'syntax', 'Positional'],
    ['{% if x %}', 1, 11, 'syntax', 'not closed'],
    ['\n{% include "x" %}', 2, 4, 'syntax', 'include'],
    ['{{ y z }}', 1, 6, 'syntax', '"z" is not possible here'],
    ['{% macro m(a=1, b) %}{% endmacro %}', 1, 18, 'syntax', 'default'],
    ['{% raw %}', 1, 1, 'syntax', 'endraw'],
    ['{# x', 1, 1, 'syntax', '#}'],
  ])('%j', (source, line, column, kind, part) => {
    const error = errorOf(() => loadChatTemplate(source, { file: 'model/chat_template.jinja' }));
    expect(error.code).toBe(`chat_template.${kind}`);
    expect(error.at).toEqual({ file: 'model/chat_template.jinja', line, column });
    expect(error.message).toContain(part);
    expect(error.hint).toBeDefined();
  });
});

describe('mistakes in a conversation', () => {
  test('a refusal has the words of the template', () => {
    const template = loadChatTemplate("a\n{{ raise_exception('Only ' ~ 'users!') }}");
    const error = errorOf(() => renderChatTemplate(template, user));
    expect(error.code).toBe('chat_template.refused');
    expect(error.message).toBe('Chat template "default" refuses the conversation: Only users!');
    expect(error.at?.line).toBe(2);
  });

  test.each([
    ['{% set a = messages[9] %}\n{{ a.role }}', 2, 'a is undefined'],
    ['{{ messages[0].name.first }}', 1, 'messages[0].name is undefined'],
    ['\n\n{% if messages[0].content + 1 %}{% endif %}', 3, 'str + int'],
    ['{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}', 1, 'too deeply'],
    ['{% for x in 5 %}{% endfor %}', 1, 'int cannot be looped over'],
  ])('%j', (source, line, part) => {
    const error = errorOf(() => renderChatTemplate(loadChatTemplate(source), user));
    expect(error.code).toBe('chat_template.failed');
    expect(error.at?.line).toBe(line);
    expect(error.message).toContain(part);
  });
});

test('rendering leaves nothing behind for the next rendering', () => {
  const template = loadChatTemplate(
    '{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% set x = m %}{% endfor %}{{ ns.n }}{{ x }}',
  );
  expect([1, 2].map(() => renderChatTemplate(template, user))).toEqual(['1', '1']);
});

test('floats, big integers and absent properties come through as written', () => {
  const template = loadChatTemplate('{{ a }} {{ a | tojson }} {{ b }} {{ "c" in d }} {{ d }}');
  const variables = { a: new Float(2), b: 2n ** 70n, d: { c: undefined, e: null } };
  expect(renderChatTemplate(template, { ...user, variables })).toBe(
    "2.0 2.0 1180591620717411303424 False {'e': None}",
  );
});

test('data cannot pass for a value of the library', () => {
  const variables = { a: { __bool__: 1, type: 'StringValue', value: 'x' } };
  const template = loadChatTemplate('{{ a }}');
  expect(renderChatTemplate(template, { ...user, variables })).toBe(
    "{'__bool__': 1, 'type': 'StringValue', 'value': 'x'}",
  );
});

test('properties of JavaScript objects are not seen', () => {
  const template = loadChatTemplate(
    '{{ constructor }}{{ messages[0].constructor }}{{ messages[0]["toString"] }}{{ messages.map }}|',
  );
  expect(renderChatTemplate(template, user)).toBe('|');
});
