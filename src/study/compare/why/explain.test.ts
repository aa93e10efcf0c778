import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowRecord } from '../../../run/store/row-record.ts';
import { LoggedRows } from '../logged-rows.ts';
import { pairRows } from '../pair-rows.ts';
import { type ExplainedSide, explain } from './explain.ts';
import { pairByText } from './pair-by-text.ts';
import type { RowTexts } from './row-texts.ts';

const word = fc.constantFrom('4', '5', '4.0', 'It is 4.');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const row = fc.record({
  question: fc.integer({ min: 0, max: 30 }),
  style: fc.constantFrom('Question:', 'Q:', undefined),
  answer: word,
  extracted: maybe(word),
  gold: maybe(word),
  score: maybe(fc.constantFrom(0, 0.25, 1)),
});

type GeneratedRow = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

function sideOf(given: readonly GeneratedRow[]): ExplainedSide {
  const rows = new LoggedRows();
  const texts = given.map(({ question, style, answer, extracted, gold, score }, id) => {
    const record: RowRecord = {
      ...{ id, key: `${id}`, prompt: '', answer },
      ...(score === undefined ? { outcome: 'unscored' } : { outcome: 'scored', score }),
    };
    rows.add(record, id);
    const prompt = style && `${style} what is ${question} + ${question}?`;
    return [id, { record, prompt, answer, extracted, gold }] as const satisfies [number, RowTexts];
  });
  return { rows, texts: { harness: 'a harness', rows: new Map(texts) } };
}

const side = fc
  .uniqueArray(row, { selector: ({ question }) => question, minLength: 1, maxLength: 25 })
  .map(sideOf);

test('the parts of any difference add up to it, and name rows that are there', () => {
  fc.assert(
    fc.property(side, side, (a, b) => {
      const texts = { a: a.texts, b: b.texts };
      const { scored, unscored } = pairRows({
        ...{ a: a.rows, b: b.rows, isSameData: false },
        texts: { pair: (rest) => pairByText(texts, rest), isAskedAs: () => undefined },
      });
      const why = explain({ a, b, scored, unscored });
      if (!why) return;
      const sum = why.parts.reduce((total, { points }) => total + points, 0);
      expect(Math.abs(sum - why.difference)).toBeLessThan(1e-9);
      for (const { rows, sides, first } of why.parts) {
        expect(sides.a + sides.b).toBe(rows);
        expect(first.length).toBe(Math.min(rows, 5));
      }
    }),
  );
});

const asking = (texts: readonly string[]): ExplainedSide =>
  sideWith(texts.map((prompt) => ({ prompt, gold: undefined })));

function sideWith(
  given: readonly { readonly prompt?: string; readonly gold: string | undefined }[],
) {
  const rows = new LoggedRows();
  const texts = given.map(({ prompt, gold }, id) => {
    const record: RowRecord = { id, key: '', prompt: '', outcome: 'scored', score: 1 };
    rows.add(record, id);
    return [id, { record, prompt, gold }] as const;
  });
  return { rows, texts: { harness: 'a harness', rows: new Map(texts) } };
}

function pairsOf(a: ExplainedSide, b: ExplainedSide) {
  const ids = ({ rows }: ExplainedSide) => [...rows.ids()];
  const { pairs } = pairByText({ a: a.texts, b: b.texts }, { restA: ids(a), restB: ids(b) });
  return pairs.map((pair) => [pair.a, pair.b]).sort(([one = 0], [other = 0]) => one - other);
}

test('rows pair by what they ask, whatever stands around it and in whatever order', () => {
  const a = asking(['Q: Who wrote Emma?\nA:', 'Q: Who wrote Faust?\nA:', 'Q: Where is Bern?\nA:']);
  const b = asking([
    'Answer in a word.\n\nWhere is Bern?',
    'Answer in a word.\n\nWho wrote Emma?',
    'Answer in a word.\n\nWhen was the war?',
  ]);
  expect(pairsOf(a, b)).toEqual([
    [0, 1],
    [2, 0],
  ]);
});

test('text without spaces pairs as well', () => {
  const a = asking(['问题：法国的首都是哪里？', '问题：水的沸点是多少度？']);
  const b = asking(['请回答：水的沸点是多少度？答案：', '请回答：法国的首都是哪里？答案：']);
  expect(pairsOf(a, b)).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test('where prompts are not known, numbers count if all gold answers agree', () => {
  const golds = (given: readonly string[]) => sideWith(given.map((gold) => ({ gold })));
  expect(pairsOf(golds(['A', 'B', 'A']), golds(['A', 'B', 'A'])).length).toBe(3);
  expect(pairsOf(golds(['A', 'B', 'A']), golds(['A', 'A', 'B']))).toEqual([]);
  expect(pairsOf(golds(['A', 'A']), golds(['A', 'A']))).toEqual([]);
});

test('rows of one prompt pair by number, and where they moved in their order', () => {
  const same = asking(['Say it.', 'Say it.', 'Say it.']);
  expect(pairsOf(same, same)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  const moved = asking(['Now.', 'Say it.', 'Say it.', 'Say it.']);
  expect(pairsOf(same, moved)).toEqual([
    [0, 3],
    [1, 1],
    [2, 2],
  ]);
});
