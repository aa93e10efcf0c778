import { expect, test } from 'vitest';
import { shownExamples } from './make-record.ts';

const pool = { examplesAt: (places: readonly number[]) => places.map((id) => ({ id, row: {} })) };

test.each([
  [{ shots: [], dropped: 0, tooLong: false }, {}],
  [{ shots: [7], dropped: 0, tooLong: false }, { examples: [7] }],
  [{ shots: [], dropped: 1, tooLong: false }, { dropped: 1 }],
  [{ shots: [], dropped: 0, tooLong: true }, { tooLong: true }],
  [
    { shots: [4, 5], dropped: 2, tooLong: true },
    { examples: [4, 5], dropped: 2, tooLong: true },
  ],
])('of the examples %j the log says %j', (fitted, said) => {
  expect(shownExamples(fitted, pool)).toEqual(said);
});
