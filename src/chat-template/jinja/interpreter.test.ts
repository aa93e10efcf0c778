import { expect, test } from 'vitest';
import { loadChatTemplate } from '../load.ts';
import { renderChatTemplate } from '../render.ts';

const variables = { n: 7, xs: [1, 2, 3], name: 'Ada', d: { a: 1 }, yes: true };

/** Where the library differs from Python, beyond the recorded vectors; results are Python's. */
test.each([
  ["{{ 'Round ' + n ~ ': ' }}", 'Round 7: '],
  ["{{ 'a' ~ n + 'b' ~ 'c' }}", 'a7bc'],
  ["{{ ('a' ~ 1) + 'b' }}", 'a1b'],
  ["{{ 'x' + ('y' ~ 1) ~ 2 + 'z' }}", 'xy12z'],
  [
    '{{ (1 < 3) == true }} {{ 1 < 3 == true }} {{ 1 in xs == true }} {{ not 1 in xs }} {{ 3 > 2 > 1 != 0 }}',
    'True False False False True',
  ],
  [
    '{{ n is not divisibleby 2 and n is in [7] }} {{ n is divisibleby(7) or false }} {{ xs is not string and xs is iterable }}',
    'True True True',
  ],
  [
    '{{ xs | length is eq 3 }} {{ n is gt xs[0] }} {{ n is eq d.a + 6 }} {{ n is eq(d.a + 6) }} {{ [n is odd, n is even] }}',
    'True True 6 True [True, False]',
  ],
  ["{{ 'yes' if n is odd else 'no' }} {{ 'is' }} {{ {'is': 1}.is }}", 'yes is 1'],
  [
    '{% macro m() %}{{ caller is defined }}{% endmacro %}{% macro o() %}{{ m() }}{{ caller() }}{% endmacro %}{% call o() %}x{% endcall %}',
    'Falsex',
  ],
  [
    '{% for x in xs %}{% for y in xs %}{% if y == 2 %}{% break %}{% endif %}{{ x }}{{ y }} {% endfor %}{% if x == 2 %}{% continue %}{% endif %};{% endfor %}',
    '11 ;21 31 ;',
  ],
  [
    '{% for x in xs %}{% set v %}{{ x }}{% if x == 2 %}{% continue %}{% endif %}{% endset %}[{{ v }}]{% endfor %}',
    '[1][3]',
  ],
  [
    "{% set x = [] %}{{ not x }} {{ not {} }} {{ not '' }} {{ not 0.0 }} {{ not [0] }}",
    'True True True True False',
  ],
  ['{{ () | length }} {{ (n,)[0] }} {{ (1, (2,)) }} {{ dict(a=(),) }}', "0 7 (1, (2,)) {'a': ()}"],
  ["{{ 'and' is eq 'and' }} {{ 'a' is in 'or and' }}", 'True True'],
  [
    '{% with x = n %}{% with x = x + 1, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}{% endwith %}',
    '877',
  ],
  [
    "{% filter upper | replace('A', 'b') %}{% set q = 1 %}a{{ name }}{% endfilter %}{{ q }}",
    'bbDb',
  ],
  ['{% set f = range %}{{ f(2) | list }}', '[0, 1]'],
  ["{{ '%s' % xs }} {{ '%s-%s' % (1, xs) }} {{ 5 % 3 }}", '[1, 2, 3] 1-[1, 2, 3] 2'],
  [
    '{{ xs[1:] + xs[:1] }} {{ xs[-1:] }} {{ name[-2:] }} {{ range(4)[1:3] | list }}',
    '[2, 3, 1] [3] da [1, 2]',
  ],
  [
    "{{ d.items() | map('first') | list }} {{ xs | map('string') | map('length') | sum }}",
    "['a'] 3",
  ],
  ['{{ 1.5 // 0.5 }} {{ 2 ** 0.5 }} {{ 7 // -2 }} {{ -7 % 2.5 }}', '3.0 1.4142135623730951 -4 0.5'],
  ["{%- if yes -%} a {%- endif %} {#- c -#} b {{- ' c ' -}} d", 'ab c d'],
  ["{{ xs | join(', ', attribute=none) }}", '1, 2, 3'],
  ["{{ name | default('x') | trim | upper ~ '!' }}", 'ADA!'],
  ["{{ xs | select('gt', 1) | map('string') | join }}", '23'],
  ["{{ d['a'] if 'a' in d else 0 }}{{ d.b is defined }}{{ d.b | default(5) }}", '1False5'],
])('%s', (source, expected) => {
  const input = { messages: [], addGenerationPrompt: false, variables };
  expect(renderChatTemplate(loadChatTemplate(source), input)).toBe(expected);
});
