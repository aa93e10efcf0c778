import { openRun, type StoredRun } from '../../run/store/open-run.ts';
import { stampOf } from '../../run/store/run-file-parts.ts';
import type { TaskResult } from '../../run/summary.ts';
import { hasInterval } from '../../stats/estimate.ts';
import { meanOfCells } from '../../stats/estimate-cells.ts';
import type { ModelResult, ScoredRows, TaskScore } from './task-score.ts';

/** Reads the folder of a run: one result for each of its models. */
export async function readRun(folder: string): Promise<ModelResult[]> {
  const run = await openRun(folder);
  const results = run.summary?.results ?? [];
  const found: ModelResult[] = [];
  for (const model of new Set(results.map((result) => result.model))) {
    const scores: TaskScore[] = [];
    for (const result of results) {
      if (result.model === model) scores.push(...(await scoreOf(run, result)));
    }
    found.push({ model, file: folder, dialect: undefined, isSynthetic: false, scores });
  }
  const [first, ...others] = found;
  return first ? [{ ...first, problems: run.problems }, ...others] : [];
}

async function scoreOf(run: StoredRun, result: TaskResult): Promise<TaskScore[]> {
  const { dataset, metric, score } = result;
  // Numbers without a highest possible one, such as distances, may have no interval to rank by.
  if (!hasInterval(score)) return [];
  const stamp = stampOf(run.file, dataset);
  return [
    {
      task: stamp?.task ?? dataset,
      version: stamp?.version ?? '0.0',
      ...{ metric, score, stamp, isGuessed: false, shots: undefined },
      rows: await readRows(run, { ...result, score }),
    },
  ];
}

/** The scored rows of a log; nothing if it does not say what they hold, or their mean is not the score. */
async function readRows(
  run: StoredRun,
  { model, dataset, score }: TaskResult & Required<Pick<TaskResult, 'score'>>,
): Promise<ScoredRows | undefined> {
  const cells = new Map<string, string>();
  for await (const record of run.rows({ model, dataset })) {
    if (record.row === undefined) return undefined;
    if (record.outcome === 'scored') cells.set(`${record.row} ${record.id}`, String(record.score));
  }
  const values = [...cells.values()];
  const mean = meanOfCells(values)(values.map(() => 1));
  return Math.abs(mean - score.value) < 1e-9 ? { cells, measure: meanOfCells } : undefined;
}
