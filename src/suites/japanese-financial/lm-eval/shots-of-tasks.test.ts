import { expect, test } from 'vitest';
import { type ShotLists, shotsOfTasks } from './shots-of-tasks.ts';

const pairs = (lists: Partial<ShotLists>) =>
  shotsOfTasks({ tasks: 'chabsa', num_fewshot: '0', dialect: 'main', compat: false, ...lists }).map(
    ({ named, numFewshot }) => [named.name, numFewshot],
  );

test.each([
  [
    'one count for all',
    { tasks: 'fp2,chabsa', num_fewshot: '10' },
    [
      ['fp2', 10],
      ['chabsa', 10],
    ],
  ],
  [
    'counts in the order given',
    { tasks: 'fp2, chabsa', num_fewshot: '1,2' },
    [
      ['fp2', 1],
      ['chabsa', 2],
    ],
  ],
  [
    'a count for all that a pattern stands for',
    { tasks: 'cpa,*-1.0-0.1.2', num_fewshot: '1,2' },
    [
      ['cpa_audit', 1],
      ['cma_basics-1.0-0.1.2', 2],
      ['cpa_audit-1.0-0.1.2', 2],
      ['fp2-1.0-0.1.2', 2],
      ['security_sales_1-1.0-0.1.2', 2],
    ],
  ],
  ['a task that is named twice once', { tasks: 'chabsa,chabsa' }, [['chabsa', 0]]],
  [
    'as the first release: with sorted names',
    { tasks: 'security_sales_1,fp2', num_fewshot: '4,0', dialect: 'v0.1.0', compat: true },
    [
      ['fp2', 4],
      ['security_sales_1', 0],
    ],
  ],
  [
    'as the first release: one digit for all',
    { tasks: 'security_sales_1,fp2', num_fewshot: '4', dialect: 'v0.1.0', compat: true },
    [
      ['fp2', 4],
      ['security_sales_1', 4],
    ],
  ],
  [
    'as later releases: one count',
    { tasks: 'fp2,chabsa', num_fewshot: '12', compat: true },
    [
      ['chabsa', 12],
      ['fp2', 12],
    ],
  ],
] as const)('%s', (_, lists, expected) => {
  expect(pairs(lists)).toEqual(expected);
});

test.each([
  [{ tasks: 'fp2,chabsa', num_fewshot: '1,2,3' }, 'usage.list_length'],
  [{ tasks: 'fp2*', num_fewshot: '1,2' }, 'usage.list_length'],
  [{ tasks: 'fp2', num_fewshot: '10', dialect: 'v0.1.0', compat: true }, undefined],
  [
    { tasks: 'fp2,chabsa', num_fewshot: '10', dialect: 'v0.1.0', compat: true },
    'usage.list_length',
  ],
  [{ tasks: 'fp2,chabsa', num_fewshot: '1,2', compat: true }, 'usage.list_length'],
  [{ tasks: 'fp2,,chabsa' }, 'usage.empty_item'],
  [{ num_fewshot: 'two' }, 'usage.bad_count'],
  [{ tasks: 'chabsaa' }, 'task.unknown'],
] as const)('%j', (lists, code) => {
  if (code === undefined) expect(() => pairs(lists)).not.toThrow();
  else expect(() => pairs(lists)).toThrow(expect.objectContaining({ code }));
});
