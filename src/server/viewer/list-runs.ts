import { statSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { lockOwner } from '../../run/store/lock.ts';
import { openRun, type StoredRun } from '../../run/store/open-run.ts';
import type { ListedRun, RunList } from './api.ts';
import type { FoundRun, ServedRuns } from './served-runs.ts';

const maxListed = 500;
const maxResults = 60;

interface Known {
  readonly stamp: string;
  readonly listed: ListedRun;
}

/** Lists runs; a folder that was not written to since is not read again. */
export class RunLister {
  readonly #served: ServedRuns;
  readonly #known = new Map<string, Known>();

  constructor(served: ServedRuns) {
    this.#served = served;
  }

  async list(): Promise<RunList> {
    const found = await this.#served.list();
    const shown = found.slice(0, maxListed);
    const runs: ListedRun[] = [];
    for (const run of shown) runs.push(await this.#describe(run));
    const folders = this.#served.folders.map(displayPath);
    return { folders, runs, more: found.length - shown.length };
  }

  async #describe(found: FoundRun): Promise<ListedRun> {
    const summary = statSync(join(found.path, 'summary.json'), { throwIfNoEntry: false });
    const lock = statSync(join(found.path, '.lock'), { throwIfNoEntry: false });
    const stamp = `${found.changedAt} ${summary?.mtimeMs} ${lock?.ino}`;
    const known = this.#known.get(found.path);
    if (known?.stamp === stamp && known.listed.state !== 'running') return known.listed;
    const listed = await listRun(found);
    this.#known.set(found.path, { stamp, listed });
    return listed;
  }
}

async function listRun({ id, path, changedAt }: FoundRun): Promise<ListedRun> {
  let run: StoredRun;
  try {
    run = await openRun(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const nothing = { models: [], datasets: 0, results: [], evaluations: 0 };
    return { id, command: 'run', state: 'damaged', problem, changedAt, ...nothing };
  }
  const { file, summary } = run;
  const { results = [], starts, cost } = summary ?? {};
  const sumOf = (name: 'total' | 'scored' | 'unscored' | 'failed' | 'missing') =>
    results.reduce((sum, { rows }) => sum + rows[name], 0);
  const startedAt = starts?.since ?? file.starts?.[0]?.startedAt ?? summary?.startedAt;
  return {
    ...{ id, changedAt },
    command: file.command,
    state: await stateOf(run),
    ...(file.config !== undefined && { config: file.config }),
    ...(startedAt !== undefined && { startedAt }),
    ...(starts && { seconds: starts.seconds, sent: starts.sent }),
    models: file.models.map(({ name }) => name),
    datasets: file.datasets.length,
    results: results.slice(0, maxResults).map((result) => ({
      model: result.model,
      dataset: result.dataset,
      metric: result.metric,
      ...(result.score && { score: { ...result.score } }),
      ...(result.plain && { plain: true }),
      ...(result.direction && { direction: 'lower' }),
      ...(result.partial && { partial: true }),
    })),
    evaluations: Math.max(results.length, run.evaluations.length),
    ...(summary && {
      rows: {
        total: sumOf('total'),
        scored: sumOf('scored'),
        unscored: sumOf('unscored'),
        failed: sumOf('failed'),
        missing: sumOf('missing'),
      },
    }),
    ...(cost && { cost: cost.total }),
  };
}

/** Whether a run goes on, is complete, or was left. */
export async function stateOf({ path, summary }: StoredRun): Promise<ListedRun['state']> {
  if ((await lockOwner(path)) !== undefined) return 'running';
  return summary?.complete ? 'done' : 'incomplete';
}
