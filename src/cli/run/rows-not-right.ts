import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { formatCount } from '../../base/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import { isNotRight, verdictOf } from '../../run/row-sample.ts';
import { openRun } from '../../run/store/open-run.ts';
import type { RunSummary } from '../../run/summary.ts';

interface RowsNotRight {
  /** By dataset; empty where every row is right. */
  readonly ids: ReadonlyMap<string, ReadonlySet<number>>;
  readonly summary: RunSummary | undefined;
}

/** The rows of each dataset that failed, have no score or were wrong in a run, and none beside `among`. */
export async function rowsNotRight(
  folder: string,
  among: ReadonlySet<number> | undefined,
): Promise<RowsNotRight> {
  if (!existsSync(join(folder, 'run.json'))) {
    throw new UsageError('run.nothing_failed', `No run in ${displayPath(folder)} yet`, {
      hint: 'Run without --only-failed first.',
    });
  }
  const run = await openRun(folder);
  const results = run.summary?.results ?? [];
  const found = new Map<string, Set<number>>(
    run.evaluations.map(({ dataset }) => [dataset, new Set()]),
  );
  for await (const { model, dataset, ...row } of run.rows()) {
    const result = results.find((one) => one.model === model && one.dataset === dataset);
    const verdict = verdictOf(row, result ?? {});
    if (!isNotRight({ verdict, checks: row.checks }) || among?.has(row.id) === false) continue;
    found.get(dataset)?.add(row.id);
  }
  const count = [...found.values()].reduce((sum, { size }) => sum + size, 0);
  if (count > 0) {
    const rows = count === 1 ? '1 row that was' : `${formatCount(count)} rows that were`;
    process.stderr.write(`Only the ${rows} not right: scores are of them alone.\n`);
    return { ids: found, summary: run.summary };
  }
  if (!run.summary?.complete) {
    const told = `Every row of ${displayPath(folder)} that was reached is right, but others are missing`;
    throw new UsageError('run.nothing_failed', told, {
      hint: 'Run without --only-failed to ask about the others.',
    });
  }
  process.stderr.write(`Every row of ${displayPath(folder)} is right: nothing is asked again.\n`);
  return { ids: new Map(), summary: run.summary };
}
