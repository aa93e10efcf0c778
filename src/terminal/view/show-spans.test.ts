import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { Origin, Span } from '../../prompt/origin.ts';
import type { Terminal } from '../terminal.ts';
import { renderLine } from '../text/pieces.ts';
import { markedSpans, plainSpans } from './show-spans.ts';

const at = { path: ['template'], start: 0 };
const terminal: Terminal = { colors: pc.createColors(false), hasColors: false, width: 80 };
const span = (text: string, origin: Origin): Span => ({ text, origin });
const literal = (text: string, shot?: number) =>
  span(text, { type: 'literal', at, ...(shot !== undefined && { shot }) });
const field = (text: string, shot?: number) =>
  span(text, { type: 'field', field: 'q', row: 1, at, ...(shot !== undefined && { shot }) });
const mask = span('', { type: 'mask', field: 'a', at });
const line = span('\n', { type: 'separator', name: 'line' });
const begin = span('<user>\n', { type: 'role', role: 'HUMAN', edge: 'begin', at });
const ids: Span = { ...begin, text: '', tokenIds: [7, 8] };

const marked = (...spans: Span[]) => renderLine(markedSpans(terminal, 5)(spans));

test.each<[string, Span[], string]>([
  ['literals have no mark', [literal('a\nb')], 'a\nb'],
  ['fields', [literal('Q: '), field('1+1')], 'Q: ⟦q: 1+1⟧'],
  ['the bracket closes before a line end', [begin, field('x')], '⟦HUMAN begin: <user>⏎⟧\n⟦q: x⟧'],
  ['a field that ends a line', [field('x\n')], '⟦q: x⏎⟧\n'],
  ['separators', [line], '⟦line: ⏎⟧\n'],
  ['the hidden answer', [literal('A:'), mask], 'A:⟦mask: ⟨a is hidden⟩⟧'],
  ['token ids', [ids], '⟦HUMAN begin: ⟨token 7 8⟩⟧'],
  ['an empty value has nothing to mark', [field('')], ''],
  [
    'examples and the row after them are announced',
    [literal('Do.'), field('x', 0), line, literal('y', 1), line, field('z')],
    'Do.⟪shot 1⟫⟦q: x⟧⟦line: ⏎⟧\n⟪shot 2⟫y⟦line: ⏎⟧\n⟪row 5⟫⟦q: z⟧',
  ],
])('%s', (_, spans, shown) => {
  expect(marked(...spans)).toBe(shown);
});

test('the example goes on from one message to the next', () => {
  const show = markedSpans(terminal, 5);
  const messages = [[field('x', 0)], [literal('y', 0)], [field('z')]];
  expect(messages.map((spans) => renderLine(show(spans)))).toEqual([
    '⟪shot 1⟫⟦q: x⟧',
    'y',
    '⟪row 5⟫⟦q: z⟧',
  ]);
});

test('without marks only what has no text is shown as a mark', () => {
  const spans = [begin, field('x', 0), ids, mask];
  const show = (showMask: boolean) => renderLine(plainSpans(terminal, { showMask })(spans));
  expect(show(false)).toBe('<user>\nx⟨token 7 8⟩');
  expect(show(true)).toBe('<user>\nx⟨token 7 8⟩⟨a is hidden⟩');
});

test('on colour terminals columns are told apart by their names', () => {
  const coloured: Terminal = { colors: pc.createColors(true), hasColors: true, width: 80 };
  const other = span('5', { type: 'field', field: 'b', row: 1, at });
  const shown = renderLine(markedSpans(coloured, 5)([field('1'), literal(' ; '), other]));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  expect(shown.replace(/\u001b\[\d+m/g, '')).toBe('q:1 ; b:5');
});

test('spaces that are left to the model are shown where the answer is hidden', () => {
  const dropped = span('', { type: 'mask', field: 'a', at, dropped: '  ' });
  expect(marked(literal('A:'), dropped)).toBe('A:⟦mask: ⟨␣␣ before it is not sent, a is hidden⟩⟧');
});
