import { describe, expect, test } from 'vitest';
import { answerNumber } from './answer-number.ts';
import { runChain } from './extractor.ts';
import { afterMarker, answerLine, answerMarkers, answerTag, lastBoxes } from './marked-answer.ts';
import { numbersOf } from './number-extractors.ts';
import { lastAmount, resultNumber } from './result-number.ts';

const read = (text: string) => runChain(answerNumber, text).found?.value;

test.each([
  // What stands in two units is both; the sizes of units are the usual ones.
  ['120 seconds (2 minutes)', '120 (2)'],
  ['90 mins (1.5 hours)', '90 (1.5)'],
  ['48 hours (2 days)', '48 (2)'],
  ['14 days (2 weeks)', '14 (2)'],
  ['8.7 weeks (2 months)', '8.7 (2)'],
  ['24 months (2 years)', '24 (2)'],
  ['30 years (3 decades)', '30 (3)'],
  ['300秒（5分钟）', '300 (5)'],
  ['2時間（120分）', '2 (120)'],
  ['10 mm (1 cm)', '10 (1)'],
  ['5.08 cm (2 inches)', '5.08 (2)'],
  ['24 inches (2 feet)', '24 (2)'],
  ['6 ft (2 yards)', '6 (2)'],
  ['10 yards (9.144 m)', '10 (9.144)'],
  ['3000 meters (3 km)', '3000 (3)'],
  ['8.05 km (5 miles)', '8.05 (5)'],
  ['2000 mg (2 g)', '2000 (2)'],
  ['567 grams (20 oz)', '567 (20)'],
  ['32 ounces (2 pounds)', '32 (2)'],
  ['2.2 lbs (1 kg)', '2.2 (1)'],
  ['2000 kg (2 tons)', '2000 (2)'],
  ['1000 ml (1 liter)', '1000 (1)'],
  ['4 cups (2 pints)', '4 (2)'],
  ['8 pints (4 quarts)', '8 (4)'],
  ['4 quarts (1 gallon)', '4 (1)'],
  ['3.785 liters (1 gallon)', '3.785 (1)'],
  ['250 cents (2.5 dollars)', '250 (2.5)'],
  ['3 dollars (300 cents)', '3 (300)'],
  ['2 dozen (24)', '2 (24)'],
  ['3 hundred (300)', '3 (300)'],
  ['4 thousand (4000)', '4 (4000)'],
  ['1.5 million (1,500,000)', '1.5 (1500000)'],
  ['2 billion (2,000,000,000)', '2 (2000000000)'],
  ['5 trillion (5000000000000)', '5 (5000000000000)'],
  ['7 days (or 1 week)', '7 (1)'],
  ['7 days (≈ 1 week)', '7 (1)'],
  // Up to a twentieth is rounding; more is another number.
  ['20 inches (51 cm)', '20 (51)'],
  ['20 days (2.9 weeks)', '20 (2.9)'],
  ['20 days (4 weeks)', '20'],
  ['7 days (1 mile)', '7'],
  ['7 days (12 apples)', '7'],
  ['7 apples (12 pears)', '7'],
])('%s is %s', (text, value) => {
  expect(lastAmount.extract(text)?.value).toBe(value);
});

test.each([
  ['7 (1)', ['7', '1']],
  ['7', ['7']],
  ['7 (1', ['7 (1']],
  ['', ['']],
])('the numbers of %j', (amount, numbers) => {
  expect(numbersOf(amount)).toEqual(numbers);
});

describe('the number of an answer that says more', () => {
  test.each([
    // Remarks, steps, items and times are not the result.
    ['80000 (2 steps)', '80000'],
    ['It costs 30 dollars (2 trips)', '30'],
    ['They are 24 students (12 boys and 12 girls)', '24'],
    ['42, not 41', '42'],
    ['It is 42. 41 is wrong.', '42'],
    ['It is 42, rather than 41', '42'],
    ['42 apples, 不是 41', '42'],
    ['It is 12.\n2. Then we check.', '12'],
    ['It is 12.\nStep 2', '12'],
    ['It is 12. Step 2 of 3', '12'],
    ['12 people come at 9:30', '12'],
    ['3,000 (three thousand) dollars in 2 years', '3000'],
    ['5\nExplanation: 2 + 3', '5'],
    ['5\n**Reasoning:** 2 + 3 = 5, then 7', '5'],
    ['5\n解析：2 + 3', '5'],
    // A total, and what it is made of.
    ['48 eggs in total: 4 boxes with 12 each', '48'],
    ['In total 42, including 2 for tax', '42'],
    ['Altogether 42, which is 40 and 2', '42'],
    ['Altogether 42, which is 40 and 3', '3'],
    ['Altogether 42, which is 6 times 7', '42'],
    ['一共42个，其中2个', '42'],
    ['Altogether 42, that is 7', '7'],
    ['There are 42, which is 40 and 2', '2'],
    ['2 + 3 = 5', '5'],
  ])('%s: %s', (text, value) => {
    expect(resultNumber.extract(text)?.value).toBe(value);
  });

  test.each([
    ['The answer is not 41 but 42, by rule 3.', '42'],
    ["The answer isn't 41. It is 42.", '42'],
    ['The answer is not 41.', undefined],
    ['The answer cannot be 41. The answer is 40.', '40'],
    ['答案不是41，而是42', '42'],
    ['The answer is 12. Wait, no, it is 13.', '13'],
    ['The answer is 12. Actually, 13 apples.', '13'],
    ['Wait, 13. The answer is 12.', '12'],
    ['The answer is 12. Wait, not 13.', '12'],
    ['The answer is fifteen apples, since 3 + 12.', '15'],
    ['The answer is one of the 3 boxes', '3'],
    ['The answer is one', '1'],
    ['The answer is x = 4', '4'],
    ['The answer is 24 (= 12 × 2)', '24'],
    ['It is twelve.', '12'],
    ['There are two boys. So there are twelve.', '12'],
    ['There are two boys. There are twelve.', undefined],
    ['Twelve or thirteen.', undefined],
    ['One of them is right.', undefined],
    ['\\boxed{twelve}', '12'],
    ['<answer>12</answer>', '12'],
    ['<answer>3 + 4 = 7</answer> or 9', '7'],
    ['3 + 4 = 7\n#### 7', '7'],
    ['#### 7 eggs of 12', '7'],
    // What is left open.
    ['10 or 12', undefined],
    ['It is 10 or maybe 12.', undefined],
    ['between 3 and 5', undefined],
    ['about 3 to 5', undefined],
    ['3 and 5', '5'],
    ['3, 4, or 5', undefined],
    ['The answer is 3, 4, or 5', undefined],
    ['40-45', undefined],
    ['45-40', '40'],
    ['45-40 = 5', '5'],
    ['12:30', undefined],
    ['1 hour and 30 minutes', undefined],
    ['6 feet 2 inches', undefined],
    ['10 or 10', '10'],
    ['7 days or 1 week', '1'],
    ['7 days or 8 days', undefined],
    // What is cut off or refused.
    ['3 plus 4 is', undefined],
    ['3 plus 4 equals', undefined],
    ['3 + 4 =', undefined],
    ['I cannot determine it from 3 boxes.', undefined],
    ['I cannot determine it, but I guess 3.', '3'],
    ['Not enough information: 3 boxes.', undefined],
    ['无法确定3', undefined],
    ['分かりません。3個', undefined],
  ])('%j: %s', (text, value) => {
    expect(read(text)).toBe(value);
  });
});

describe('marked answers', () => {
  test.each([
    ...['answer is', 'answer:', '答えは', '答え:', '正解は', '正解:', '答案是', '答案:'],
    ...['antwort ist', 'antwort lautet', 'antwort:', 'réponse est', 'réponse :', 'réponse:'],
    ...['respuesta es', 'respuesta correcta es', 'respuesta:', 'risposta è', 'risposta corretta è'],
    ...['risposta:', 'resposta é', 'resposta correta é', 'resposta:', 'ответ:', 'ответ —'],
    ...['정답은', '정답:', '답은', '답:', 'đáp án là', 'đáp án:', 'jawaban:', 'jawabannya adalah'],
  ])('%s', (marker) => {
    expect(answerMarkers).toContain(marker);
    expect(answerLine.extract(`12 ${marker} 42\n7`)?.value).toBe('42');
    expect(answerLine.extract(`12 ${marker.toUpperCase()} 42\n7`)?.value).toBe('42');
  });

  test.each([
    ['Answer:\n\n42\n7', '42'],
    ['**Answer:** 42**', '42'],
    ['Answer: 1\nAnswer: 42', '42'],
    ['Answer: 42 _*', '42'],
    ['Answer:', undefined],
    ['nothing', undefined],
    ['Answer: $$\n42\n$$', '42'],
    ['Answer:\n```text\n42\n```', '42'],
  ])('the line of %j is %s', (text, value) => {
    const found = answerLine.extract(text);
    expect(found?.value).toBe(value);
    if (found) expect(text.slice(found.start, found.end)).toBe(value);
  });

  test('an own marker stands for itself, and for its other widths', () => {
    const marked = afterMarker(['Ergebnis:', '結果:']);
    expect(marked.extract('ERGEBNIS: 42')?.value).toBe('42');
    expect(marked.extract('結果： 42')?.value).toBe('42');
    expect(marked.extract('Ergebnis 42')).toBeUndefined();
  });

  test.each([
    ['\\boxed{7}', '7', '7'],
    ['\\boxed{\\frac{1}{2}} x', '\\frac{1}{2}', '\\frac{1}{2}'],
    ['\\boxed{1} and \\boxed{2}', '1, 2', '1} and \\boxed{2'],
    ['\\boxed{1}, \\boxed{1}', '1', '1}, \\boxed{1'],
    [`\\boxed{1} and ${'x '.repeat(20)} \\boxed{2}`, '2', '2'],
    ['\\boxed{1}. But \\boxed{2}', '2', '2'],
    ['\\boxed{\\boxed{3}}', '3', '3'],
    ['\\boxed{1', undefined, ''],
    ['boxed', undefined, ''],
  ])('the boxes of %j', (text, value, written) => {
    const found = lastBoxes.extract(text);
    expect(found?.value).toBe(value);
    expect(text.slice(found?.start ?? 0, found?.end ?? 0)).toBe(written);
  });

  test.each([
    ['<answer> 7 </answer> 8', '7'],
    ['<final_answer>7</final_answer>', '7'],
    ['<answer>1</answer><answer>2</answer>', '2'],
    ['<ANSWER>7</ANSWER>', '7'],
    ['<answer></answer>', undefined],
    ['<answer>7', undefined],
    ['7', undefined],
  ])('the tag of %j is %s', (text, value) => {
    expect(answerTag.extract(text)?.value).toBe(value);
  });
});

test.each([
  ['5\n\nQuestion: 3 + 3?\nAnswer: 6', '5'],
  ['5\nQ: 3 + 3?\nA: 6', '5'],
  ['5<|im_end|>\n<|im_start|>user\n7', '5'],
  ['5</s> 9', '5'],
  ['5\nHuman: and 9?', '5'],
  ['5\n### Instruction: 9', '5'],
  ['5\n問題: 9', '5'],
  ['5\nFrage: 9', '5'],
  ['Let us see.\nQuestion: what is 4 + 4?\n8', '8'],
  ['Here is the question:\nQuestion: 9\nAnswer: 8', '8'],
  ['So 2 + 3 = 5\n\nExample: 9', '5'],
  ['We have 2 boys.\nThere are 3 girls.\nQuestion: how many? 5', '5'],
])('what is read of %j', (text, value) => {
  expect(read(text)).toBe(value);
});

describe('units, clauses, signs and asides', () => {
  test.each([
    // The prefix of a unit does not multiply.
    ['长江全长约6300千米。', '6300'],
    ['3千克', '3'],
    ['80千米/时', '80'],
    ['5千瓦时', '5'],
    ['10兆瓦', '10'],
    ['1013百帕', '1013'],
    ['2亿千瓦', '200000000'],
    ['2千字节', '2'],
    ['3千人', '3000'],
    ['2百万', '2000000'],
    ['2百万人', '2000000'],
    ['3千万元', '30000000'],
    ['200万', '2000000'],
    ['3万5千', '35000'],
    // A full-width comma ends a clause.
    ['答案是195，193个是联合国成员国。', '195'],
    ['答案是12，5加7等于12。', '12'],
    ['答案是27，2020年后。', '27'],
    ['答案是1，234，567。', '1234567'],
    // Signs in words.
    ['负40', '-40'],
    ['结果为负5。', '-5'],
    ['负五', '-5'],
    ['零下40度', '-40'],
    ['氷点下5度', '-5'],
    ['영하 5도', '-5'],
    ['마이너스 5', '-5'],
    ['минус 5', '-5'],
    ['moins 5', '-5'],
    ['menos 5', '-5'],
    ['40 degrees below zero', '-40'],
    ['It is 40 °C below zero.', '-40'],
    ['10 menos 5', '5'],
    // Sources, margins and years.
    ['The US has 50 states [1].', '50'],
    ['美国有50个州。[1]', '50'],
    ['6371 ± 10 km', '6371'],
    ['27 EU members as of 2020.', '27'],
    ['The answer is [42].', '42'],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('a year in brackets after the amount is no amount', () => {
    expect(read('Tokyo has 13.96 million people (2021).')).toBe(
      read('Tokyo has 13.96 million people.'),
    );
  });
});

test.each([
  ['Answer:\nTom has 3 apples and buys 4.\nSo 7.', '7'],
  ['Answer: Tom has 3 apples and buys 4, so 7.', '7'],
  ['**Answer:**\n\nFirst, 3 apples.\n\nThen 4.\n\nTotal 7', '7'],
  ['Answer: The total is 42. I used 3 steps.', '42'],
  ['Answer: about 42, so 3 boxes', '42'],
  ['Answer: The price is $42 in total for 3 kids', '42'],
  ['Answer: x = 42, so 3 boxes', '42'],
])('%j begins with a solution or with its result: %s', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each([
  ['### Answer\n42\n\n### Explanation\n6 rows of 7', '42'],
  ['**Final Answer**\n\n42 units\n\nThis uses 3 steps.', '42'],
  ['## Answer\nTom has 3 apples and buys 4.\nSo 7.', '7'],
])('%j has the answer under its heading: %s', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each([
  ['The answer is 20% of 50, which is 10.', '10'],
  ['The answer is $20\\%$ of $50$, which is $10$.', '10'],
  ['The answer is half of 84, i.e. 42.', '42'],
  ['The answer is 84 divided by 2, which equals 42', '42'],
  ['The answer is 10% of 420, so 42', '42'],
  ['The answer is 50 - 8, that is 42', '42'],
  ['The answer is twice 21: 42', '42'],
  ['The answer is 3 more than 39, which is 42', '42'],
  ['The answer is 42, which is 8 less than 50.', '42'],
  ['The answer is 10% of the total, which is 420', '10%'],
])('%j comes to %s', (text, value) => {
  expect(read(text)).toBe(value);
});
