import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findLeak, leakDiagnostics } from './leak.ts';

const query = { id: 1, row: { q: 'What is  1+1?', a: '2', source: 'x' } };

it.each([
  ['the row itself', query.row, 'same_row'],
  ['a copy of it', { source: 'x', a: '2', q: 'What is  1+1?' }, 'same_row'],
  ['its question elsewhere', { q: 'what is 1+1?\n', a: '2', source: 'y' }, 'same_question'],
  ['its question with another answer', { q: 'What is 1+1?', a: '3' }, 'same_question'],
  ['full-width text', { q: 'ｗｈａｔ is １＋１？' }, 'same_question'],
  ['another question', { q: 'What is 1+2?', a: '2', source: 'x' }, undefined],
])('%s', (_, row, leak) => {
  expect(findLeak(query, { id: 9, row }, ['q'])).toBe(leak);
});

it('questions are the same in all columns that they have', () => {
  const shot = { id: 9, row: { ...query.row, source: 'y' } };
  expect(findLeak(query, shot, ['q', 'a'])).toBe('same_question');
  expect(findLeak(query, shot, ['q', 'source'])).toBeUndefined();
});

it('without columns only the row itself is told', () => {
  expect(findLeak(query, { id: 9, row: { ...query.row } }, [])).toBe('same_row');
  expect(findLeak(query, { id: 9, row: { q: query.row.q } }, [])).toBeUndefined();
});

it('is reported with the example and the path of the retriever', () => {
  const shots = [
    { id: 'a', row: { q: 'other' } },
    { id: 'b', row: query.row },
    { id: 'c', row: { q: 'WHAT IS 1+1?' } },
  ];
  const location = { columns: ['q'], path: ['retriever'] };
  expect(leakDiagnostics(query, shots, location)).toMatchObject([
    { code: 'retrieve.leak_same_row', message: expect.stringContaining('b'), path: ['retriever'] },
    { code: 'retrieve.leak_same_question', message: expect.stringContaining('c') },
  ]);
});

it('tells equal questions by their normalized texts, whatever they begin with', () => {
  const units = [
    'a',
    'A',
    'b',
    '1',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    'é',
    'e',
    '\u0301',
    'ａ',
    'K',
    'k',
    'ß',
  ];
  const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 6 });
  const plain = (one: string) => one.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  fc.assert(
    fc.property(text, text, fc.boolean(), (one, other, isPrefixed) => {
      const [asked, shown] = isPrefixed ? [one + other, `${one} ${other}`] : [one, other];
      const found = findLeak({ id: 0, row: { q: asked, a: 1 } }, { id: 1, row: { q: shown } }, [
        'q',
      ]);
      return (found === 'same_question') === (plain(asked) === plain(shown));
    }),
    { numRuns: 3000 },
  );
});
