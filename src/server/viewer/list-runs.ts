import { statSync } from 'node:fs';
import { join } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { costOf } from '../../report/describe-cost.ts';
import { lockOwner } from '../../run/store/lock.ts';
import { openRun, type StoredRun } from '../../run/store/open-run.ts';
import type { TaskResult } from '../../run/summary.ts';
import type { ListedMetric, ListedRun, RunList } from './api.ts';
import type { FoundRun, ServedRuns } from './served-runs.ts';

const maxListed = 500;

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
    const nothing = { models: [], datasets: 0, metrics: [], evaluations: 0 };
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
    metrics: metricsOf(results),
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
    ...(cost && { cost: costOf(cost, results) }),
  };
}

/** A list has no room for every evaluation: those of one metric are one line of it. */
function metricsOf(results: readonly TaskResult[]): ListedMetric[] {
  const groups = new Map<string, TaskResult[]>();
  for (const result of results) {
    const key = JSON.stringify([result.metric, result.plain, result.direction]);
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { metric, plain, direction, score, partial } = first;
    const scores = group.flatMap((one) => one.score?.value ?? []);
    return {
      metric,
      ...(plain && { plain }),
      ...(direction && { direction }),
      ...(results.length === 1 && score && { score: { ...score } }),
      ...(results.length === 1 && partial && { partial }),
      evaluations: group.length,
      scores: [...new Set(scores)].sort((left, right) => left - right),
      without: group.length - scores.length,
    };
  });
}

/** Whether a run goes on, is complete, or was left. */
export async function stateOf({ path, summary }: StoredRun): Promise<ListedRun['state']> {
  if ((await lockOwner(path)) !== undefined) return 'running';
  return summary?.complete ? 'done' : 'incomplete';
}
