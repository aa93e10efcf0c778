import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileScorer } from '../compile-scorer.ts';
import { splitAnswer } from '../split-thought.ts';
import { mathEqual } from './math-equal.ts';
import { parseMath } from './parse-math.ts';

const compare = mathEqual();
const isRight = (got: string, want: string) => compare(got, want)?.value === 1;

const units =
  'mm cm m km meter meters metre metres centimeter centimeters in inch inches ft foot feet yd yard yards mi mile miles kilometer kilometers kilometre kilometres unit units g kg mg gram grams kilogram kilograms lb lbs pound pounds oz ounce ounces ton tons l ml liter liters litre litres gallon gallons s sec second seconds minute minutes h hr hrs hour hours day days week weeks month months year years mph kmh dollar dollars cent cents euro euros yen min radian radians rad people ways times points hz kj mol kw watts';
const functions =
  'sin cos tan cot sec csc sinh cosh tanh exp ln log lg arcsin arccos arctan arccot';
const looks =
  'left( right) big( Big( bigg( Bigg( bigl( bigr) Bigl( Bigr) displaystyle textstyle quad qquad thinspace rm bf it hfill allowbreak strut mathstrut';

describe('words of formulas', () => {
  test.each(units.split(' '))('%s is a unit', (unit) => {
    const written = unit.length === 1 ? `5\\text{ ${unit}}` : `5 ${unit}`;
    expect([isRight(written, '5'), isRight(written, '6')]).toEqual([true, false]);
  });

  test.each(functions.split(' '))('%s is a function', (name) => {
    expect(isRight(`\\${name}(x)`, `\\${name} x`)).toBe(true);
    expect(isRight(`${name}(x)`, `\\${name}(x)`)).toBe(true);
    expect(isRight(`\\${name}(x)`, `\\${name}(y)`)).toBe(false);
  });

  test.each(looks.split(' '))('\\%s changes looks only', (name) => {
    const opens = name.endsWith('(');
    const written = opens
      ? `\\${name}x + 1)`
      : name.endsWith(')')
        ? `(x + 1\\${name}`
        : `\\${name} x + 1`;
    expect([isRight(written, 'x + 1'), isRight(written, 'x + 2')]).toEqual([true, false]);
  });

  test.each(['boxed', 'fbox'])('\\%s stands around an answer', (name) => {
    expect(isRight(`\\${name}{7}`, '7')).toBe(true);
  });
});

describe('the same', () => {
  test.each<[group: string, one: string, other: string]>([
    ['fractions', '\\frac{1}{2}', '0.5'],
    ['fractions', '\\dfrac12', '1/2'],
    ['fractions', '\\frac1{20}', '0.05'],
    ['fractions', '-\\frac{1}{2}', '\\frac{-1}{2}'],
    ['fractions', '3\\frac{1}{2}', '3.5'],
    ['fractions', '-1 1/2', '-\\frac32'],
    ['fractions', '0.\\overline{3}', '\\frac{1}{3}'],
    ['fractions', '0.1\\overline{6}', '1/6'],
    ['fractions', '6:4', '3:2'],
    ['fractions', '½', '0.50'],
    ['numbers', '1,000', '10^3'],
    ['numbers', '12{,}345.60', '12345.6'],
    ['numbers', '1.5\\times10^{3}', '1500'],
    ['numbers', '\\frac{10^{100}}{10^{99}}', '10'],
    ['numbers', '\\$ 5', '5'],
    ['numbers', '5!', '120'],
    ['numbers', '\\binom{5}{2}', '10'],
    ['numbers', '\\lfloor -3.5 \\rfloor + \\lceil 0.5 \\rceil', '-3'],
    ['numbers', '|{-3}|', '3'],
    ['numbers', '2516_8', '2516_{8}'],
    ['percent and degrees', '50\\%', '0.5'],
    ['percent and degrees', '50\\%', '50'],
    ['percent and degrees', '90^\\circ', '90'],
    ['percent and degrees', '90^{\\circ}', '\\frac{\\pi}{2}'],
    ['percent and degrees', '\\sin 30°', '1/2'],
    ['units', '12\\text{ cm}^2', '12'],
    ['units', '5\\,\\mathrm{m/s}', '5'],
    ['units', '3 square feet', '3'],
    ['units', '5 min', '5'],
    ['roots', '\\frac{\\sqrt{2}}{2}', '\\frac{1}{\\sqrt2}'],
    ['roots', '2√3', '\\sqrt{12}'],
    ['roots', '\\sqrt[3]{-8}', '-2'],
    ['roots', '\\sqrt{x^2}', '|x|'],
    ['roots', '\\sqrt{ab}', '\\sqrt a\\sqrt b'],
    ['roots', '\\sqrt{3+2\\sqrt2}', '1+\\sqrt2'],
    ['algebra', 'x^2+2x+1', '(x+1)^2'],
    ['algebra', '\\frac{x^2-1}{x-1}', 'x+1'],
    ['algebra', '2^{n+1}', '2\\cdot 2^n'],
    ['algebra', '\\frac{(n+1)!}{n!}', 'n+1'],
    ['algebra', '\\binom{n}{2}', '\\frac{n(n-1)}{2}'],
    ['algebra', 'x_1 + x_{2}', 'x_2+x_1'],
    ['algebra', '\\left(x-1\\right)\\left(x-2\\right)', '(x-2)(x-1)'],
    ['algebra', 'x**2*y', 'yx²'],
    ['algebra', 'x+-2', '-(2-x)'],
    ['functions', '\\sin^2x+\\cos^2x', '1'],
    ['functions', '\\sin 2x', '2\\sin x\\cos x'],
    ['functions', '\\ln 8', '3\\ln 2'],
    ['functions', '\\log_2 8 + \\log 100', '5'],
    ['functions', '\\tan^{-1} 1', '\\pi/4'],
    ['functions', '\\cos(n\\pi)', '(-1)^n'],
    ['functions', '\\max(1, \\sqrt 5)', 'sqrt(5)'],
    ['functions', '\\operatorname{arccos} 0', '\\pi/2'],
    ['complex', '(1+i)^2', '2i'],
    ['complex', 'e^{i\\pi}', '-1'],
    ['complex', '\\sqrt{-4}', '2i'],
    ['equations', 'x=5', '5'],
    ['equations', 'f(x) = 2x+1', '1+2x'],
    ['equations', 'x = 2+3 = 5', '5'],
    ['equations', '2x+y=3', 'y=3-2x'],
    ['equations', 'x^2+y^2=4', '4=y^2+x^2'],
    ['inequalities', '3<x', 'x>3'],
    ['inequalities', 'x > 3', '(3,\\infty)'],
    ['inequalities', '1<x\\le 3', '(1,3]'],
    ['inequalities', '5>x', '(-\\infty,5)'],
    ['binomials', '\\binom{100}{50}', '100891344545564193334812497256'],
    ['signs', '(\\pm 1, 2)', '(1,2),(-1,2)'],
    ['powers', '3\\pi^{-2}', '\\frac{3}{\\pi^2}'],
    ['inequalities', 'x\\in[0,1]', '[0, 1]'],
    ['intervals', '(-\\infty,2]\\cup[3,4)', '[3,4)\\cup(-\\infty,2]'],
    ['tuples', '\\left(\\frac{1}{2},3\\right)', '(0.5, 3)'],
    ['tuples', '(2,3)', '2,3'],
    ['sets', '\\{1,2\\}', '{2, 1}'],
    ['sets', '7 \\text{ and } 8', '8, 7'],
    ['sets', 'x=1\\text{ or }x=2', '\\{1, 2\\}'],
    ['sets', '\\emptyset', '\\{\\}'],
    ['signs', '\\pm 3', '-3, 3'],
    ['signs', 'x = 1\\pm\\sqrt{5}', '1+\\sqrt5, 1-\\sqrt 5'],
    [
      'matrices',
      '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
      '\\begin{bmatrix}1&\\frac42\\\\3&4\\\\\\end{bmatrix}',
    ],
    ['matrices', '\\begin{array}{cc}1&2\\end{array}', '\\begin{matrix}1&2\\end{matrix}'],
    ['words', '\\text{Evelyn}', 'evelyn.'],
    ...['text', 'textbf', 'textit', 'textrm', 'textup', 'textsf', 'mbox', 'hbox', 'mathrm'].map(
      (name): [string, string, string] => ['words', `\\${name}{Evelyn}`, 'Evelyn'],
    ),
    ['words', '\\text{(B)}', 'B'],
    ['looks', '$\\displaystyle\\frac{3}{4}$', '\\(0.75\\)'],
    ['looks', '\\boxed{4}', '4.'],
    ['looks', '\\\\ ', '\\\\'],
    ['looks', '\\mathbf{v}', 'v'],
    ['unreadable, but alike', '\\sum_{i=1}^n \\left( i \\right)', '$\\sum_{i=1}^n(i)$'],
  ])('%s: %s and %s', (_, one, other) => {
    expect([isRight(one, other), isRight(other, one)]).toEqual([true, true]);
  });
});

describe('not the same', () => {
  test.each<[group: string, one: string, other: string]>([
    ['fractions', '\\frac{1}{3}', '0.333'],
    ['fractions', '\\frac{a}{b}', '\\frac{b}{a}'],
    ['fractions', '2 3', '6'],
    ['numbers', '3.14', '\\pi'],
    ['numbers', '2^{1000}', '2^{1000}+1'],
    ['numbers', '9^{9^{9^9}}', '1'],
    ['numbers', '100000!', '1'],
    ['numbers', '\\frac{1}{0}', '1'],
    ['numbers', '2516_8', '2516_7'],
    ['numbers', '1.0000000000000001', '1'],
    ['percent', '50', '0.5'],
    ['percent', '50\\%', '0.5\\%'],
    ['algebra', 'x+1', 'x+2'],
    ['algebra', '-x', 'x'],
    ['algebra', '\\sqrt{x^2}', 'x'],
    ['algebra', 'xy', 'x+y'],
    ['algebra', 'x', 'X'],
    ['algebra', '(14((19^2+x)^2))^2+1', '(14((19^2+x)^2))^2'],
    ['equations', 'x=1', 'x=2'],
    ['equations', '2x+y=3', 'y=3+2x'],
    ['inequalities', 'x\\ge 0', 'x>0'],
    ['inequalities', 'x > 3', 'x < 3'],
    ['inequalities', '5>x', '(5,\\infty)'],
    ['binomials', '\\binom{100}{50}', '100891344545564193334812497257'],
    ['signs', '(\\pm 1, 2)', '1,2,-1,2'],
    ['intervals', '[0,1)', '[0,1]'],
    ['tuples', '(1,2)', '(2,1)'],
    ['tuples', '(1,2)', '\\{1,2\\}'],
    ['sets', '1,2', '1,2,2'],
    ['sets', '1,2', '1,3'],
    ['signs', '\\pm 3', '3'],
    ['infinity', '\\infty', '-\\infty'],
    ['matrices', '\\begin{pmatrix}1&2\\end{pmatrix}', '\\begin{pmatrix}1\\\\2\\end{pmatrix}'],
    ['words', '\\text{even}', 'odd'],
    ['words', 'silent', 'listen'],
    ['words', '\\text{A}', 'B'],
    ['unreadable', '\\sum_{i=1}^n i', '\\frac{n(n+1)}{2}'],
  ])('%s: %s and %s', (_, one, other) => {
    expect([isRight(one, other), isRight(other, one)]).toEqual([false, false]);
  });
});

test.each<[raw: string, gold: unknown, value: number]>([
  ['So $x^2 = 4$ and $x = \\pm 2$.', '2, -2', 1],
  ['The answer is $\\frac{6}{8}$.', 'Hence \\boxed{\\frac{3}{4}}', 1],
  ['The answer is 3/4.', '0.75', 1],
  ['\\boxed{2\\sqrt{2}} since $x>0$', '\\sqrt{8}', 1],
  ['(x+1)^2', 'x^2+2x+1', 1],
  ['We get\n\nx + 1', '1+x', 1],
  ['They cost $5 each, so $15 in all.', 15, 1],
  ['That is 7 apples.', ['6', '7'], 1],
  ['\\[ y = 2 \\]', 3, 0],
])('finds the formula of %j', (raw, gold, value) => {
  const scorer = compileScorer({ evaluator: { type: 'math' } });
  expect(scorer.score({ answer: splitAnswer(raw), gold, row: {} })).toMatchObject({ value });
});

test('a tolerance counts for numbers, exact or not', () => {
  const near = mathEqual({ tolerance: 0.01 });
  expect([near('3.14', '\\pi')?.value, near('0.34', '1/3')?.value]).toEqual([1, 1]);
  expect([near('3.1', '\\pi')?.value, near('0.35', '1/3')?.value]).toEqual([0, 0]);
  expect(mathEqual({ relativeTolerance: 0.01 })('-99', '-100')?.value).toBe(1);
  expect(compare('1', ' ')).toBeUndefined();
});

const leaf = fc.oneof(
  fc.integer({ min: 1, max: 20 }).map(String),
  fc.constantFrom('x', 'y', '\\pi', '\\frac{2}{3}', '\\sqrt{2}', '0.25'),
);
const { formula } = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `(${a}+${b})`),
    fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `(${a})(${b})`),
    fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `\\frac{${a}}{1+(${b})^2}`),
    tie('formula').map((a) => `\\left(-${a}\\right)`),
    tie('formula').map((a) => `(${a})^{2}`),
  ),
}));

test('a formula is the same as itself in other words, and not as one more', () => {
  fc.assert(
    fc.property(formula, formula, (one, other) => {
      expect(isRight(`${one}+${other}`, `${other}+${one}`)).toBe(true);
      expect(isRight(`(${one})(${other}+1)`, `(${one})(${other})+${one}`)).toBe(true);
      const small = `\\frac{1}{1+(${one})^2}`;
      expect(isRight(`${small}+\\frac{1}{10^6}`, small)).toBe(false);
    }),
  );
});

const pieces = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '\\{',
    '\\}',
    '|',
    '\\frac',
    '\\sqrt',
    '\\sqrt[',
    '^',
    '_',
    '!',
  ],
  ...[
    '\\left',
    '\\right|',
    '\\begin{pmatrix}',
    '\\end{pmatrix}',
    '&',
    '\\\\',
    '\\text{',
    ',',
    '=',
    '<',
  ],
  ...[
    '\\pm',
    '\\cup',
    '\\sin',
    '\\log_',
    '1',
    '12.5',
    'x',
    '-',
    '/',
    '%',
    '^\\circ',
    '$',
    "'",
    ' ',
  ],
  ...['\\overline{3}', '\\binom', '10^{9}', '\\infty', '\\lfloor', '½', 'and'],
];

test('any text is read or not, and never throws', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, text, (got, want) => {
      expect([undefined, 0, 1]).toContain(compare(got, want)?.value);
      expect(compare(got, got)?.value ?? 1).toBe(1);
    }),
    { numRuns: 2000 },
  );
});

test('what is too long or too deep is not read', () => {
  for (const piece of pieces) {
    for (const count of [60, 600, 100_000]) {
      const text = piece.repeat(count);
      expect([undefined, 0, 1]).toContain(compare(text, `${text}1`)?.value);
    }
  }
  expect(parseMath(`${'('.repeat(100)}1${')'.repeat(100)}`)).toBeUndefined();
  expect(parseMath(`${'1+'.repeat(900)}1`)).toBeDefined();
});
