import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { DataError } from '../../errors.ts';
import type { RowRecord } from '../../run/row-log.ts';
import { runFiles } from '../../run/run-folder.ts';
import type { Estimate, RunSummary } from '../../run/summary.ts';
import { meanOfCells } from '../../tasks/japanese-financial/score-estimate.ts';
import type { ModelResult, ScoredRows, TaskScore } from './task-score.ts';

const runSchema = z.object({
  templates: z
    .array(
      z.object({
        dataset: z.string(),
        task: z.string(),
        version: z.string(),
        hash: z.string(),
      }),
    )
    .default([]),
});

/** Reads the folder of a run: one result for each of its models. */
export async function readRun(folder: string): Promise<ModelResult[]> {
  const summary = await readJson<RunSummary>(join(folder, 'summary.json'));
  const { templates } = runSchema.parse(await readJson(join(folder, 'run.json')));
  const models = [...new Set(summary.results.map(({ model }) => model))];
  return Promise.all(
    models.map(async (model) => {
      const results = summary.results.filter((result) => result.model === model);
      const scores = await Promise.all(
        results.map(async ({ dataset, metric, score }): Promise<TaskScore[]> => {
          if (!score) return [];
          const stamp = templates.find((template) => template.dataset === dataset);
          return [
            {
              task: stamp?.task ?? dataset,
              version: stamp?.version ?? '0.0',
              ...{ metric, score, stamp, isGuessed: false, shots: undefined },
              rows: await readRows(runFiles(folder).logFile(model, dataset), score),
            },
          ];
        }),
      );
      return { model, file: folder, dialect: undefined, isSynthetic: false, scores: scores.flat() };
    }),
  );
}

/** The scored rows of a log; nothing if it does not say what they hold, or their mean is not the score. */
async function readRows(file: string, score: Estimate): Promise<ScoredRows | undefined> {
  const cells = new Map<string, string>();
  const handle = await open(file);
  try {
    for await (const line of handle.readLines({ autoClose: false })) {
      const record = parseLine(line, file);
      if (record.row === undefined) return undefined;
      const key = `${record.row} ${record.id}`;
      if (record.outcome === 'scored') cells.set(key, String(record.score));
      else cells.delete(key);
    }
  } finally {
    await handle.close();
  }
  const values = [...cells.values()];
  const mean = meanOfCells(values)(values.map(() => 1));
  return Math.abs(mean - score.value) < 1e-9 ? { cells, measure: meanOfCells } : undefined;
}

function parseLine(line: string, file: string): RowRecord {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new DataError('leaderboard.bad_result', `${file} has a line that cannot be read`, {
      cause,
      hint: 'Finish the run again: it mends its files.',
    });
  }
}

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(file, 'utf8')) as Value;
}
