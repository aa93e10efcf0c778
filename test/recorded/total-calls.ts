import { endFailed, Pacer } from '../../src/run/pacer.ts';
import { controlOf, RowRate } from '../../src/run/run-control.ts';
import { Spending } from '../../src/run/spending.ts';
import { StartRecord, totalOf } from '../../src/run/start-record.ts';
import type { RunFile } from '../../src/run/store/run-file.ts';
import { Tally } from '../../src/run/summarize.ts';
import { summarizeGroups } from '../../src/run/summarize-groups.ts';
import { taskResult } from '../../src/run/task-result.ts';
import { inFolder, plainError } from './lines.ts';
import { timeless } from './timeless.ts';

/** What runs count, pace and pay for: what comes of it for what they are given. */
export const totalCalls = {
  /** How requests may start, after what became of others. */
  pace(options: object, steps: readonly (readonly [string, number?, object?])[]) {
    let most = 0;
    const { changes, ...rest } = options as { readonly changes?: readonly number[] };
    const pacer = new Pacer({
      maxConcurrency: 4,
      ...rest,
      ...(changes && { maxConcurrency: () => changes[most++ % changes.length] ?? 1 }),
    });
    return steps.map(([step, now = 0, problem]) => {
      const found = walkPacer(pacer, { step, now, problem });
      return [found ?? null, pacer.inFlight, pacer.limit, pacer.hasRoom, pacer.delayMs(now)];
    });
  },
  rate(steps: readonly (readonly [number, never])[]) {
    const rate = new RowRate();
    const start = performance.now();
    return steps.map(([after, progress], index) =>
      index === 0
        ? typeof rate.at(start + after, progress).perSecond
        : coarse(rate.at(start + after, progress)),
    );
  },
  async control(
    evaluations: readonly Readonly<Record<string, unknown>>[],
    pacers: readonly Readonly<Record<string, unknown>>[],
    judges?: readonly never[],
  ) {
    let asked = 0;
    let stopped = 0;
    const counted = evaluations.map(({ counts, rows, price, name }) => ({
      counts,
      evaluation: { model: { name }, task: { name: 'd' }, modelConfig: { price } },
      countAll: async () => rows,
    }));
    const runs = pacers.map(({ inFlight, delay, slowest }, index) => ({
      evaluations: counted.filter((_, place) => place % pacers.length === index),
      pacer: { inFlight, delayMs: () => delay },
      slowest,
      stopStarting: () => stopped++,
    }));
    const control = controlOf(runs as never, {
      ...(judges && { judges: () => judges[asked++ % judges.length] as never }),
      ...(pacers.length > 1 && { reach: { roomFor: () => 1, state: 'two workers' } }),
    });
    const before = control.progress();
    const rows = await control.countRows();
    control.stop();
    return [before, rows, control.progress(), stopped];
  },
  groups: (groups: never, results: readonly never[], rows: Readonly<Record<string, never[]>>) =>
    summarizeGroups(groups, {
      results,
      recorded: Object.entries(rows).map(([dataset, records]) => ({
        model: 'm',
        dataset,
        records: () => records,
      })),
    }),
  /** The summary of a task, from the records of its rows. */
  summary(scorer: never, rows: readonly object[], records: readonly never[], facts: object) {
    const tally = new Tally(scorer);
    for (const row of rows) tally.see(row as never);
    tally.seePart('kind=late');
    for (const record of records) tally.add(record);
    const counted = new Set<string>(['shared\nk1', '\nk2', 'strong\nk3']);
    const given = {
      model: 'm',
      dataset: 'd',
      total: records.length,
      requests: { sent: 1, failed: 0, cached: 0, resumed: 0 },
      isUnlimited: false,
      leaks: 0,
      shape: {},
      seconds: 2,
      promptHash: 'h',
      counted,
      leftOf: (kind: string) => kind.length % 3,
      ...facts,
    };
    return [taskResult(tally, given as never), [...counted].sort()];
  },
  totals: (starts: readonly never[]) => totalOf(starts),
  /** Requests at a cost limit, at once or one after the other: what each came to. */
  async spend(limit: number, price: never, asked: readonly object[], atOnce: boolean) {
    const spending = new Spending(limit);
    const answer = async (own: Record<string, unknown>) => {
      await Promise.resolve();
      if (own.error) throw plainError(own.error as never);
      return { text: 'x', usage: own.usage };
    };
    const model = (own: Record<string, unknown>) => ({
      generate: () => answer(own),
      loglikelihoodModel: own.texts ? { measure: () => answer(own) } : undefined,
    });
    const ask = async (own: Record<string, unknown>) => {
      const encode = own.tokens
        ? () => Array.from({ length: Number(own.tokens) }, () => 1)
        : undefined;
      const metered = spending.meter(
        model(own) as never,
        { price, ...Object(own.config) } as never,
        encode,
      );
      const signal = own.aborted
        ? AbortSignal.abort(new Error('stopped'))
        : new AbortController().signal;
      try {
        const { loglikelihoodModel } = metered;
        if (loglikelihoodModel)
          await loglikelihoodModel.measure({ texts: own.texts } as never, { signal });
        else await metered.generate({ prompt: own.prompt } as never, { signal });
        return ['paid', spending.counted()];
      } catch (error) {
        return [(error as Error).message, spending.counted()];
      }
    };
    const found: unknown[] = [];
    if (atOnce) found.push(...(await Promise.all(asked.map((one) => ask(one as never)))));
    else for (const one of asked) found.push(await ask(one as never));
    const priced = await Promise.resolve()
      .then(() =>
        spending.requirePrices([
          { modelConfig: { abbr: 'm', source: [], price, ...Object(asked[0]).config } } as never,
        ]),
      )
      .catch((error) => error.message);
    return [found, priced, spending.reached?.message ?? null, spending.addTo({} as never)];
  },
  /** One start of a run after others, as its record has it. */
  start: (file: RunFile | null, own: RunFile, options: object, summary: object) =>
    inFolder(async (path) => {
      const { mkdir, readFile, writeFile } = await import('node:fs/promises');
      await mkdir(path, { recursive: true });
      if (file) await writeFile(`${path}/run.json`, JSON.stringify(file));
      const folder = {
        path,
        write: (name: string, text: string) => writeFile(`${path}/${name}`, text),
        remove: async () => undefined,
      };
      const record = await StartRecord.begin(folder as never, own, {
        ...options,
        ...('counted' in options && { counted: () => 7 }),
      } as never);
      const begun = [record.isFresh ?? null, record.paidBefore];
      const { progress = {}, served = [], fails, ...outcome } = summary as Record<string, never>;
      record.watch({ progress: () => progress, countRows: async () => 1, stop: () => 0 } as never);
      const followed = await record
        .follow(async () => {
          record.add({ served } as never);
          if (fails) throw new Error('the run failed');
          return { summary: outcome } as never;
        })
        .catch((error: Error) => error.message);
      const text = await readFile(`${path}/run.json`, 'utf8');
      return timeless([begun, followed, JSON.parse(text)], [[path, 'FOLDER']]);
    }),
};

interface PacerStep {
  readonly step: string;
  readonly now: number;
  readonly problem: object | undefined;
}

function walkPacer(pacer: Pacer, { step, now, problem }: PacerStep): unknown {
  if (step === 'start') return pacer.start(now);
  if (step === 'further') return pacer.startFurther(now);
  if (step === 'succeed') return pacer.succeed();
  return endFailed(pacer, problem as never, now);
}

/** The first step depends on the clock, and those after it by less than is kept. */
function coarse(value: { readonly perSecond: number; readonly secondsLeft?: number }) {
  const digits = (number: number | undefined) => number && Number(number.toPrecision(5));
  return { perSecond: digits(value.perSecond), secondsLeft: digits(value.secondsLeft) };
}
