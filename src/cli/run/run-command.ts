import { join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type EvaluateOptions, evaluate } from '../../api/evaluate.ts';
import type { Config } from '../../config/config.ts';
import { configOfFlags, requireConfig } from '../../config/flags.ts';
import { defaultRunFolder } from '../../config/run-defaults.ts';
import { describeAnswers } from '../../report/describe-events.ts';
import type { TaskRows } from '../../report/report-rows.ts';
import { terminalTable } from '../../report/terminal-table.ts';
import { problemWarnings } from '../../run/store/record-problem.ts';
import type { RunSummary } from '../../run/summary.ts';
import type { Comparison } from '../../study/compare/comparison.ts';
import { followRun } from '../../terminal/run/follow-run.ts';
import { addToJobSummary } from '../../terminal/run/job-summary.ts';
import { reportGates } from '../../terminal/run/report-gates.ts';
import {
  namesForeign,
  parseRunOptions,
  type RunOptions,
  recordOf,
  selectionOf,
  withSource,
} from '../../terminal/run/run-options.ts';
import {
  tellOpened,
  warnOfClusters,
  warnOfLeaks,
  warnOfOldLoglikelihoods,
  warnOfServed,
  warnOfUnnamed,
} from '../../terminal/run/warnings.ts';
import { describeTerminal, fitTerminal } from '../../terminal/terminal.ts';

/** `typecase run`: asks models, scores their answers, and keeps everything in a folder. */
export async function runRun(args: readonly string[]): Promise<number> {
  const foreign = namesForeign(args) ? await readForeign(args) : undefined;
  const parsed = parseRunOptions(foreign?.args ?? args);
  if (!parsed) return 0;
  const options = await withSource(parsed);
  // Little of what a run allocates lives on: without this the heap would grow to several times that.
  setFlagsFromString('--heap-growing-percent=60');
  if (options.explain) {
    requireConfig(options, '--explain');
    const { printExplained } = await import('../../terminal/explain/print-explained.ts');
    return printExplained(options.source, options);
  }
  if (options.watch) {
    const { watchRun } = await import('./watch-run.ts');
    return watchRun(options, args);
  }
  const config = foreign?.config ?? (await configOfFlags(options));
  const folder = options.out ?? defaultRunFolder(config);
  const again = options.onlyFailed ? await rowsToAskAgain(folder, options) : undefined;
  if (again?.size === 0) return 0;
  const ended = await runOnce(options, { config, ids: again });
  process.send?.(ended);
  return ended.exitCode;
}

/** What a run came to, for the process that watches it. */
export interface EndedRun {
  readonly exitCode: number;
  readonly folder: string;
  readonly summary: RunSummary;
  readonly tasks: readonly TaskRows[];
  /** Models that are asked again once their `version` changes, whatever their code does. */
  readonly versions: Readonly<Record<string, string>>;
}

interface Asked extends Pick<EvaluateOptions, 'ids'> {
  readonly config: Config;
}

async function runOnce(options: RunOptions, { config, ids }: Asked): Promise<EndedRun> {
  const selection = { ...selectionOf(options), ...(ids && { ids }) };
  const against = options.baseline === undefined ? undefined : await import('./baseline.ts');
  against?.requireBaseline(options, config);
  let compared: Awaited<ReturnType<typeof import('./baseline.ts').compareWithBaseline>> | undefined;
  let tasks: readonly TaskRows[] = [];
  const { folder, summary, problems, oldLoglikelihoods } = await followRun((following) =>
    evaluate(config, {
      ...selection,
      ...following,
      record: { command: 'run', settings: recordOf(options) },
      onOpen: (evaluations) => tellOpened(evaluations, options, config.written),
      ...(against && {
        async holdAgainst(path: string) {
          compared = await against.compareWithBaseline(path, options);
          return compared.result;
        },
      }),
      async onSummary(ended, rows) {
        tasks = rows;
        await addToJobSummary(ended, rows);
      },
    }),
  );
  warnOfOldLoglikelihoods(oldLoglikelihoods);
  process.stderr.write(problemWarnings(problems, 'Their rows are asked again.'));
  await report(summary, { folder, options, comparison: compared?.comparison });
  if (compared) await against?.reportComparison(compared, options);
  const exitCode = reportGates(summary, {
    toGoOn: 'the same command',
    retry: options.retry,
    tasks,
    folder,
  });
  const versions = Object.fromEntries(
    config.models.flatMap(({ abbr, version }) => (version === undefined ? [] : [[abbr, version]])),
  );
  return { exitCode, folder, summary, tasks, versions };
}

async function readForeign(args: readonly string[]) {
  return (await import('../../import/foreign-arguments.ts')).readForeign(args, { isAsked: true });
}

/** Rows that were not right last time. Where there are none, that run is what there is to tell. */
async function rowsToAskAgain(folder: string, { ids, json }: RunOptions) {
  const { rowsNotRight } = await import('./rows-not-right.ts');
  const found = await rowsNotRight(folder, ids);
  if (found.ids.size === 0 && json) {
    const { writeJson } = await import('../../terminal/output.ts');
    writeJson('run', { ...found.summary, folder: resolve(folder) });
  }
  return found.ids;
}

interface Reported {
  readonly folder: string;
  readonly options: RunOptions;
  readonly comparison: Comparison | undefined;
}

async function report(
  summary: RunSummary,
  { folder, options, comparison }: Reported,
): Promise<void> {
  const { width, hasColors } = describeTerminal(process.stdout);
  if (options.json) {
    const { writeJson } = await import('../../terminal/output.ts');
    writeJson('run', {
      ...{ ...summary, folder },
      ...(comparison && { baseline: { ...summary.baseline, comparison } }),
    });
  } else {
    const shown = { width, color: hasColors, folder: relative(process.cwd(), folder) || '.' };
    process.stdout.write(fitTerminal(terminalTable(summary, shown), process.stdout));
    process.stdout.write(
      `\n${describeAnswers(summary).join('\n')}\nReport: ${relative(process.cwd(), join(folder, 'report.html'))}\n`,
    );
  }
  warnOfLeaks(summary);
  warnOfClusters(summary);
  warnOfServed(summary);
  warnOfUnnamed(summary);
}
