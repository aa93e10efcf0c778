import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstNumber, lastNumber } from '../extract/number-extractors.ts';
import { readNumbers } from './read-numbers.ts';

test.each<[group: string, text: string, ...expected: string[]]>([
  ['plain', 'It is 18.', '18'],
  ['plain', 'x = 3.50 or 007', '3.5', '7'],
  ['plain', '12345678901234567890', '12345678901234567890'],
  ['plain', 'half is .5, see 3.5.2', '0.5', '3.5', '2'],
  ['plain', 'End of sentence.5 more', '5'],
  ['thousands', '80,000 yen', '80000'],
  ['thousands', '$1,234,567.80', '1234567.8'],
  ['thousands', '１，２３４', '1234'],
  ['thousands', '1\u202f234\u202f567', '1234567'],
  ['thousands', "1'234.5", '1234.5'],
  ['thousands', '80{,}000 and 1\\,234', '80000', '1234'],
  ['thousands', '2,400,00', '2', '400', '0'],
  ['spaces', '80 000 dollars', '80000'],
  ['spaces', '1 234 567.5, 12 345,50 and 1 000', '1234567.5', '12345.5', '1000'],
  [
    'spaces',
    '12 34, 1234 567, 1.5 000, 5 6 789',
    '12',
    '34',
    '1234',
    '567',
    '1.5',
    '0',
    '5',
    '6',
    '789',
  ],
  ['spaces: a list', '100 200 3000, 0 100, 80  000', '100', '200', '3000', '0', '100', '80', '0'],
  ['European', '1.234,56', '1234.56'],
  ['European', '1.234.567', '1234567'],
  ['European', '1\u00a0234,5', '1234.5'],
  ['European', '12,50 € and 7,5%', '12.5', '7.5'],
  ['European', '0,25', '0.25'],
  ['ambiguous: as in English', '1.234 and 1,234', '1.234', '1234'],
  ['lists', '1,2,3', '1', '2', '3'],
  ['lists', '(3,4)', '3', '4'],
  ['lists', '1.5,2.5', '1.5', '2.5'],
  ['signs', '-5, −3, +2, (-1)', '-5', '-3', '2', '-1'],
  ['signs', '5-3, 5 - 3, 2010-2015, A-1, 4)-2', '5', '3', '5', '3', '2010', '2015', '1', '4', '2'],
  ['signs', '-$40, $-40, -\\$1,000, －７', '-40', '-40', '-1000', '-7'],
  ['signs', '答えは-5です。▲120百万円', '-5', '-120'],
  ['signs', '-0', '0'],
  ['signs', '− 3', '-3'],
  ['signs', 'x = − 3, it is - 4, (− 5)', '-3', '-4', '-5'],
  ['signs', '5 − 3 and x − 2\n- 7 eggs', '5', '3', '2', '7'],
  ['signs', 'minus 3', '-3'],
  ['signs', 'It is **minus 3**: minus $4, (negative 5), マイナス6', '-3', '-4', '-5', '-6'],
  ['signs', '5 minus 3, ten minus 2, 5マイナス1', '5', '3', '2', '5', '1'],
  ['underscores', '1_000_000 or 12_345.5', '1000000', '12345.5'],
  ['underscores', '1_2, 1000_000, a_100', '1', '1000'],
  ['units', '5kg, 30%, 20°C, 3rd, ¥500', '5', '30', '20', '3', '500'],
  ['words', 'H2O, x2 = 7, v1.5, x_3', '7'],
  ['fractions', '3/4 cup, -1/2, 7/0', '0.75', '-0.5', '7', '0'],
  ['fractions', '3/4/2024', '3', '4', '2024'],
  ['fractions', '\\frac{3}{4}, -\\dfrac{-1}{8}, \\frac{x}{2}', '0.75', '0.125', '2'],
  ['powers', '1.5e3, 2 × 10^4, 6\\times 10^{-2}, 1.005e4', '1500', '20000', '0.06', '10050'],
  [
    'fractions',
    '½ or ¾, \\frac12, \\frac1{20}, \\frac{1}0',
    '0.5',
    '0.75',
    '0.5',
    '0.05',
    '1',
    '0',
  ],
  ['mixed', '1 1/2 cups, 2½, -3¼, 1\\frac{1}{2}, 4 \\frac34', '1.5', '2.5', '-3.25', '1.5', '4.75'],
  ['mixed', '2010 3/4, 1.5 1/2, 3 4/2, 1  1/2', '2010', '0.75', '1.5', '0.5', '3', '2', '1', '0.5'],
  ['powers', '10^6, 10^{-2}, 3 × 10⁸, 10⁻³', '1000000', '0.01', '300000000', '0.001'],
  ['powers', '110^2, 10.0^2, 2^10, 2³, -2^{3}', '12100', '100', '1024', '8', '-8'],
  ['powers', '3^40, 2^{-3}, 1.5², 9^999', '12157665459056928801', '0.125', '2.25', '9'],
  ['powers', 'x^2 is 9 m^2, y^{12}, 42^\\circ, 2^n', '9', '42', '2'],
  ['powers', '1e999 5em', '1', '5'],
  [
    'Japanese',
    '3万5千円、1億2,345万6789、2.5億、１０万',
    '35000',
    '123456789',
    '250000000',
    '100000',
  ],
  ['Japanese', '3万20億', '30000', '2000000000'],
  [
    'Japanese',
    '7千、3万、4萬、2億、5亿、6兆',
    ...['7000', '30000', '40000', '200000000', '500000000', '6000000000000'],
  ],
  ['Japanese', '1兆2億3万4千5', '1000200034005'],
  ['Japanese', '3千5千、2万2万', '3000', '5000', '20000', '20000'],
  ['Japanese', '1万10000', '10000', '10000'],
  ['fractions', '⅓ ⅔ ¼', `${1 / 3}`, `${2 / 3}`, '0.25'],
  ['fractions', '1⅓, 2⅔, 5¾', `${4 / 3}`, `${8 / 3}`, '5.75'],
  ['mixed', '3 1/1, 2 0/3, 999 1/2, 1000 1/2', '3', '1', '2', '0', '999.5', '1000', '0.5'],
  ['powers', '10^0, 5^0, 0^2, 10^300, 10^400', '1', '1', '0', `1${'0'.repeat(300)}`, '10'],
  ['powers', '1.5^-1, 2^-1', `${1 / 1.5}`, '0.5'],
  [
    'money',
    '1.500 €, €2.500, 3.500 Euro, EUR 4.500, 1.500 m',
    '1500',
    '2500',
    '3500',
    '4500',
    '1.5',
  ],
  ['money', 'R$ 1.250, 9.000 pesos, 1.200 kr, 15.000 VND', '1250', '9000', '1200', '15000'],
  ['money', '1.500 €/kg, 1.500 Euro per kg, 0.500 €', '1.5', '1.5', '0.5'],
  ['money', '₹1,25,000, Rs. 12,34,567.50, 1,00,000 rupees', '125000', '1234567.5', '100000'],
  ['money', '1,25,000 apples', '1', '25', '0'],
  ['points', '.5 a.5 ).5 1..5', '0.5', '5', '5', '1', '5'],
  ['times', '12:30', '12', '30'],
  ['none', 'none or IV', ...[]],
])('%s: %s', (_, text, ...expected) => {
  expect([...readNumbers(text)].map(({ value }) => value)).toEqual(expected);
});

test('positions are those of the whole number in the text as written', () => {
  const text = '合計は－＄１，２３４．５０です';
  const found = firstNumber.extract(text);
  expect(found?.value).toBe('-1234.5');
  expect(text.slice(found?.start, found?.end)).toBe('－＄１，２３４．５０');
});

test.each([
  ['a €1.500 b', '1.500'],
  ['so .25 b', '.25'],
  ['a 3万5千 b', '3万5千'],
  ['a ½ b', '½'],
  ['a 2½ b', '2½'],
  ['a 1 1/2 b', '1 1/2'],
  ['a 3/4 b', '3/4'],
  ['a 2^{10} b', '2^{10}'],
  ['a 6 × 10^4 b', '6 × 10^4'],
  ['it is - 4 b', '- 4'],
  ['a \\frac{3}{4} b', '\\frac{3}{4}'],
])('in %j a number stands at %j', (text, written) => {
  const [found] = readNumbers(text);
  expect(text.slice(found?.start, found?.end)).toBe(written);
});

test('a list of numbers has each in its place', () => {
  const text = '(3,4) and 1,2,3';
  expect([...readNumbers(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
    ...'34123',
  ]);
});

test('the first and the last number', () => {
  const text = '3 × 6 = 18 eggs';
  expect(firstNumber.extract(text)).toEqual({ value: '3', start: 0, end: 1 });
  expect(lastNumber.extract(text)).toEqual({ value: '18', start: 8, end: 10 });
  expect(lastNumber.extract('')).toBeUndefined();
});

const messy = fc.string({
  unit: fc.constantFrom(..."0123456789,.'-+−/e×^{}\\ x$%€万億千 \u00a0", '\\frac{', '１'),
  maxLength: 40,
});

test('any text gives finite numbers in order, within the text', () => {
  fc.assert(
    fc.property(fc.oneof(messy, fc.string({ unit: 'binary' })), (text) => {
      let from = 0;
      for (const { value, start, end } of readNumbers(text)) {
        expect(Number.isFinite(Number(value))).toBe(true);
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        from = end;
      }
    }),
    { numRuns: 2000 },
  );
});

test('a number written in any of the usual ways reads as itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(999), (whole, milli) => {
      const value = whole + Math.sign(whole) * (milli / 1000);
      for (const locale of ['en-US', 'fr-FR', 'de-CH']) {
        const written = value.toLocaleString(locale, { maximumFractionDigits: 3 });
        if (locale !== 'en-US' && Math.abs(value) < 1000) continue;
        expect(Number(firstNumber.extract(`= ${written} `)?.value)).toBe(Number(value.toFixed(3)));
      }
    }),
  );
});
