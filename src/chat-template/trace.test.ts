import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TypecaseError } from '../errors.ts';
import { joinSpans, type Span } from '../prompt/origin.ts';
import { loadChatTemplate } from './load.ts';
import { renderChatTemplate } from './render.ts';
import { traceChatTemplate } from './trace.ts';

const folder = new URL('../../test/vectors/chat-templates/templates/', import.meta.url);
const files = readdirSync(folder);

function literal(text: string, path: readonly number[]): Span {
  return { text, origin: { type: 'literal', at: { path, start: 0 } } };
}

/** Spans as `message.span:text`, and `=text` for what the template wrote. */
function show(spans: readonly Span[]): string[] {
  return spans.map(({ text, origin }) =>
    origin.type === 'literal' ? `${origin.at.path.join('.')}:${text}` : `=${text}`,
  );
}

function trace(source: string, contents: readonly (readonly string[])[]): string[] {
  const messages = contents.map((parts, message) => ({
    role: 'user',
    spans: parts.map((text, part) => literal(text, [message, part])),
  }));
  const template = loadChatTemplate(source);
  return show(traceChatTemplate(template, { messages, addGenerationPrompt: false }));
}

const all = '{% for m in messages %}';

describe('content keeps its origin', () => {
  test.each([
    [
      'printed',
      `${all}<{{ m.content }}>{% endfor %}`,
      ['=<', '0.0:ab', '0.1: c', '=><', '1.0:d', '=>'],
    ],
    [
      'trimmed',
      `${all}{{ m.content | trim }};{% endfor %}`,
      ['0.0:ab', '0.1: c', '=;', '1.0:d', '=;'],
    ],
    ['added up', "{% set x = 'A' + messages[1].content ~ 'B' %}{{ x }}", ['=A', '1.0:d', '=B']],
    ['split', "{{ messages[0].content.split(' ') | join('+') }}", ['0.0:ab', '=+', '0.1:c']],
    ['sliced', '{{ messages[0].content[1:-1] }}', ['0.0:b', '0.1: ']],
    ['replaced', "{{ messages[0].content | replace('b', 'X') }}", ['0.0:a', '=X', '0.1: c']],
    ['twice', '{{ messages[1].content * 2 }}', ['1.0:d', '1.0:d']],
    [
      'by a macro',
      '{% macro f(x) %}[{{ x }}]{% endmacro %}{{ f(messages[1].content) }}',
      ['=[', '1.0:d', '=]'],
    ],
    [
      'in a block',
      '{% set b %}({{ messages[1].content }}){% endset %}{{ b }}',
      ['=(', '1.0:d', '=)'],
    ],
    [
      'formatted',
      "{{ '%s.' % messages[1].content }}{{ '{:>3}'.format(messages[1].content) }}",
      ['1.0:d', '=.  ', '1.0:d'],
    ],
    ['in a loop', '{% for c in messages[0].content %}{{ c }}{% endfor %}', ['0.0:ab', '0.1: c']],
    ['changed', '{{ messages[1].content | upper }}', ['=D']],
    ['as JSON', '{{ messages[1].content | tojson }}', ['="d"']],
    ['looked at', "{% if 'b' in messages[0].content %}yes{% endif %}", ['=yes']],
  ])('%s', (_, source, expected) => {
    expect(trace(source, [['ab', ' c'], ['d']])).toEqual(expected);
  });

  test('empty spans inside the content are kept, those that are trimmed away are not', () => {
    expect(trace('{{ messages[0].content }}', [['a', '', 'b', '']])).toEqual([
      '0.0:a',
      '0.1:',
      '0.2:b',
      '0.3:',
    ]);
    expect(trace('{{ messages[0].content | trim }}', [['a', '', ' ', '']])).toEqual([
      '0.0:a',
      '0.1:',
    ]);
    expect(trace('{{ messages[0].content }}.', [['']])).toEqual(['0.0:', '=.']);
  });

  test('the other keys of a message are passed on', () => {
    const template = loadChatTemplate('{{ messages[0] }}{{ messages[0].name }}');
    const messages = [{ role: 'user', name: 'Ada', spans: [literal('x', [0])] }];
    const spans = traceChatTemplate(template, { messages, addGenerationPrompt: false });
    expect(joinSpans(spans)).toBe("{'role': 'user', 'name': 'Ada', 'content': 'x'}Ada");
  });
});

/** Characters that only the message of this number has. */
function alphabet(message: number): string[] {
  const start = 0x4e00 + message * 16;
  return Array.from({ length: 8 }, (_, index) => String.fromCodePoint(start + index));
}

function part(message: number): fc.Arbitrary<string> {
  const shared = [' ', '\n', '<think>', '</think>', '{{ x }}', '🗼', '\u3000'];
  const units = fc.constantFrom(...alphabet(message), ...alphabet(message), ...shared);
  return fc.array(units, { maxLength: 5 }).map((list) => list.join(''));
}

const roles = fc.constantFrom('user', 'assistant', 'user', 'assistant', 'tool');
const conversation = fc
  .record({
    system: fc.boolean(),
    alternating: fc.boolean(),
    roles: fc.array(roles, { minLength: 1, maxLength: 6 }),
  })
  .chain((plan) => {
    const list = plan.roles.map((role, index) =>
      plan.alternating ? (index % 2 === 0 ? 'user' : 'assistant') : role,
    );
    const names = plan.system ? ['system', ...list] : list;
    return fc.tuple(
      ...names.map((role, message) =>
        fc.array(part(message), { maxLength: 3 }).map((parts) => ({
          role,
          tool_call_id: 'abcdefghi',
          spans: parts.map((text, index) => literal(text, [message, index])),
        })),
      ),
    );
  });

function attempt<Result>(run: () => Result): Result | string {
  try {
    return run();
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return error.message;
  }
}

test.each(files)('%s: tracing a conversation agrees with rendering it', (file) => {
  const source = readFileSync(new URL(file, folder), 'utf8');
  const template = loadChatTemplate({ chat_template: source, bos_token: '<s>', eos_token: '</s>' });
  // Content that is written as JSON becomes the template's own.
  const rewrites = source.includes('(message.content | tojson)');
  const property = fc.property(conversation, fc.boolean(), (messages, addGenerationPrompt) => {
    const options = { addGenerationPrompt, now: new Date(2024, 6, 6) };
    const plainMessages = messages.map(({ spans, ...rest }) => ({
      ...rest,
      content: joinSpans(spans),
    }));
    const text = attempt(() =>
      renderChatTemplate(template, { ...options, messages: plainMessages }),
    );
    const spans = attempt(() => traceChatTemplate(template, { ...options, messages }));
    expect(typeof spans === 'string' ? spans : joinSpans(spans)).toBe(text);
    for (const { text: piece, origin } of typeof spans === 'string' ? [] : spans) {
      if (rewrites && origin.type === 'chat-template') continue;
      const own = origin.type === 'literal' ? Number(origin.at.path[0]) : -1;
      const owners = [...piece].map((point) =>
        Math.floor(((point.codePointAt(0) ?? 0) - 0x4e00) / 16),
      );
      const wrong = owners.filter(
        (owner) => owner >= 0 && owner < messages.length && owner !== own,
      );
      expect(wrong).toEqual([]);
    }
  });
  fc.assert(property, { numRuns: 100 });
});
