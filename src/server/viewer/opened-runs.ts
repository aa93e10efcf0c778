import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import { type EvaluationName, openRun } from '../../run/store/open-run.ts';
import { notesFileName, progressFileName, rowFiles } from '../../run/store/run-folder.ts';
import { keyOf, OpenedRun } from './opened-run.ts';
import type { ServedRuns } from './served-runs.ts';

/** How much is kept open at a time. */
interface OpenLimits {
  readonly maxRuns?: number;
  /** Evaluations of a run. */
  readonly maxOpened?: number;
  /** Configs are opened wherever runs say that they are. */
  readonly opensAll?: boolean | undefined;
  /** What is there when a run is opened is all that is looked at. */
  readonly isStill?: boolean;
  /** Beside the folders served, what lies in these may be opened. */
  readonly allowed?: readonly string[];
}

/** The runs that were looked at last. */
export class OpenedRuns {
  readonly served: ServedRuns;
  readonly #allowed: readonly string[];
  readonly #runs = new Map<string, Promise<OpenedRun>>();
  readonly #maxRuns: number;
  readonly #maxOpened: number | undefined;
  readonly #opensAll: boolean;
  readonly #isStill: boolean;

  constructor(
    served: ServedRuns,
    { maxRuns = 3, maxOpened, opensAll = false, isStill = false, allowed = [] }: OpenLimits = {},
  ) {
    this.served = served;
    this.#allowed = allowed;
    this.#maxRuns = maxRuns;
    this.#maxOpened = maxOpened;
    this.#opensAll = opensAll;
    this.#isStill = isStill;
  }

  async get(id: string): Promise<OpenedRun> {
    const { path } = await this.served.find(id);
    for (const name of [notesFileName, progressFileName]) await this.served.check(join(path, name));
    const stamp = await OpenedRun.stampOf(path);
    const known = await this.#runs.get(path)?.catch(() => undefined);
    if (known?.stamp === stamp) return known;
    if (known) {
      await known.renew(await openRun(path), stamp);
      return known;
    }
    const opened = this.#open(path, stamp);
    this.#runs.delete(path);
    this.#runs.set(path, opened);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > this.#maxRuns && oldest !== undefined) {
      const closing = this.#runs.get(oldest);
      this.#runs.delete(oldest);
      closing?.then((one) => one.close()).catch(() => undefined);
    }
    return opened;
  }

  /** The evaluations that an address names, each as `["model","dataset"]`. */
  async evaluations(opened: OpenedRun, keys: readonly string[]): Promise<EvaluationName[]> {
    const names = keys.map((key) => {
      const found = opened.run.evaluations.find((one) => keyOf(one) === key);
      if (found) return found;
      throw new UsageError('serve.no_such_evaluation', `The run has no answers of ${key}`);
    });
    for (const { model, dataset } of names) {
      const { logFile, indexFile } = rowFiles(opened.run.path, model, dataset);
      await this.served.check(logFile);
      await this.served.check(indexFile);
    }
    if (new Set(names.map((name) => opened.dataNumber(name))).size > 1) {
      throw new UsageError('serve.other_data', 'These evaluations did not use the same data', {
        hint: 'Only evaluations of the same data can be put side by side.',
      });
    }
    return names;
  }

  async close(): Promise<void> {
    for (const run of this.#runs.values()) await (await run.catch(() => undefined))?.close();
  }

  async #open(path: string, stamp: string): Promise<OpenedRun> {
    return new OpenedRun(await openRun(path), stamp, {
      isAllowed: (file) => this.#opensAll || this.mayOpen(file),
      maxOpened: this.#maxOpened,
      isStill: this.#isStill,
    });
  }

  /** Configs and data are opened where the server was started, and in the folders served. */
  mayOpen(file: string): boolean {
    const roots = [process.cwd(), ...this.served.folders, ...this.#allowed].map(realOrSame);
    const real = realOrSame(resolve(file));
    return roots.some(
      (root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep),
    );
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
