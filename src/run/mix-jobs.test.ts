import { expect, test } from 'vitest';
import type { Model } from '../model/model.ts';
import type { Query } from '../retrieve/index.ts';
import { mixJobs } from './job.ts';
import type { JobSource } from './job-source.ts';

const model = {
  name: 'm',
  abilities: new Set(['generate'] as const),
  identity: {},
  encode: ({ prompt }: { prompt: { type: string; text?: string } }) => prompt.text ?? '',
} as unknown as Model;

function taskOf(count: number, promptOf: (id: number) => string): JobSource {
  const rows = Array.from({ length: count }, (_, id) => ({ id, row: { id } }));
  return {
    rows: (async function* () {
      yield rows;
    })(),
    modelIdentity: 'm',
    inference: {
      type: 'single',
      ask: ({ index }: Query) => ({
        request: { type: 'generate', prompt: { type: 'text', text: promptOf(index) } },
        dropped: 0,
      }),
    },
    maxOutLenOf: () => undefined,
    note: () => undefined,
    isDone: () => false,
    refuse: () => undefined,
  };
}

test('tasks take turns, some rows at a time, and no row is lost', async () => {
  const ends = ['', 'x', 'xy'];
  const tasks = ends.map((end, place) => taskOf(100 + place, (id) => `row ${id} ${end}`));
  const turns: string[][] = [];
  for await (const jobs of mixJobs(tasks, model)) turns.push(jobs.map(({ encoded }) => encoded));
  expect(turns.map(({ length }) => length)).toEqual([96, 96, 96, 4, 5, 6]);
  expect(turns.slice(0, 3).map(([first]) => first)).toEqual(['row 0 ', 'row 0 x', 'row 0 xy']);
  expect(new Set(turns.flat()).size).toBe(100 + 101 + 102);
});
