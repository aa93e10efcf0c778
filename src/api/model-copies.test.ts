import { expect, test } from 'vitest';
import type { Model } from '../model/model.ts';
import type { ModelWork } from '../run/execute.ts';
import type { StoredEvaluation } from '../run/stored-evaluation.ts';
import { divideWork } from './model-copies.ts';

const modelOf = (name: string) => ({ name }) as Model;
const workOf = (...groups: string[]): ModelWork => ({
  model: modelOf('m'),
  evaluations: groups.map((group) => ({ group }) as StoredEvaluation),
});
const shares = (work: ModelWork, ...copies: string[]) =>
  divideWork(work, copies.map(modelOf)).map(({ model, evaluations }) => [
    model.name,
    ...evaluations.map(({ group }) => group),
  ]);

test('tasks that take turns stay together, and all keep their order', () => {
  const work = workOf('a', 'a', 'b', 'c', 'c', 'd', 'e');
  expect(shares(work, 'n')).toEqual([
    ['m', 'a', 'a', 'b', 'c', 'c'],
    ['n', 'd', 'e'],
  ]);
  expect(shares(work)).toEqual([['m', 'a', 'a', 'b', 'c', 'c', 'd', 'e']]);
  expect(shares(workOf('a', 'a'), 'n', 'o')).toEqual([['m', 'a', 'a']]);
});
