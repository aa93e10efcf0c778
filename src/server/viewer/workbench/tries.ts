import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { contentHash } from '../../../base/content-hash.ts';
import type { Config } from '../../../config/config.ts';
import { nameOfSource } from '../../../config/run-defaults.ts';
import type { RunControl } from '../../../run/run-control.ts';
import type { RunSummary } from '../../../run/summary.ts';
import { Refusal } from '../refusal.ts';
import type { ServedRuns } from '../served-runs.ts';
import type { TryState } from './api.ts';
import type { Edit } from './edited-config.ts';
import { editedConfig } from './edited-config.ts';
import type { BenchConfig } from './workbench.ts';

type Side = TryState['before'];

interface Try {
  readonly id: string;
  before: Side;
  after: Side;
  isOver: boolean;
  isStopped: boolean;
  control?: RunControl | undefined;
  readonly abort: AbortController;
  done?: Promise<void>;
}

export interface TrySettings extends Edit {
  readonly model?: string | undefined;
  readonly rows: number;
}

const maxTries = 20;
const folderName = 'workbench';

/** Runs on a few rows, by a config as it is and as somebody edited it. */
export class Tries {
  readonly #served: ServedRuns;
  readonly #tries = new Map<string, Try>();

  constructor(served: ServedRuns) {
    this.#served = served;
  }

  /** Asks the model; what was asked before in the same way is not asked again. */
  start(bench: BenchConfig, settings: TrySettings): TryState {
    const running = [...this.#tries.values()].find(({ isOver }) => !isOver);
    if (running) throw new Refusal(409, 'serve.running', 'another try is still running');
    const waiting: Side = { state: 'waiting', done: 0, total: settings.rows };
    const tried: Try = {
      id: randomUUID(),
      before: waiting,
      after: waiting,
      isOver: false,
      isStopped: false,
      abort: new AbortController(),
    };
    if (bench.cells?.find(({ abbr }) => abbr === settings.dataset)?.order) {
      throw new Refusal(
        409,
        'serve.no_try',
        'options in another order can only be asked by a sweep',
      );
    }
    // What is wrong with the templates is said at once.
    const after = editedConfig(bench.config, settings, bench.overrides);
    const before = editedConfig(bench.config, { dataset: settings.dataset }, bench.overrides);
    tried.done = this.#run(tried, { before, after, settings });
    this.#tries.set(tried.id, tried);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size > maxTries && oldest !== undefined) this.#tries.delete(oldest);
    return stateOf(tried);
  }

  get(id: string): TryState {
    return stateOf(this.#find(id));
  }

  /** No more is asked after what is in flight. */
  stop(id: string): TryState {
    const tried = this.#find(id);
    tried.isStopped = true;
    tried.control?.stop();
    return stateOf(tried);
  }

  async close(): Promise<void> {
    for (const { abort, done } of this.#tries.values()) {
      abort.abort();
      await done;
    }
  }

  #find(id: string): Try {
    const tried = this.#tries.get(id);
    if (tried) return tried;
    throw new Refusal(404, 'serve.no_such_try', 'this try no longer exists');
  }

  async #run(
    tried: Try,
    {
      before,
      after,
      settings,
    }: { readonly before: Config; readonly after: Config; readonly settings: TrySettings },
  ): Promise<void> {
    await this.#side(tried, 'before', { config: before, settings });
    await this.#side(tried, 'after', { config: after, settings });
    tried.isOver = true;
  }

  async #side(
    tried: Try,
    side: 'before' | 'after',
    { config, settings }: { readonly config: Config; readonly settings: TrySettings },
  ): Promise<void> {
    const { dataset, model, rows } = settings;
    const say = (state: Partial<Side>) => {
      tried[side] = { ...tried[side], ...state };
    };
    if (tried.isStopped) return say({ state: 'stopped' });
    say({ state: 'running' });
    const path = this.#folderOf(config, settings);
    try {
      const { evaluate } = await import('../../../api/evaluate.ts');
      const { summary } = await evaluate(config, {
        out: path,
        datasets: [dataset],
        ...(model !== undefined && { models: [model] }),
        limit: rows,
        savePrompts: true,
        signal: tried.abort.signal,
        record: {
          command: 'run',
          // No command would make this run again: nobody has the edited config.
          settings: { limit: rows, ...(model !== undefined && { models: [model] }) },
        },
        onStart: (control) => {
          tried.control = control;
          if (tried.isStopped) control.stop();
        },
        onProgress: ({ done }) => say({ done }),
      });
      const run = (await this.#served.list()).find((one) => one.path === path);
      say({ ...endOf(summary), ...(run && { run: run.id }) });
    } catch (error) {
      say({ state: 'failed', problem: error instanceof Error ? error.message : String(error) });
    } finally {
      tried.control = undefined;
    }
  }

  /** One folder for what is asked in one way, so that nothing is asked twice. */
  #folderOf({ datasets, file }: Config, { dataset, model, rows }: TrySettings): string {
    const asked = datasets.find(({ abbr }) => abbr === dataset);
    const { inferCfg, metaTemplate } = asked ?? {};
    const hash = contentHash([file, dataset, model, rows, inferCfg, metaTemplate]).slice(0, 10);
    const name = `${file === undefined ? '' : `${nameOfSource(file)}-`}${dataset}-${hash}`;
    const [folder = 'runs'] = this.#served.folders;
    return join(folder, folderName, name.replace(/[^\p{L}\p{N}._-]+/gu, '-'));
  }
}

function endOf(summary: RunSummary): Partial<Side> {
  const [result] = summary.results;
  const { total = 0, missing = 0 } = result?.rows ?? {};
  return { state: summary.complete ? 'done' : 'stopped', done: total - missing, total };
}

function stateOf({ id, isOver, before, after }: Try): TryState {
  return { id, isOver, before, after };
}
