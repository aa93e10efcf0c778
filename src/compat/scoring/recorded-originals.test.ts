import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Float, type Row } from '../../prompt/values.ts';
import { toPython } from '../../python/convert.ts';
import { cleanerNamed, rowJudges } from './registry.ts';

interface Recorded {
  readonly kind: 'clean' | 'judge';
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly gold?: unknown;
  readonly row?: Row;
  readonly expected: unknown;
}

// Made by `test/conformance/opencompass-originals.py` with the functions of OpenCompass themselves.
const cases = readFileSync(
  new URL('../../../test/vectors/opencompass-originals.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

function answerTo({ kind, name, options, text, gold, row = {} }: Recorded): unknown {
  const located = { component: { type: name, ...options }, path: [] };
  if (kind === 'clean') {
    const value = cleanerNamed(name)?.build(located, undefined)(text, {});
    return value instanceof Float ? value.value : value;
  }
  const judged = rowJudges[name]?.build(located, undefined).judge(text, toPython(gold), row);
  return typeof judged === 'object' ? judged.value : Number(judged);
}

test.each([...new Set(cases.map(({ name }) => name))])(
  '%s answers as the original does',
  (name) => {
    for (const one of cases.filter((each) => each.name === name)) {
      const got = answerTo(one);
      if (typeof one.expected === 'number' && typeof got === 'number')
        expect(got, JSON.stringify(one)).toBeCloseTo(one.expected, 9);
      else expect(got, JSON.stringify(one)).toEqual(one.expected);
    }
  },
);
