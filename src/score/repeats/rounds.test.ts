import { describe, expect, test } from 'vitest';
import { cellOf, cellOfRow } from './rounds.ts';

const ofNothing = () => ({ cell: 'nothing' });

describe('the cell of a row in a table', () => {
  const row = { gold: 'g', isScored: true, cell: 'c' };

  test('a row with a score has its own; one without counts as an empty answer', () => {
    const options = { ofNothing, rounds: undefined };
    expect(cellOf({ ...row, samples: [1, 0] }, options)).toBe('c');
    expect(cellOf({ ...row, isScored: false, samples: [1, 1] }, options)).toBe('nothing');
    expect(
      cellOf({ ...row, isScored: false, samples: [1, 1] }, { rounds: undefined }),
    ).toBeUndefined();
    expect(cellOf({ ...row, samples: [2, 1] }, { rounds: 2 })).toBe('c');
  });

  test('of several samples, those without a score count as empty answers', () => {
    const options = { ofNothing, rounds: 3 };
    const scored = { ...row, cell: '["a",null,"b"]', samples: [3, 1] } as const;
    expect(cellOf(scored, options)).toBe('["a","nothing","b"]');
    const none = '["nothing","nothing","nothing"]';
    expect(cellOf({ ...scored, isScored: false }, options)).toBe(none);
    expect(cellOf({ ...scored, cell: undefined }, options)).toBe(none);
    expect(cellOf({ ...scored, isScored: false, cell: undefined }, options)).toBe(none);
    expect(cellOf({ ...scored, cell: '["a","x","b"]', samples: [3, 0] }, options)).toBe(
      '["a","x","b"]',
    );
  });

  test('other measures have other cells', () => {
    const one = { ...row, score: 0.5, counts: [1, 2], samples: [1, 0] } as const;
    expect(cellOfRow(one, { type: 'mean', rounds: undefined })).toBe('0.5');
    expect(cellOfRow(one, { type: 'cells', rounds: undefined })).toBe('c');
    expect(cellOfRow(one, { type: 'sums', rounds: undefined })).toBe('[1,2]');
  });
});
