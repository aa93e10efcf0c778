import { describe, expect, test } from 'vitest';
import { mathEqual } from './math-equal.ts';

const compare = mathEqual();
const isRight = (got: string, want: string) => compare(got, want)?.value === 1;
const near = mathEqual({ tolerance: 1e-9 });

/** Values of Python's `math` and `cmath`, to their last digits. */
test.each([
  ['\\sin 2', 0.9092974268256817],
  ['\\cos 2', -0.4161468365471424],
  ['\\tan 2', -2.185039863261519],
  ['\\cot 2', -0.45765755436028577],
  ['\\sec 2', -2.402997961722381],
  ['\\csc 2', 1.0997501702946164],
  ['\\sinh 2', 3.626860407847019],
  ['\\cosh 2', 3.7621956910836314],
  ['\\tanh 2', 0.9640275800758169],
  ['\\arcsin 0.3', 0.3046926540153975],
  ['\\arccos 0.3', 1.2661036727794992],
  ['\\arctan 2', 1.1071487177940904],
  ['\\arccot 2', 0.4636476090008061],
  ['\\exp 2', 7.38905609893065],
  ['\\ln 3', 1.0986122886681098],
  ['\\log 3', 0.47712125471966244],
  ['\\lg 3', 0.47712125471966244],
  ['\\log_2 10', 3.321928094887362],
  ['\\sqrt{3}', 1.7320508075688772],
  ['\\sqrt[3]{2}', 1.2599210498948732],
  ['\\sqrt[5]{-2}', -1.148698354997035],
  ['3^{1/2}', 1.7320508075688772],
  ['(-8)^{1/3}', -2],
  ['(-8)^{2/3}', 4],
  ['2^{\\pi}', 8.824977827076287],
  ['\\pi^2', 9.869604401089358],
  ['e^{-1}', 0.36787944117144233],
  ['|{-3.5}|', 3.5],
  ['\\lfloor -2.5 \\rfloor', -3],
  ['\\lfloor 2.5 \\rfloor', 2],
  ['\\lceil -2.5 \\rceil', -2],
  ['\\lceil 2.5 \\rceil', 3],
  ['\\lfloor \\pi \\rfloor', 3],
  ['\\lceil \\pi \\rceil', 4],
  ['\\lfloor -\\pi \\rfloor', -4],
  ['\\lfloor 3 \\rfloor', 3],
  ['5!', 120],
  ['0!', 1],
  ['1!', 1],
  ['10!', 3628800],
  ['\\binom{5}{2}', 10],
  ['\\binom{5}{0}', 1],
  ['\\binom{5}{5}', 1],
  ['\\binom{10}{3}', 120],
  ['45^\\circ', 0.7853981633974483],
  ['50\\%', 0.5],
  ['\\min(3, 2, 5)', 2],
  ['\\max(3, 2, 5)', 5],
  ['2^{10}', 1024],
  ['2^{-3}', 0.125],
  ['0^3', 0],
  ['7^0', 1],
  ['(-1)^{101}', -1],
  ['(-1)^{100}', 1],
  ['(2/3)^{-2}', 2.25],
  ['\\frac{1}{2} + \\frac{1}{3}', 0.8333333333333334],
  ['\\frac{1}{2} - \\frac{1}{3}', 0.16666666666666666],
  ['\\frac{2}{3} \\cdot \\frac{3}{5}', 0.4],
  ['\\frac{2}{3} \\div \\frac{4}{5}', 0.8333333333333334],
  ['\\frac{3}{-4}', -0.75],
  ['\\sqrt{\\frac{9}{16}}', 0.75],
  ['\\sqrt[3]{\\frac{-8}{27}}', -0.6666666666666666],
  ['\\sqrt[4]{16}', 2],
  ['1.5!', undefined],
  ['(-2)!', undefined],
  ['\\binom{5}{1.5}', undefined],
  ['\\sqrt[0]{2}', undefined],
  ['\\sqrt[1.5]{2}', undefined],
  ['0^{-1}', undefined],
  ['\\frac{1}{0}', undefined],
  ['\\ln 0', undefined],
  ['\\ln(-1)', undefined],
])('%s is %s', (formula, value) => {
  if (value === undefined) {
    for (const guess of ['0', '1', '-1', '2', '\\pi']) {
      expect([guess, isRight(formula, guess)]).toEqual([guess, false]);
    }
    return;
  }
  const written = value.toFixed(12);
  expect([written, near(formula, written)?.value]).toEqual([written, 1]);
  for (const other of [value + 1, value - 1, value + 1e-6, -value || 1, 2 * value || 2]) {
    expect([other, near(formula, other.toFixed(12))?.value]).toEqual([other, 0]);
  }
});

test.each([
  ['e^{1000}', 'e^{1001}'],
  ['10^{400} + \\pi', '10^{401} + \\pi'],
  ['\\exp(800)', '\\exp(900)'],
  ['i e^{1000}', 'i e^{1001}'],
  ['200!', '201!'],
  ['x e^{1000}', 'x e^{1001}'],
])('what is too large to be told apart is not the same: %s, %s', (one, other) => {
  expect(isRight(one, other)).toBe(false);
});

describe('complex numbers', () => {
  test.each([
    ['(1 + i)(1 - i)', '2'],
    ['(1 + 2i)(3 + 4i)', '-5 + 10i'],
    ['\\frac{1 + 2i}{3 + 4i}', '\\frac{11 + 2i}{25}'],
    ['\\frac{1}{i}', '-i'],
    ['i^2', '-1'],
    ['i^3', '-i'],
    ['i^4', '1'],
    ['|3 + 4i|', '5'],
    ['e^{i\\pi}', '-1'],
    ['e^{i\\pi/2}', 'i'],
    ['(1+i)^2', '2i'],
    ['(1+i)^{-1}', '\\frac{1 - i}{2}'],
  ])('%s is %s', (one, other) => {
    expect([isRight(one, other), isRight(other, one)]).toEqual([true, true]);
    expect(isRight(one, `${other} + 1`)).toBe(false);
    expect(isRight(one, `${other} + i`)).toBe(false);
  });
});

describe('signs of Unicode', () => {
  test.each([
    ['3 × 4', '12'],
    ['3 · 4', '12'],
    ['3 ⋅ 4', '12'],
    ['3 ∙ 4', '12'],
    ['3 ÷ 4', '0.75'],
    ['3 ∕ 4', '0.75'],
    ['3 ⁄ 4', '0.75'],
    ['5 − 3', '2'],
    ['5 – 3', '2'],
    ['5 — 3', '2'],
    ['√16', '4'],
    ['2π', '2\\pi'],
    ['(0, ∞)', '(0, \\infty)'],
    ['x ≤ 3', 'x \\le 3'],
    ['x ≥ 3', 'x \\ge 3'],
    ['x ≠ 3', 'x \\ne 3'],
    ['x ≈ 3', 'x \\approx 3'],
    ['[0, 1] ∪ [2, 3]', '[0, 1] \\cup [2, 3]'],
    ['x ∈ [0, 1]', 'x \\in [0, 1]'],
    ['1 ± 2', '1 \\pm 2'],
    ['1 ∓ 2', '1 \\mp 2'],
    ['∅', '\\emptyset'],
    ['45°', '45^\\circ'],
    ['⟨1, 2⟩', '\\langle 1, 2 \\rangle'],
    ['½', '0.5'],
    ['⅓', '1/3'],
    ['⅔', '2/3'],
    ['¼', '0.25'],
    ['¾', '0.75'],
  ])('%s is %s', (one, other) => {
    expect([isRight(one, other), isRight(other, one)]).toEqual([true, true]);
    expect(isRight(one, '\\frac{17}{19}')).toBe(false);
  });
});

describe('names of commands', () => {
  test.each([
    ...['dfrac', 'tfrac', 'cfrac'].map((name) => [`\\${name}{1}{2}`, '0.5']),
    ...['dbinom', 'tbinom'].map((name) => [`\\${name}{5}{2}`, '10']),
    ...['cdot', 'times', 'ast'].map((name) => [`3 \\${name} 4`, '12']),
    ...['div', 'slash'].map((name) => [`3 \\${name} 4`, '0.75']),
    ['\\lbrace 1, 2 \\rbrace', '\\{1, 2\\}'],
    ['\\lbrack 1, 2 \\rbrack', '[1, 2]'],
    ['\\lvert -3 \\rvert', '3'],
    ['\\vert -3 \\vert', '3'],
    ...['leq', 'leqslant', 'le'].map((name) => [`x \\${name} 3`, 'x <= 3']),
    ...['geq', 'geqslant', 'ge'].map((name) => [`x \\${name} 3`, 'x >= 3']),
    ...['ne', 'neq'].map((name) => [`x \\${name} 3`, 'x \\ne 3']),
    ...['approx', 'equiv'].map((name) => [`x \\${name} 3`, 'x = 3']),
    ['x \\lt 3', 'x < 3'],
    ['x \\gt 3', 'x > 3'],
    ['f\\prime', "f'"],
    ['\\varnothing', '\\emptyset'],
    ['\\arcctg x', '\\arccot x'],
    ['\\tg x', '\\tan x'],
    ['\\ctg x', '\\cot x'],
    ['\\varphi + 1', '\\phi + 1'],
    ['\\varepsilon + 1', '\\epsilon + 1'],
    ...['text', 'textbf', 'textit', 'textrm', 'textup', 'textsf', 'mbox', 'hbox', 'mathrm'].map(
      (name) => [`5\\${name}{ cm}`, '5'],
    ),
    ...['mathbf', 'mathit', 'mathbb', 'mathcal', 'mathsf', 'boldsymbol', 'bm', 'vec', 'hat'].map(
      (name) => [`\\${name}{x} + 1`, 'x + 1'],
    ),
    ['sqrt(16)', '4'],
    ['pi/2', '\\frac{\\pi}{2}'],
    ['theta + alpha + beta', '\\theta + \\alpha + \\beta'],
    ...['infinity', 'inf', 'oo'].map((name) => [`(0, ${name})`, '(0, \\infty)']),
    ['1 and 2', '1, 2'],
    ['1 or 2', '1, 2'],
    ['50 percent', '50\\%'],
    ...['degree', 'degrees', 'deg'].map((name) => [`45 ${name}`, '45^\\circ']),
    ...['square units', 'sq ft', 'cubic meters', 'min', 'radians', 'rad', 'radian'].map((name) => [
      `5 ${name}`,
      '5',
    ]),
    ...['people', 'ways', 'times', 'points', 'hz', 'kj', 'mol', 'kw', 'watts'].map((name) => [
      `5 ${name}`,
      '5',
    ]),
    ...['N', 'J', 'W', 'V', 'A', 'K', 'C', 'F', 'T'].map((name) => [`5 m/${name}`, '5']),
    ...['Pa', 'kPa', 'kN', 'kW', 'kWh', 'Wh', 'Nm'].map((name) => [`5 ${name}`, '5']),
    ['5 m per s', '5'],
    ['5 m squared', '5'],
    ['5 m cubed', '5'],
  ])('%s is %s', (one, other) => {
    expect(isRight(one ?? '', other ?? '')).toBe(true);
    expect(isRight(one ?? '', '\\frac{17}{19}')).toBe(false);
  });

  test.each([
    ...['sum', 'prod', 'int', 'lim', 'partial', 'nabla', 'underline', 'to', 'rightarrow'],
    ...['implies', 'iff', 'ldots', 'dots', 'cdots', 'vdots', 'forall', 'exists', 'oint', 'iint'],
  ])('\\%s is not read', (name) => {
    expect(isRight(`\\${name} x`, `\\${name} y`)).toBe(false);
    expect(isRight(`\\${name} x`, 'x')).toBe(false);
  });
});

describe('relations and sets', () => {
  const relations = ['=', '<', '>', '<=', '>=', '\\ne', '\\in'];
  test.each(relations.flatMap((one) => relations.map((other) => [one, other] as const)))(
    'x %s y and x %s y',
    (one, other) => {
      // An equation is also told by what stands on its right side.
      expect(isRight(`x + z ${one} y`, `x + z ${other} y`)).toBe(one === other);
    },
  );

  const signs = ['\\cup', '\\cap', '\\setminus', '+', '-', '\\pm', '\\mp', '\\cdot', '/'];
  test.each(signs.flatMap((one) => signs.map((other) => [one, other] as const)))(
    'A %s B and A %s B',
    (one, other) => {
      const isPlusMinus = [one, other].every((sign) => ['\\pm', '\\mp'].includes(sign));
      expect(isRight(`A ${one} B`, `A ${other} B`)).toBe(one === other || isPlusMinus);
    },
  );
});
