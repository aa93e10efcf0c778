import { expect, test } from 'vitest';
import { dialectNamed } from './dialects.ts';
import { namedTasks, taskNamed, tasksMatching } from './task-names.ts';

test.each([
  ['chabsa', 'chabsa', '0.0'],
  ['chabsa-1.0-0.0', 'chabsa', '0.0'],
  ['cma_basics-1.0-0.1.2', 'cma_basics-1.0-0.1.2', '0.1.2'],
  ['cpa-1.0-0.2', 'cpa_audit-1.0-0.2', '0.2'],
  ['cpa', 'cpa_audit', '0.0'],
])('%s is %s', (given, name, version) => {
  expect(taskNamed(given)).toMatchObject({ name, version });
});

test.each([
  ['*', 43],
  ['chabsa*', 7],
  ['cpa*', 9],
  ['cpa-1.0-*', 8],
  ['*-1.0-0.2', 5],
  ['fp2-1.0-0.?', 6],
])('%s stands for %i tasks', (pattern, count) => {
  expect(tasksMatching(pattern)).toHaveLength(count);
});

test('names are in order, each once', () => {
  const names = namedTasks.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
});

test.each([
  ['chbsa', 'task.unknown', 'Did you mean `chabsa`?'],
  ['fp-1.0-0.2', 'task.unknown', 'Did you mean `fp2-1.0-0.2`?'],
  ['chabsa-1.0-0.1.2', 'task.unknown_version', '`chabsa-1.0-0.1` stands in for it.'],
  ['chabsa-1.0-0.2.1', 'task.unknown_version', '`chabsa-1.0-0.2` stands in for it.'],
  ['chabsa-1.0-0.7', 'task.unknown_version', 'It has chabsa, '],
  ['nothing*', 'task.unknown', 'Tasks: chabsa, '],
])('%s is refused', (name, code, hint) => {
  expect(() => tasksMatching(name)).toThrow(
    expect.objectContaining({ code, hint: expect.stringContaining(hint) }),
  );
});

test('an unknown dialect', () => {
  expect(() => dialectNamed('v0.2')).toThrow(
    expect.objectContaining({
      code: 'task.unknown_dialect',
      hint: 'Did you mean `v0.2.0`? Dialects: v0.1.0, v0.2.0, main.',
    }),
  );
});
