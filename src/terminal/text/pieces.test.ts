import { expect, test } from 'vitest';
import { type Piece, renderLine, visibleLines } from './pieces.ts';
import { wrapLine } from './wrap-line.ts';

const angle = (text: string) => `<${text}>`;
const show = (pieces: readonly Piece[]) => visibleLines(pieces, angle).map(renderLine);

test.each<[string, readonly Piece[], string[]]>([
  ['nothing is one empty line', [], ['']],
  ['line ends part lines', [{ text: 'a\n\nb\n' }], ['a', '', 'b', '']],
  ['white space at line ends', [{ text: 'a  \nb c \t' }], ['a<␣␣>', 'b c<␣⇥>']],
  ['it may be in two pieces', [{ text: 'a ' }, { text: ' ' }], ['a<␣><␣>']],
  ['a mark after it does not hide it', [{ text: 'a ' }, { text: '▮', mark: true }], ['a<␣>▮']],
  ['a mark keeps its own spaces', [{ text: ' 1 ', mark: true }], [' 1 ']],
  ['looks are kept', [{ text: 'a\nb', paint: angle }, { text: 'c' }], ['<a>', '<b>c']],
  ['control characters', [{ text: 'a\u001bb' }], ['a␛b']],
])('%s', (_, pieces, lines) => {
  expect(show(pieces)).toEqual(lines);
});

test.each([
  ['', 5, ['']],
  ['short', 5, ['short']],
  ['one two three', 8, ['one two ', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['a bcdefghij', 6, ['a bcde', 'fghij']],
  ['日本語の文', 4, ['日本', '語の', '文']],
  ['a日本', 4, ['a日', '本']],
  ['👩‍👧👩‍👧👩‍👧', 4, ['👩‍👧👩‍👧', '👩‍👧']],
])('%j in %i columns', (text, width, lines) => {
  expect(wrapLine([{ text }], width).map(renderLine)).toEqual(lines);
});

test('wrapping keeps looks and loses nothing', () => {
  const line = [{ text: 'one ', paint: angle }, { text: 'two' }, { text: ' three', paint: angle }];
  expect(wrapLine(line, 6).map(renderLine)).toEqual(['<one >', 'two< >', '<three>']);
});
