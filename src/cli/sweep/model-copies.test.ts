import { expect, test } from 'vitest';
import type { Model } from '../../model/index.ts';
import type { BuiltModel, BuiltTask } from '../run/build-tasks.ts';
import { divideTasks } from './model-copies.ts';

const modelOf = (name: string) => ({ name }) as Model;
const builtOf = (...turns: string[]) =>
  ({
    model: modelOf('m'),
    tasks: turns.map((own) => ({ settings: { turns: own } }) as BuiltTask),
    compat: undefined,
    maxConcurrency: 1,
    maxAttempts: 1,
  }) satisfies BuiltModel;
const shares = (built: BuiltModel, ...copies: string[]) =>
  divideTasks(built, copies.map(modelOf)).map(({ model, tasks }) => [
    model.name,
    ...tasks.map(({ settings }) => settings.turns),
  ]);

test('tasks that take turns stay together, and all keep their order', () => {
  const built = builtOf('a', 'a', 'b', 'c', 'c', 'd', 'e');
  expect(shares(built, 'n')).toEqual([
    ['m', 'a', 'a', 'b', 'c', 'c'],
    ['n', 'd', 'e'],
  ]);
  expect(shares(built)).toEqual([['m', 'a', 'a', 'b', 'c', 'c', 'd', 'e']]);
  expect(shares(builtOf('a', 'a'), 'n', 'o')).toEqual([['m', 'a', 'a']]);
});
