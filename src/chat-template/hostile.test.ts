import { expect, test } from 'vitest';
import { TypecaseError } from '../errors.ts';
import { loadChatTemplate } from './load.ts';

const doubling = "{% set ns = namespace(s='ab') %}{% for i in range(60) %}{% set ns.s = DOUBLED %}";

/** Chat templates come with models: each of these would take all time or memory there is. */
test.each([
  ['{{ range(1000000000) }}', /lists .* 1,000,000,000/],
  ['{% for i in range(10**9) %}{% endfor %}', /lists .* 1,000,000,000/],
  [
    `${'{% for i in range(1000) %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`,
    /(steps|lists) (that|than) a rendering may/,
  ],
  [
    '{% for i in range(1000) %}{% for j in messages * 1000 %}{{ j }}{% endfor %}{% endfor %}',
    /a rendering may/,
  ],
  ["{{ 'x' * 2000000000 }}", /text .* 2,000,000,000/],
  ["{{ ['x'] * 2000000000 }}", /lists .* 2,000,000,000/],
  [`{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, /brackets nest deeper than 200/],
  [`{{ ${'['.repeat(20_000)}1${']'.repeat(20_000)} }}`, /brackets nest deeper than 200/],
  [`{{ ${'not '.repeat(30_000)}1 }}`, /nests? too deeply/],
  [`{{ ${'1 if 1 else '.repeat(10_000)}1 }}`, /nests? too deeply/],
  [`{{ ${'1 + '.repeat(30_000)}1 }}`, /nests? too deeply/],
  [`{{ x${'|string'.repeat(18_000)} }}`, /nests? too deeply/],
  [`${'{% if 1 %}'.repeat(6_000)}${'{% endif %}'.repeat(6_000)}`, /blocks nest deeper than 100/],
  [`{% if 0 %}${'{% elif 0 %}'.repeat(10_000)}{% endif %}`, /nests? too deeply/],
  ['x'.repeat(2_000_000), /a template of 2,000,000 characters is too long/],
  [`${doubling.replace('DOUBLED', 'ns.s ~ ns.s')}{% endfor %}{{ ns.s }}`, /more text/],
  [`${doubling.replace('DOUBLED', 'ns.s + ns.s')}{% endfor %}`, /more text/],
  [`${doubling.replace('DOUBLED', "ns.s|replace('a', ns.s)")}{% endfor %}`, /more text/],
  [`${doubling.replace('DOUBLED', '[ns.s, ns.s]')}{% endfor %}{{ ns.s }}`, /more (text|lists)/],
  [`${doubling.replace('DOUBLED', '[ns.s, ns.s]')}{% endfor %}{{ ns.s|tojson }}`, /more lists/],
  ["{{ '%1000000000d' % 5 }}", /1000000000 characters wide/],
  ["{{ '%01000000000d' % 5 }}", /1000000000 characters wide/],
  ["{{ '%.1000000000f' % 5.5 }}", /1000000000 characters wide/],
  ["{{ '{:>1000000000}'.format(5) }}", /1000000000 characters wide/],
  ["{{ '{:0=1000000000,}'.format(5) }}", /1000000000 characters wide/],
  ["{{ 'x'.center(1000000000) }}", /text .* 999,999,999/],
  ["{{ 'x'|center(1000000000) }}", /text .* 999,999,999/],
  ["{{ 'x'.zfill(1000000000) }}", /text .* 999,999,999/],
  ["{{ 'x'|indent(1000000000, true) }}", /text .* 1,000,000,000/],
  ['{{ [1]|tojson(indent=1000000000) }}', /more text/],
  ["{{ range(100000)|list|tojson(separators=['x' * 100000, ':']) }}", /more text/],
  ["{{ [1]|batch(1000000000, 'x')|list }}", /lists .* 1,000,000,000/],
  ['{{ range(100000)|unique|list }}', /steps/],
  ['{% for i in range(100000) %}{{ -1 in range(100000)|list }}{% endfor %}', /more lists|steps/],
  ["{{ ('b' + 'a' * 500000) in 'a' * 1000000 }}", /steps/],
  ["{{ ('a' * 1000000).find('b' + 'a' * 500000) }}", /more lists|steps/],
  ["{% for i in range(100000) %}{{ ('x' * 100000).strip('x') }}{% endfor %}", /a rendering may/],
  ["{% for i in range(100000) %}{{ ('x' * 100000)|upper|length }}{% endfor %}", /more text/],
  ['{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', /nests? too deeply/],
  ['{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}', /nests? too deeply/],
  [
    '{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}',
    /steps/,
  ],
])('hostile template %#', (source, reason) => {
  const before = { used: process.cpuUsage(), memory: process.memoryUsage().rss };
  const messages = [{ role: 'user', content: 'Hi' }];
  let error: unknown;
  try {
    loadChatTemplate(source).render({ messages, addGenerationPrompt: true });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toSatisfy(TypecaseError.isInstance);
  const { message, at } = error as TypecaseError;
  expect(message).toMatch(reason);
  expect(message).toMatch(/line 1, column \d+/);
  expect(at?.line).toBe(1);
  const { user } = process.cpuUsage(before.used);
  expect(user).toBeLessThan(2e6);
  expect(process.memoryUsage().rss - before.memory).toBeLessThan(200e6);
});

test('filters that could go on for ever give what Python gives', () => {
  const input = { messages: [], addGenerationPrompt: false };
  const render = (source: string) => loadChatTemplate(source).render(input);
  expect(render("{{ ['a', 'b']|batch(0)|list }} {{ ['a', 'b']|batch(-1)|list }}")).toBe(
    "[[], ['a', 'b']] [['a', 'b']]",
  );
  expect(render("{{ ['a', 'b', 'c']|batch(2, 'x')|list }}")).toBe("[['a', 'b'], ['c', 'x']]");
  expect(render("{{ 'xxaxx'.strip('x') }} {{ 'xx'.strip('x') }}|{{ 5.5|round(-999999999) }}")).toBe(
    'a |0.0',
  );
});

test('what a rendering may do grows with the conversation', () => {
  const messages = Array.from({ length: 2000 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index} ${'word '.repeat(2000)}`,
  }));
  const template = loadChatTemplate(
    "{% for m in messages %}{% if m.content[0] == '1' and m == messages|first %}!{% endif %}{{ m.content.split('</think>')[-1].strip()|upper }}{% endfor %}",
  );
  const text = template.render({ messages, addGenerationPrompt: true });
  expect(text.length).toBeGreaterThan(19_000_000);
});
