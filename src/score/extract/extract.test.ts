import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeBlock, fencedBlocks } from './code-block.ts';
import { type Extractor, within } from './extractor.ts';
import { jsonValue, parseJsonPath } from './json-extractor.ts';
import { boxed } from './marked-answer.ts';
import { lastNumber } from './number-extractors.ts';
import { choiceText } from './option-extractors.ts';
import { scanJson } from './scan-json.ts';
import { lastLine } from './text-extractors.ts';

const at = (path: string): Extractor => jsonValue(parseJsonPath(path) ?? []);
const python = codeBlock({ languages: ['python', 'py'] });
const cities = choiceText([
  { label: 'A', text: 'Rome' },
  { label: 'B', text: 'Paris, France' },
  { label: 'C', text: 'Paris' },
]);

test.each<[group: string, Extractor, text: string, expected: string | undefined]>([
  ['json', at('answer'), '{"answer": "B"}', 'B'],
  ['json', at('answer'), 'So:\n```json\n{"answer": 42}\n```\nDone {really}.', '42'],
  ['json', at('answer'), '{"answer": 1} or rather {"answer": 2}. \\boxed{}', '2'],
  ['json', at('answer'), '{"answer": 1} {"answer": 2', '1'],
  ['json', at('answer'), '{"draft": {"answer": 1}, oops} }', '1'],
  ['json', at('answer'), '{"a": "{\\"answer\\": 1}"}', undefined],
  ['json', at('answer'), '{"a: {"answer": 1}', '1'],
  ['json', at('answer'), "{'answer': 1}", undefined],
  ['json', at('answer'), '{"answer": 1,}', undefined],
  ['json', at('answer'), '{"answer": 01}', undefined],
  ['json', at('answer'), '{"answer": "a\nb"}', undefined],
  ['json', at('answer'), '{"answer": "a\\u0041\\n\\q"}', undefined],
  ['json', at('answer'), '{"answer": null}', undefined],
  ['json', at('answer'), '{"answer": "  "}', undefined],
  ['json', at('answer'), '{"answer": 1, "answer": 2}', '2'],
  ['json', at('answer'), '{"answer": 12345678901234567890.0}', '12345678901234567890.0'],
  ['json', at('answer'), '{"answer": {"b" : [1, 2]}}', '{"b" : [1, 2]}'],
  ['json', at('a.b'), '{ "a" : { "x": [{}], "b" : "\\"é\\u00e9\\"" } }', '"éé"'],
  ['json', at('a[1].c'), '{"a": [0, {"c": true}]}', 'true'],
  ['json', at('a[-1]'), '{"a": [1, -2.5e3]}', '-2.5e3'],
  ['json', at('a[2]'), '{"a": [1, 2]}', undefined],
  ['json', at('a.b'), '{"a": [1]}', undefined],
  ['json', at('a[0]'), '{"a": "x"}', undefined],
  ['json', at('a[0]'), '{"a": {"0": "zero"}}', 'zero'],
  ['json', at('["odd key"]["b.c"]'), '{"odd key": {"b.c": 1}}', '1'],
  ['json', within(at('answer'), boxed), '{"answer": "\\\\boxed{7}"}', '7'],
  ['json', within(at('answer'), lastNumber), '{"n": 3, "answer": "it is 1,200"} 5', '1200'],
  ['code', codeBlock(), 'a\n```\nx = 1\n```\nb', 'x = 1'],
  ['code', codeBlock(), '```py\n\n    return 1\n  \n```', '    return 1'],
  [
    'code',
    codeBlock(),
    '1. So:\n\n   ```py\n   def f():\n       return 1\n   ```',
    'def f():\n    return 1',
  ],
  ['code', codeBlock(), '\t```\n\tif x:\n\n\t\ty\n\t```', 'if x:\n\n\ty'],
  ['code', codeBlock(), '  ```\n a\nb\n    c\n```', 'a\nb\n  c'],
  ['code', codeBlock(), '  ```\n      return 1\n  ```', '    return 1'],
  ['code', codeBlock(), '```\na\n```\ntext\n~~~sh\nb\n~~~', 'b'],
  ['code', codeBlock({ which: 'first' }), '```\na\n```\ntext\n~~~sh\nb\n~~~', 'a'],
  ['code', codeBlock(), '````md\n```\na\n```\n````', '```\na\n```'],
  ['code', codeBlock(), 'no ```inline``` block', undefined],
  ['code', codeBlock(), '```inline```\nx', undefined],
  ['code', codeBlock(), '```\n\n```', undefined],
  ['code', codeBlock(), '```python\nx = 1', 'x = 1'],
  ['code', codeBlock(), '  ```js {1,3}\n  a()\n  ```', 'a()'],
  ['code', python, '```Python\na\n```\n```\nb\n```\n```js\nc\n```', 'a'],
  ['code', python, '```\nb\n```\n```js\nc\n```', 'b'],
  ['code', python, '```js\nc\n```', undefined],
  ['choice', cities, '"paris, france."', 'B'],
  ['choice', cities, 'It is Paris, France!', 'B'],
  ['choice', cities, 'I say Paris', 'C'],
  ['choice', cities, 'Rome or Paris', undefined],
  ['choice', cities, 'Parisian', undefined],
  ['line', lastLine, 'a\n b \n\n', 'b'],
  ['line', lastLine, ' \n', undefined],
  ['line', lastLine, 'a\rb', 'b'],
])('%s: %o of %j', (_, { extract }, text, expected) => {
  expect(extract(text)?.value).toBe(expected);
});

test.each([
  ['answer.value', ['answer', 'value']],
  ['items[0]', ['items', 0]],
  ['[0]["a\\"b"].c', [0, 'a"b', 'c']],
  ['größe.x-y', ['größe', 'x-y']],
  ['', undefined],
  ['a..b', undefined],
  ['a[', undefined],
  ['a[b]', undefined],
  ['a b', undefined],
])('the path %j', (written, path) => {
  expect(parseJsonPath(written)).toEqual(path);
});

test('positions are those of the value itself', () => {
  const text = 'x {"a": {"b": [1, "two"]}} y';
  const { start, end } = at('a.b[1]').extract(text) ?? {};
  expect(text.slice(start, end)).toBe('"two"');
  const inner = within(at('a'), at('b')).extract(text);
  expect(text.slice(inner?.start, inner?.end)).toBe('[1, "two"]');
});

const json = fc.jsonValue({ depthSize: 'small' });
const noise = fc.string({ unit: fc.constantFrom(...'ab1 ".:,[]}\\\n') });

describe('JSON in any surroundings', () => {
  test('an object is found wherever it stands', () => {
    fc.assert(
      fc.property(json, noise, noise, fc.constantFrom(0, 2), (value, before, after, indent) => {
        const written = JSON.stringify({ deep: { value: [value] } }, null, indent);
        const { start, end } = scanJson(before + written + after).objects.at(-1) ?? {};
        expect([start, end]).toEqual([before.length, before.length + written.length]);
        const found = at('deep.value[0]').extract(before + written + after)?.value;
        if (typeof value === 'string') expect(found).toBe(value.trim() === '' ? undefined : value);
        else if (value !== null)
          expect(JSON.stringify(JSON.parse(found ?? ''))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('what is found is JSON, and nothing that is JSON is missed', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '1',
      '{"a":',
      '"b"',
      ' ',
      'null',
      '{}',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        const found = scanJson(text).objects.map(({ start, end }) => text.slice(start, end));
        expect(found).toEqual(objectsByTrial(text));
      }),
      { numRuns: 3000 },
    );
  });
});

function objectsByTrial(text: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] !== '{') continue;
    for (let end = start + 1; end <= text.length; end += 1) {
      if (!isJson(text.slice(start, end))) continue;
      found.push(text.slice(start, end));
      start = end - 1;
      break;
    }
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const extractors = [at('a.b[0]'), python, codeBlock(), cities, lastLine, within(at('a'), python)];
const pieces = [
  ...['{', '}', '[', ']', '"', "'", '\\', '\\\\', '{"a":', '{"', '":"', '{"a":{', '{"a":[', '"{"'],
  ...['```', '```py\n', '~~~', '`', '\n', '\r', ' ', '\\"', ',', ':', 'Paris', '{"{":', '{":"'],
];

test('no extractor throws, finds blank text, or leaves the text', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, (text) => {
      for (const { extract } of extractors) {
        const found = extract(text);
        if (!found) continue;
        expect(found.value.trim()).not.toBe('');
        expect(found.start).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeGreaterThan(found.start);
        expect(found.end).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 1000 },
  );
});

test('twice the text takes twice the work, whatever it repeats', () => {
  const readers = [scanJson, fencedBlocks, at('a.b').extract, lastLine.extract];
  const repeated = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(repeated, (piece) => {
      const once = piece.repeat(Math.ceil(10_000 / piece.length));
      for (const read of readers) {
        expect(countLooks(once + once, read)).toBeLessThan(2.2 * countLooks(once, read) + 1000);
      }
    }),
    { numRuns: 60 },
  );
});

test('100 kB of any one thing is read', () => {
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    for (const { extract } of extractors) expect(() => extract(text)).not.toThrow();
  }
});

/** A text that counts how many of its characters are looked at. */
class CountingText extends String {
  looks = 0;

  override charAt(index: number): string {
    this.looks += 1;
    return super.charAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const found = super.indexOf(part, from);
    this.looks += 1 + (found < 0 ? this.length : found) - from;
    return found;
  }

  override slice(start = 0, end = this.length): string {
    this.looks += Math.max(0, end - start);
    return super.slice(start, end);
  }

  override trimEnd(): string {
    this.looks += this.length;
    return super.trimEnd();
  }
}

/** How many looks a function takes at the characters of a text. */
function countLooks(text: string, read: (text: string) => unknown): number {
  const counting = new CountingText(text);
  read(counting as unknown as string);
  return counting.looks;
}
