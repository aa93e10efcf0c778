import fc from 'fast-check';
import nunjucks from 'nunjucks';
import { describe, expect, it } from 'vitest';
import { compileNunjucks } from './nunjucks-template.ts';

const variables = {
  a: 4,
  b: '4',
  c: 2.5,
  d: '',
  e: [],
  f: ['x', 'y', 'z', 3],
  g: { k: 'v', n: { m: [1, 2] }, constructor: 'own' },
  h: null,
  i: true,
  j: '  Some <b>words</b>\nmore  ',
  k: '10',
  l: -7,
  m: [
    { t: 'one', u: 2 },
    { t: 'two', u: 1 },
  ],
  n: 'Émile 😀',
};

const original = new nunjucks.Environment([], { autoescape: false }) as unknown as {
  renderString(source: string, variables: object): string;
};

/** What promptfoo prints, or that it cannot. */
function theirs(source: string): string {
  try {
    return original.renderString(source, structuredClone(variables));
  } catch {
    return 'fails';
  }
}

function ours(source: string): string {
  try {
    return compileNunjucks(source).render(variables);
  } catch (error) {
    return /no text of its own/.test(String(error)) ? 'a mapping' : 'fails';
  }
}

const name = fc.constantFrom(...Object.keys(variables), 'missing');
const literal = fc.constantFrom(
  '0',
  '1',
  '2.5',
  '-3',
  "'4'",
  "''",
  '"a b"',
  'true',
  'none',
  '[]',
  '[1, 2]',
);
const binary = fc.constantFrom(
  ...['+', '-', '*', '/', '//', '%', '**', '~', '==', '!=', '===', '!==', '<', '>', '<=', '>='],
  ...['and', 'or', 'in', 'not in'],
);
const filter = fc.constantFrom(
  ...[
    'length',
    'round',
    'round(1)',
    'int',
    'float',
    'upper',
    'title',
    'capitalize',
    'trim',
    'first',
  ],
  ...['last', 'join("-")', 'join', 'reverse', 'sort', 'list', 'sum', 'abs', 'default("d")'],
  ...[
    'default("d", true)',
    'replace("o", "0")',
    'truncate(3)',
    'wordcount',
    'striptags',
    'urlencode',
  ],
  ...[
    'dump',
    'dump(2)',
    'batch(2)',
    'slice(2)',
    'center(12)',
    'indent(2)',
    'nl2br',
    'escape',
    'safe',
  ],
  ...['selectattr("u")', 'groupby("t")', 'dictsort', 'string', 'lower', 'int(5)', 'unknown'],
);
const member = fc.constantFrom(
  ...[
    '.length',
    '[0]',
    '[-1]',
    '.k',
    '["n"].m',
    '.t',
    '.toUpperCase()',
    '.slice(1)',
    '.toFixed(1)',
  ],
  ...['.split(" ")', '.indexOf("x")', '.concat([1])', '.missing', '[1:]', '.replace(r/o/g, "0")'],
);
const test = fc.constantFrom(
  'defined',
  'odd',
  'string',
  'number',
  'truthy',
  'eq(4)',
  'iterable',
  'mapping',
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    name,
    literal,
    fc.tuple(tie('expression'), binary, tie('expression')).map((parts) => parts.join(' ')),
    fc.tuple(tie('expression'), filter).map((parts) => parts.join(' | ')),
    fc.tuple(name, member).map((parts) => parts.join('')),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `not ${inner}`),
    tie('expression').map((inner) => `-${inner}`),
    fc.tuple(tie('expression'), test).map((parts) => parts.join(' is ')),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([then, when, other]) => `${then} if ${when} else ${other}`),
  ),
}));
const template = fc.oneof(
  expression.map((one) => `{{ ${one} }}`),
  fc
    .tuple(expression, name)
    .map(
      ([one, of]) =>
        `{% for x in ${of} %}{{ loop.index }}{{ x }}{{ ${one} }}{% else %}none{% endfor %}`,
    ),
  fc
    .tuple(expression, expression)
    .map(([one, two]) => `{% if ${one} -%} {{ ${two} }} {% elif ${two} %}b{% else %}c{% endif %}`),
  expression.map((one) => `{% set y = ${one} %}{{ y }}{{ y ~ 1 }}`),
  expression.map((one) => `{% macro q(v, w=2) %}{{ v }}/{{ w }}{% endmacro %}{{ q(${one}) }}`),
  expression.map(
    (one) => `{% switch ${one} %}{% case 4 %}four{% case "" %}{% default %}else{% endswitch %}`,
  ),
);

describe('templates of promptfoo', () => {
  it('give what nunjucks gives, or say that a mapping has no text', () => {
    fc.assert(
      fc.property(template, (source) => {
        const found = ours(source);
        if (found !== 'a mapping') expect(found, source).toBe(theirs(source));
        else expect(theirs(source), source).toMatch(/\[object Object\]|^fails$/);
      }),
      { numRuns: 3000, seed: 12 },
    );
  }, 60_000);

  it.each([
    ['{{ "4" == 4 }}', 'true'],
    ['{{ "4" * 2 }}', '8'],
    ['{% if e %}yes{% endif %}', 'yes'],
    ['{{ c | round }}', '3'],
    ['{{ f[-1] }}', ''],
    ['{{ f.length }} {{ d.length }}', '4 0'],
    ['{% for k, v in g.n %}{{ k }}={{ v }}{% endfor %}', 'm=1,2'],
    ['{% raw %}{{ a }}{% endraw %}{# no #}', '{{ a }}'],
    ['{{ "[1]" | load | first }}', '1'],
    ['{{ g.constructor }}', 'own'],
    ['{% set _ = f.push(9) %}{{ f | length }}', '5'],
    ['{{ f | length }}', '4'],
  ])('%s', (source, text) => {
    expect(compileNunjucks(source).render(variables)).toBe(text);
  });

  it.each([
    ['{{ b.constructor.constructor("return process")() }}', /Unable to call/],
    ['{{ "\\\\\\"+process.exit(7)+\\\\\\""() }}', /not a name/],
    ['{{ x"&&Function`1` }}', /not a name|unexpected token/],
    ['{{ x.__proto__.y }}{{ constructor }}{{ toString }}{{ g.__proto__ }}', undefined],
    ['{% include "/etc/passwd" %}', /another template/],
    ['{% for i in range(1000000000) %}{% endfor %}', /too long/],
    ['{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}', /5 s/],
    ['{{ "x".repeat(1000000000) }}', /too long/],
    ['{{ "x" | center(1000000000) }}', /too many/],
    [
      '{% set x = ["a"] %}{% for i in range(60) %}{% set x = [x, x] %}{% endfor %}{{ x ~ "" }}',
      /5 s/,
    ],
    ['{% set x = "a" %}{% for i in range(60) %}{% set x = x ~ x %}{% endfor %}{{ x }}', /too long/],
    ['{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".replace(r/(a+)+b/g, "") }}', /5 s/],
    [`{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, /nested too deeply/],
    ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', /./],
  ])(
    'reach no further than their variables, and end: %s',
    (source, error) => {
      const render = () => compileNunjucks(source).render(variables);
      if (error) expect(render).toThrow(error);
      else expect(render()).toBe('');
    },
    30_000,
  );
});
