import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RunFileError } from '../errors.ts';
import { lastingKinds } from '../model/failure-kind.ts';
import type { RunOutcome } from './execute.ts';
import { RowRate, type RunControl } from './run-control.ts';
import { ServedNames, type ServedSoFar, servedOtherwise, servedSoFar } from './served-models.ts';
import { addSpent, type Spent } from './spent.ts';
import {
  type RecordedModel,
  type RecordedStart,
  type RunFile,
  readRunFile,
  runFileName,
  type ServedName,
  writeRunFile,
} from './store/run-file.ts';
import { progressFileName, type RunFolder } from './store/run-folder.ts';
import type { RunSummary, StartTotals, TaskResult, TokenSums } from './summary.ts';
import { TimeSpan } from './time-span.ts';

export interface StartOptions {
  /** Whether everything is asked again. */
  readonly fresh?: boolean | undefined;
  /** Whether only some rows of the datasets are asked. */
  readonly isSelection?: boolean | undefined;
  /** What counts towards a cost limit, of this start. */
  readonly counted?: (() => number) | undefined;
  /** Where the config is, whose repository is noted, and its name there. */
  readonly repository?: { readonly folder: string; readonly file?: string | undefined } | undefined;
}

/** When the record of a run is written while it goes on: soon, then now and then. */
const firstSaveMs = 1000;
const saveMs = 10_000;
/** How often those who look at the run are told how it is getting on. */
const tellMs = 2000;

/**
 * One start of a run in `run.json`. It is there from the beginning, so that a start that is killed
 * leaves a trace, and has its figures added as it goes on.
 */
export class StartRecord {
  readonly #folder: RunFolder;
  readonly #options: StartOptions;
  readonly #earlier: readonly RecordedStart[];
  /** By the names of models: what answers came under in this start, and before. */
  readonly #served: ReadonlyMap<string, ServedNames>;
  #servedSoFar: ReadonlyMap<string, ServedSoFar>;
  readonly #span = new TimeSpan();
  #file: RunFile;
  #fresh: RecordedStart['fresh'] = 'begun';
  #finished: Pick<RecordedStart, 'seconds' | 'finishedAt' | 'complete'> = {};
  /** In parts of the run that are over. */
  #spent: Spent = addSpent([]);
  #control: RunControl | undefined;
  #timer: NodeJS.Timeout | undefined;
  #teller: NodeJS.Timeout | undefined;
  #rate = new RowRate();
  #toldDone = 0;
  #git: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    folder: RunFolder,
    { file, before, options }: { file: RunFile; before: Before; options: StartOptions },
  ) {
    this.#folder = folder;
    this.#options = options;
    this.#earlier = before.starts;
    this.#file = file;
    // What answers came under that do not count any more is of no interest.
    const known = options.fresh && !options.isSelection ? [] : before.models;
    this.#served = new Map(file.models.map(({ name }) => [name, new ServedNames()]));
    this.#servedSoFar = new Map(
      file.models.map((model) => [
        model.name,
        servedSoFar(
          model,
          known.find(({ name }) => name === model.name),
        ),
      ]),
    );
  }

  /** Writes what is run, and that it begins. */
  static async begin(
    folder: RunFolder,
    file: RunFile,
    options: StartOptions = {},
  ): Promise<StartRecord> {
    const before = await readBefore(folder.path);
    const record = new StartRecord(folder, { file, before, options });
    await record.#save();
    return record;
  }

  /** Whether everything is asked again, by this start or what is left of it by one before. */
  get isFresh(): boolean {
    return this.#options.fresh || this.#earlier.findLast(({ fresh }) => fresh)?.fresh === 'begun';
  }

  /** What the starts before this one say that they cost, or that counted towards their limits. */
  get paidBefore(): number {
    return this.#earlier.reduce((sum, { cost = 0, counted = cost }) => sum + counted, 0);
  }

  /** Follows a part of the run; what was followed before is over. */
  watch(control: RunControl): void {
    this.#control = control;
    this.#rate = new RowRate();
    if (!this.#timer) this.#saveIn(firstSaveMs);
    this.#teller ??= setInterval(() => this.#tell(), tellMs).unref();
    this.#git ??= this.#noteRepository();
  }

  /** Takes in what a part of the run came to. */
  add({ served = [] }: Pick<RunOutcome, 'served'>): void {
    this.#spent = this.#spentSoFar;
    this.#control = undefined;
    for (const { model, names } of served) this.#served.get(model)?.addAll(names);
  }

  /** Runs to the end, and writes that the start is over. The outcome says what all starts took. */
  async follow(run: () => Promise<RunOutcome>): Promise<RunOutcome> {
    const outcome = await run().catch(async (error: unknown) => {
      await this.#finish().catch(() => undefined);
      throw error;
    });
    await this.#finish(outcome.summary).catch((error: unknown) => {
      // What ended the run may keep its record from being written as well.
      if (outcome.failure === undefined) throw error;
    });
    const served = servedOtherwise(this.#file.models);
    const summary = {
      ...outcome.summary,
      starts: totalOf([...this.#earlier, this.#start]),
      ...(served.length > 0 && { served }),
    };
    return { ...outcome, summary };
  }

  async #finish(summary?: RunSummary): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#teller);
    await this.#folder.remove(progressFileName).catch(() => undefined);
    this.#spent = this.#spentSoFar;
    this.#control = undefined;
    await this.#git;
    const finishedAt = this.#span.now();
    const complete = summary?.complete ?? false;
    if (this.isFresh && summary && isThrough(summary)) this.#fresh = 'done';
    if (complete && summary && !this.#options.isSelection) this.#forgetServed(summary);
    this.#finished = { seconds: this.#seconds, finishedAt, complete };
    await this.#saving;
    await this.#save();
  }

  /** Where no answer of an earlier start counts, the names that those came under do not either. */
  #forgetServed({ results }: RunSummary): void {
    this.#servedSoFar = new Map(
      Array.from(this.#servedSoFar, ([name, soFar]) => {
        const own = results.filter(({ model }) => model === name);
        const isAnew = own.length > 0 && own.every(({ requests }) => requests.resumed === 0);
        return [name, isAnew ? { ...soFar, names: [] } : soFar];
      }),
    );
  }

  get #spentSoFar(): Spent {
    const progress = this.#control?.progress();
    if (!progress) return this.#spent;
    const { sent, inputTokens: input, outputTokens: output, untold, cost } = progress;
    return addSpent([this.#spent, { sent, tokens: { input, output, untold }, cost }]);
  }

  get #seconds(): number {
    return Math.round(this.#span.ms) / 1000;
  }

  get #start(): RecordedStart {
    return {
      startedAt: this.#span.startedAt,
      seconds: this.#seconds,
      ...withoutZero(this.#spentSoFar),
      ...(this.#options.counted && { counted: this.#options.counted() }),
      ...(this.isFresh && { fresh: this.#fresh }),
      ...this.#finished,
    };
  }

  async #save(): Promise<void> {
    const models = this.#file.models.map((model): RecordedModel => {
      const { served: _, servedBefore: __, ...rest } = model;
      const { names, before } = this.#servedSoFar.get(model.name) ?? { names: [], before: [] };
      const served = sumOf([...names, ...(this.#served.get(model.name)?.list ?? [])]);
      return {
        ...rest,
        ...(served.length > 0 && { served }),
        ...(before.length > 0 && { servedBefore: before }),
      };
    });
    this.#file = { ...this.#file, models, starts: [...this.#earlier, this.#start] };
    await writeRunFile(this.#folder, this.#file);
  }

  /** What cannot be written now is written at the end, or its failure is met there. */
  #saveIn(delayMs: number): void {
    this.#timer = setTimeout(() => {
      // A start that is killed leaves behind how many rows it was about.
      if (delayMs === firstSaveMs) this.#control?.countRows().catch(() => undefined);
      this.#saving = this.#save().catch(() => undefined);
      this.#saveIn(saveMs);
    }, delayMs);
    this.#timer.unref();
  }

  /** Nothing depends on it: what cannot be written is told the next time. */
  #tell(): void {
    const progress = this.#control?.progress();
    if (!progress) return;
    const { done, total, failed, inFlight, waitMs, slowest, reach } = progress;
    const rate = this.#rate.at(performance.now(), progress);
    const told = {
      at: Date.now(),
      ...{ done, total, failed, inFlight, waitMs, ...rate },
      ...(done === this.#toldDone && { perSecond: 0 }),
      ...(slowest && { slowestMs: slowest.waitedMs }),
      ...(reach !== undefined && { reach }),
    };
    this.#toldDone = done;
    this.#folder.write(progressFileName, JSON.stringify(told)).catch(() => undefined);
  }

  /** Beside the first requests, which it must not hold up. */
  async #noteRepository(): Promise<void> {
    const { repository } = this.#options;
    if (!repository) return;
    const { readRepository } = await import('../base/read-repository.ts');
    const git = await readRepository(repository);
    if (git) this.#file = { ...this.#file, git };
  }
}

/** What is said of tokens that were not told: nothing, where there are none. */
function withoutZero({ tokens: { untold, ...tokens }, ...spent }: Spent): Omit<Spent, 'tokens'> & {
  readonly tokens: TokenSums;
} {
  return { ...spent, tokens: { ...tokens, ...(untold > 0 && { untold }) } };
}

/** Whether no row is left that the next start would ask. */
function isThrough({ complete, results }: RunSummary): boolean {
  const isOpen = ({ failures = [], scorerFailed }: TaskResult) =>
    scorerFailed !== undefined || failures.some(({ kind }) => !lastingKinds.has(kind));
  return complete && !results.some(isOpen);
}

type Before = Pick<RunFile, 'models'> & { readonly starts: readonly RecordedStart[] };

/** What the folder says of starts before this one. */
async function readBefore(folder: string): Promise<Before> {
  const file = join(folder, runFileName);
  if (!existsSync(file)) return { models: [], starts: [] };
  try {
    const { models, starts } = await readRunFile(folder);
    if (starts) return { models, starts };
    // Older versions wrote the file once, when they began.
    const { mtime } = await stat(file);
    return { models, starts: [{ startedAt: mtime.toISOString() }] };
  } catch (error) {
    if (error instanceof RunFileError) return { models: [], starts: [] };
    throw error;
  }
}

function sumOf(served: readonly ServedName[]): readonly ServedName[] {
  const names = new ServedNames();
  names.addAll(served);
  return names.list;
}

/** What starts took together. */
export function totalOf(starts: readonly RecordedStart[]): StartTotals {
  const sum = (of: (start: RecordedStart) => number | undefined) =>
    starts.reduce((total, start) => total + (of(start) ?? 0), 0);
  const unfinished = starts.filter(({ finishedAt }) => finishedAt === undefined).length;
  const untold = sum(({ tokens }) => tokens?.untold);
  const isPriced = starts.some(({ cost }) => cost !== undefined);
  return {
    count: starts.length,
    ...(unfinished > 0 && { unfinished }),
    since: starts[0]?.startedAt ?? '',
    seconds: Number(sum(({ seconds }) => seconds).toFixed(3)),
    sent: sum(({ sent }) => sent),
    tokens: {
      input: sum(({ tokens }) => tokens?.input),
      output: sum(({ tokens }) => tokens?.output),
      ...(untold > 0 && { untold }),
    },
    ...(isPriced && { cost: sum(({ cost }) => cost) }),
  };
}
