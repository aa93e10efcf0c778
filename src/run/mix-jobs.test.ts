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

test('requests of several tasks with a shared beginning are neighbours, and none is lost', async () => {
  const name = (id: number) => String(id).padStart(4, '0');
  const tasks = ['', 'x', 'xy'].map((end, place) =>
    taskOf(700 + place, (id) => `row ${name(id)} ${end}`),
  );
  const windows: string[][] = [];
  for await (const jobs of mixJobs(tasks, model)) windows.push(jobs.map(({ encoded }) => encoded));
  const sent = windows.flat();
  expect(new Set(sent).size).toBe(700 + 701 + 702);
  expect(sent.slice(0, 6)).toEqual([
    ...['row 0000 ', 'row 0000 x', 'row 0000 xy'],
    ...['row 0001 ', 'row 0001 x', 'row 0001 xy'],
  ]);
  expect(Math.max(...windows.map((window) => window.length))).toBeLessThanOrEqual(1024);
});
