import { expect, test } from 'vitest';
import { heldRows, positionRows } from '../data/row-stream.ts';
import { createEvaluation } from '../evaluation/create-evaluation.ts';
import type { Model } from '../model/model.ts';
import { compileScorer } from '../score/compile-scorer.ts';
import { type JobSource, mixJobs } from './job.ts';

const model = {
  name: 'm',
  abilities: new Set(['generate'] as const),
  identity: {},
  encode: ({ prompt }: { prompt: { type: string; text?: string } }) => prompt.text ?? '',
} as unknown as Model;

function taskOf(count: number, promptOf: (position: number) => string): JobSource {
  // Rows are told apart by their position, not by their id.
  const rows = Array.from({ length: count }, (_, id) => ({ id: id + 1000, row: { id } }));
  return {
    evaluation: createEvaluation({
      model,
      modelName: 'm',
      task: { name: 'd', inferencer: 'GenInferencer', mode: 'gen' },
      rows: positionRows(heldRows(rows)),
      inference: {
        type: 'single',
        ask: ({ position }) => {
          const prompt = { type: 'text', text: promptOf(position) } as const;
          return { request: { type: 'generate', prompt }, shots: [], dropped: 0 };
        },
        trace: () => {
          throw new Error('a run traces nothing');
        },
      },
      scorer: compileScorer({ evaluator: { type: 'exact' } }),
      scorerIdentity: 'exact',
      pace: { maxConcurrency: 1, maxAttempts: 1 },
    }),
    note: () => undefined,
    isDone: () => false,
    refuse: () => undefined,
  };
}

test('tasks take turns, some rows at a time, and no row is lost', async () => {
  const ends = ['', 'x', 'xy'];
  const tasks = ends.map((end, place) => taskOf(100 + place, (at) => `row ${at} ${end}`));
  const turns: string[][] = [];
  for await (const jobs of mixJobs(tasks)) turns.push(jobs.map(({ planned }) => planned.encoded));
  expect(turns.map(({ length }) => length)).toEqual([96, 96, 96, 4, 5, 6]);
  expect(turns.slice(0, 3).map(([first]) => first)).toEqual(['row 0 ', 'row 0 x', 'row 0 xy']);
  expect(new Set(turns.flat()).size).toBe(100 + 101 + 102);
});
