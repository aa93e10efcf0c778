import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countChecks,
  countReasons,
  countRows,
  type RowQuery,
  selectRows,
} from '../../report/snapshot/row-query.ts';
import { lockOwner } from '../../run/store/lock.ts';
import type { EvaluationName, StoredRun } from '../../run/store/open-run.ts';
import { dataHashes, rangeOf } from '../../run/store/run-file-parts.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import type { MetricKind } from '../../run/summary.ts';
import type { Remade } from '../../study/remake/open-remade.ts';
import type { AnsweredRows } from '../../study/view/answered-row.ts';
import type { DataRows } from './data-rows.ts';
import { type Notes, readNotes } from './notes.ts';
import { RowSearch } from './row-search.ts';
import { RowTable } from './row-table.ts';

/** What an evaluation can be made again from, opened once. */
export interface OpenedEvaluation {
  readonly remade: Remade;
  readonly data?: DataRows | undefined;
  /** What the log holds, for rows whose later requests depend on it. */
  answered?: Promise<AnsweredRows>;
  readonly close: () => Promise<void>;
}

interface HeldTable {
  readonly table: RowTable;
  readonly isLive: boolean;
  readonly indexStamp: number;
  size: number;
}

interface HeldSearch {
  readonly search: RowSearch;
  /** A log that was written anew has another table, and is searched anew. */
  readonly tables: readonly RowTable[];
}

const maxRowsHeld = 4_000_000;
const maxSearches = 4;
const afterAnswerMs = 100;
const maxSelections = 4;

/** What a query finds in some tables. */
export interface Selection {
  readonly ids: Uint32Array;
  readonly counts: ReturnType<typeof countRows>;
  readonly reasons: ReturnType<typeof countReasons>;
  readonly checks: ReturnType<typeof countChecks>;
}

/** A run that is looked at, with what was found out about its logs and its data. */
export class OpenedRun {
  run: StoredRun;
  stamp: string;
  readonly #isAllowed: (path: string) => boolean;
  readonly #maxOpened: number;
  readonly #isStill: boolean;
  #notes: Promise<Notes> | undefined;
  readonly #tables = new Map<string, HeldTable>();
  readonly #opened = new Map<string, Promise<OpenedEvaluation>>();
  readonly #searches = new Map<string, HeldSearch>();
  readonly #selections = new Map<string, Selection>();

  /** `maxOpened`: so many evaluations are kept open for prompts. `isStill`: what is there now is all that is looked at. */
  constructor(
    run: StoredRun,
    stamp: string,
    {
      isAllowed,
      maxOpened = 3,
      isStill = false,
    }: {
      readonly isAllowed: (path: string) => boolean;
      readonly maxOpened?: number | undefined;
      readonly isStill?: boolean | undefined;
    },
  ) {
    this.run = run;
    this.stamp = stamp;
    this.#isAllowed = isAllowed;
    this.#maxOpened = maxOpened;
    this.#isStill = isStill;
  }

  /** What tells whether a folder was written to since it was opened. */
  static async stampOf(path: string): Promise<string> {
    const times = ['run.json', 'summary.json'].map(
      (name) => statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    return times.join(' ');
  }

  /** Takes what the folder says now; logs that only grew are not read again. */
  async renew(run: StoredRun, stamp: string): Promise<void> {
    const isSame = askedIn(run) === askedIn(this.run);
    this.run = run;
    this.stamp = stamp;
    if (!isSame) await this.closeOpened();
  }

  /** Closes what prompts are made again from. */
  async closeOpened(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    for (const one of opened) await (await one).close();
  }

  /** How the rows of an evaluation ended; what its log has gained since is read in the background. */
  async table(name: EvaluationName): Promise<RowTable> {
    const still = this.#isStill ? this.#tables.get(keyOf(name)) : undefined;
    if (still) return still.table;
    const files = rowFiles(this.run.path, name.model, name.dataset);
    const { size } = await stat(files.logFile);
    const indexStamp = statSync(files.indexFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const key = keyOf(name);
    const held = this.#tables.get(key);
    const isLive = (await lockOwner(this.run.path)) !== undefined;
    if (held && held.isLive === isLive && held.indexStamp === indexStamp && size >= held.size) {
      if (size > held.size) held.table.read();
      held.size = size;
      this.#tables.delete(key);
      this.#tables.set(key, held);
      return held.table;
    }
    held?.table.close();
    const table = new RowTable({
      ...files,
      kind: this.kindOf(name),
      range: rangeOf(this.run.file, name.dataset),
      isLive,
    });
    table.read();
    this.#tables.set(key, { table, isLive, indexStamp, size });
    if (!this.#isStill) this.#letGoOfTables();
    return table;
  }

  /** What people wrote about its rows. */
  notes(): Promise<Notes> {
    if (!this.#isStill) return readNotes(this.run.path);
    this.#notes ??= readNotes(this.run.path);
    return this.#notes;
  }

  /** How the score of a row is to be read. */
  kindOf({ model, dataset }: EvaluationName): MetricKind {
    const { file, summary } = this.run;
    const metric = file.metrics.find((one) => one.dataset === dataset);
    if (metric) {
      const isShare = metric.range[0] === 0 && metric.range[1] === 1;
      return {
        ...(metric.direction === 'lower' && { direction: 'lower' as const }),
        ...(!isShare && { plain: true as const }),
      };
    }
    const result = summary?.results.find((one) => one.model === model && one.dataset === dataset);
    return {
      ...(result?.plain && { plain: true }),
      ...(result?.direction && { direction: 'lower' }),
    };
  }

  /** Evaluations that were asked about the same data have the same number. */
  dataNumber({ dataset }: EvaluationName): number {
    const keys = this.run.evaluations.map((one) => this.#dataKey(one.dataset));
    return [...new Set(keys)].indexOf(this.#dataKey(dataset));
  }

  /** The same if it is open, or being opened; else it is opened after what is asked now is answered. */
  openedSoon(name: EvaluationName): Promise<OpenedEvaluation> | undefined {
    if (this.#opened.has(keyOf(name))) return this.opened(name);
    setTimeout(() => this.opened(name).catch(() => undefined), afterAnswerMs).unref();
    return undefined;
  }

  /** What prompts are made again from. */
  opened(name: EvaluationName): Promise<OpenedEvaluation> {
    const key = keyOf(name);
    const known = this.#opened.get(key);
    this.#opened.delete(key);
    const opened = known ?? this.#open(name);
    this.#opened.set(key, opened);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > this.#maxOpened && oldest !== undefined) {
      const closing = this.#opened.get(oldest);
      this.#opened.delete(oldest);
      closing?.then((one) => one.close()).catch(() => undefined);
    }
    return opened;
  }

  /** What a query finds; kept for the next page of it, unless something is still being read. */
  selection(
    tables: readonly RowTable[],
    { show, within, reason, check, sort, order, min, max }: RowQuery,
    search: RowSearch | undefined,
  ): Selection {
    const query = { show, within, reason, check, sort, order, min, max, hits: search?.hits };
    const isWhole = tables.every(({ isDone }) => isDone) && search?.isDone !== false;
    const files = tables.map(({ logFile, size }) => [logFile, size]);
    const key = JSON.stringify([files, { ...query, hits: search?.text }]);
    const known = this.#selections.get(key);
    if (known) return known;
    const found = {
      ids: selectRows(tables, query),
      counts: countRows(tables, within),
      reasons: countReasons(tables),
      checks: countChecks(tables),
    };
    if (!isWhole) return found;
    this.#selections.set(key, found);
    const [oldest] = this.#selections.keys();
    if (this.#selections.size > maxSelections && oldest !== undefined)
      this.#selections.delete(oldest);
    return found;
  }

  /** Rows that hold a text; the search goes on in the background. */
  async search(text: string, names: readonly EvaluationName[]): Promise<RowSearch> {
    const tables = await Promise.all(names.map((name) => this.table(name)));
    const [first] = names;
    const data = first && (await this.opened(first)).data;
    const key = JSON.stringify([text, names]);
    const known = this.#searches.get(key);
    if (known?.tables.every((table, place) => table === tables[place])) {
      await known.search.goOn();
      return known.search;
    }
    const search = new RowSearch(text, { logFiles: tables.map(({ logFile }) => logFile), data });
    known?.search.close();
    this.#searches.set(key, { search, tables });
    const [oldest] = this.#searches.keys();
    if (this.#searches.size > maxSearches && oldest !== undefined) {
      this.#searches.get(oldest)?.search.close();
      this.#searches.delete(oldest);
    }
    return search;
  }

  async close(): Promise<void> {
    for (const { table } of this.#tables.values()) table.close();
    for (const { search } of this.#searches.values()) search.close();
    await this.closeOpened();
  }

  async #open(name: EvaluationName): Promise<OpenedEvaluation> {
    const { openRemade } = await import('../../study/remake/open-remade.ts');
    const { DataRows } = await import('./data-rows.ts');
    const remade = await openRemade(this.run, name, { isAllowed: this.#isAllowed });
    if (remade.type === 'not-made') return { remade, close: async () => undefined };
    const data = await DataRows.open(remade.evaluation);
    const opened: OpenedEvaluation = {
      remade,
      data,
      close: async () => {
        await data.close();
        await (await opened.answered)?.close();
        await remade.close();
      },
    };
    return opened;
  }

  #dataKey(dataset: string): string {
    const hashes = dataHashes(this.run.file, dataset);
    return hashes.length === 0 ? dataset : hashes.join(' ');
  }

  #letGoOfTables(): void {
    let rows = 0;
    for (const { table } of this.#tables.values()) rows += table.size;
    for (const [key, { table }] of this.#tables) {
      if (rows <= maxRowsHeld || this.#tables.size <= 1) return;
      rows -= table.size;
      table.close();
      this.#tables.delete(key);
    }
  }
}

/** What prompts depend on. */
function askedIn({ file: { starts: _, models, ...file } }: StoredRun): string {
  return JSON.stringify([file, models.map(({ served: _, servedBefore: __, ...model }) => model)]);
}

export function keyOf({ model, dataset }: EvaluationName): string {
  return JSON.stringify([model, dataset]);
}
