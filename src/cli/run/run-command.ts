import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../../config/config.ts';
import { toPlain } from '../../config/plain-value.ts';
import { hashFile } from '../../data/source/cache.ts';
import { shownUrl } from '../../model/endpoint-address.ts';
import { tasksUnder, terminalTable } from '../../report/index.ts';
import { executeRun, type ModelTasks, type RunOutcome } from '../../run/execute.ts';
import { ResponseCache } from '../../run/response-cache.ts';
import { openRunFolder, type RunFolder } from '../../run/run-folder.ts';
import type { ModelRun } from '../../run/run-model.ts';
import type { RunSummary } from '../../run/summary.ts';
import { explain } from '../explain/explain-command.ts';
import { describeTerminal } from '../terminal.ts';
import { version } from '../version.ts';
import { type BuiltModel, type BuiltTask, buildTasks } from './build-tasks.ts';
import { type OpenedRun, openRun } from './open-run.ts';
import { Progress } from './progress.ts';
import { nameOfSource } from './quick-config.ts';
import { parseRunOptions, type RunOptions } from './run-options.ts';
import { removeResults, writeResults } from './write-results.ts';

const gateFailed = 1;
const notFinished = 3;

/** `typecase run`: asks models, scores their answers, and keeps everything in a folder. */
export async function runRun(args: readonly string[]): Promise<number> {
  const options = parseRunOptions(args);
  if (!options) return 0;
  // Little of what a run allocates lives on: without this the heap would grow to several times that.
  setFlagsFromString('--heap-growing-percent=25');
  const opened = await openRun(options);
  if (options.explain) return explain(options.source, options);
  const path = resolve(options.out ?? defaultFolder(opened, options));
  const models = await opened.placing(() => buildTasks(opened, path, options));
  const folder = await openRunFolder(path);
  try {
    return await opened.placing(() => runIn(folder, { opened, models, options }));
  } finally {
    await folder.unlock();
    for (const { model } of models) await model.close();
    await opened.judges.close();
  }
}

function defaultFolder({ config }: OpenedRun, { source }: RunOptions): string {
  return join(config.workDir ?? 'runs', nameOfSource(source));
}

interface RunParts {
  readonly opened: OpenedRun;
  readonly models: readonly BuiltModel[];
  readonly options: RunOptions;
}

async function runIn(folder: RunFolder, parts: RunParts): Promise<number> {
  const { models, options } = parts;
  warn(models);
  await removeResults(folder);
  await writeRunFile(folder, parts);
  const { groups } = parts.opened.config;
  const outcome = await execute(models, { folder, options, groups, name: basename(folder.path) });
  if (outcome.failure === undefined || hasAnswers(outcome)) {
    await writeResults(folder, outcome, options.failUnder);
  }
  if (outcome.failure !== undefined) throw outcome.failure;
  return report(outcome, folder, options);
}

/** Says which placeholders are sent as they are: mostly that is a slip, but it may be meant. */
export function warn(models: readonly BuiltModel[]): void {
  const diagnostics = models.flatMap(({ tasks }) => tasks.flatMap((task) => task.diagnostics));
  const lines = diagnostics
    .filter(({ code }) => code === 'template.unknown_field')
    .map(({ code, message, hint }) => `warning[${code}] ${message}\nhint: ${hint}\n`);
  process.stderr.write([...new Set(lines)].join(''));
}

/** Whether there is anything to sum up. */
export function hasAnswers({ summary }: RunOutcome): boolean {
  return summary.results.some(({ rows }) => rows.scored + rows.unscored > 0);
}

/** What was run, on which data, with which settings; values of headers may be secret and stay out. */
export async function writeRunFile(
  folder: RunFolder,
  { opened, models, options }: RunParts,
): Promise<void> {
  const { config } = opened;
  const data = await Promise.all(
    (models[0]?.tasks ?? []).map(async ({ settings, rows, scoringNotes }) => ({
      dataset: settings.dataset,
      files: (await rows.stream.describe()).files,
      ...(scoringNotes.length > 0 && { scoring: scoringNotes }),
    })),
  );
  const { out: _, json: __, ids, source, model, ...settings } = options;
  const described = {
    typecase: version,
    config: basename(config.file),
    ...(await describePlace(folder, config)),
    settings: {
      source: shownUrl(source),
      ...(model !== undefined && { model: shownUrl(model) }),
      ...settings,
      ...(ids && { ids: [...ids] }),
    },
    models: models.map(({ model, tasks, compat }) => ({
      name: tasks[0]?.settings.model ?? model.name,
      identity: model.identity,
      ...(model.facts && { facts: model.facts }),
      ...(compat && { compat }),
    })),
    templates: opened.datasets.flatMap(({ abbr, stamp }) =>
      stamp ? [{ dataset: abbr, ...stamp }] : [],
    ),
    datasets: opened.datasets.map(({ source: ___, rows: ____, stamp: _____, ...dataset }) =>
      toPlain(dataset),
    ),
    data,
  };
  await folder.write('run.json', `${JSON.stringify(described, null, 2)}\n`);
}

/** What leads from the folder of a run back to its config, and tells whether that has changed. */
async function describePlace({ path }: RunFolder, { file }: Config) {
  const folder = process.cwd();
  return {
    folder,
    folderFromRun: relative(path, folder),
    ...(existsSync(file) && { configSha256: await hashFile(file) }),
  };
}

/** A model with what the runner needs to know of its tasks. */
interface ExecutedModel extends Omit<ModelTasks, 'tasks' | 'cache'> {
  readonly tasks: readonly Pick<BuiltTask, 'settings'>[];
}

interface ExecuteParts {
  readonly folder: RunFolder;
  readonly options: Pick<RunOptions, 'cache' | 'maxTime'>;
  readonly groups?: Config['groups'];
  readonly name: string;
}

export async function execute(
  models: readonly ExecutedModel[],
  { folder, options, groups, name }: ExecuteParts,
): Promise<RunOutcome> {
  const cache =
    options.cache === undefined || options.cache === false
      ? undefined
      : await ResponseCache.open(
          typeof options.cache === 'string' ? options.cache : join(dirname(folder.path), '.cache'),
        );
  const abort = new AbortController();
  let progress: Progress | undefined;
  let release: (() => void) | undefined;
  try {
    return await executeRun({
      name,
      version,
      groups,
      models: models.map(({ tasks, ...rest }) => ({
        ...rest,
        cache,
        tasks: tasks.map(({ settings }) => settings),
      })),
      signal: abort.signal,
      onStart: (runs) => {
        release = stopGently(runs, { abort, maxTime: options.maxTime });
        const terminal = describeTerminal(process.stderr);
        progress = new Progress(runs, { stream: process.stderr, terminal });
      },
    });
  } finally {
    progress?.stop();
    release?.();
    await cache?.close();
  }
}

/** The first interrupt lets requests under way finish; the second ends them. */
function stopGently(
  runs: readonly ModelRun[],
  { abort, maxTime }: { abort: AbortController; maxTime: number | undefined },
): () => void {
  const stop = () => {
    for (const run of runs) run.stopStarting();
  };
  let interrupts = 0;
  const interrupt = () => {
    if (++interrupts > 1) abort.abort(new Error('interrupted'));
    else process.stderr.write('\nFinishing what is under way; the same command goes on later.\n');
    stop();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const timer = maxTime === undefined ? undefined : setTimeout(stop, maxTime * 1000);
  return () => {
    clearTimeout(timer);
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  };
}

function report({ summary }: RunOutcome, folder: RunFolder, options: RunOptions): number {
  const { width, hasColors } = describeTerminal(process.stdout);
  if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    process.stdout.write(terminalTable(summary, { width, color: hasColors }));
    process.stdout.write(
      `\nReport: ${relative(process.cwd(), join(folder.path, 'report.html'))}\n`,
    );
  }
  warnOfLeaks(summary);
  if (!summary.complete) {
    process.stderr.write('Not all rows were asked; run the same command again to go on.\n');
    return notFinished;
  }
  const missed = options.failUnder === undefined ? [] : tasksUnder(summary, options.failUnder);
  return missed.length > 0 ? gateFailed : 0;
}

export function warnOfLeaks({ results }: RunSummary): void {
  const leaking = results.filter(({ leaks }) => leaks);
  if (leaking.length === 0) return;
  const warnings = leaking.map(
    ({ model, dataset, leaks, rows }) =>
      `warning[run.leaked_answers] ${model} on ${dataset}: the examples of ${leaks} of ${rows.total} rows give their answers away\n`,
  );
  process.stderr.write(
    `${warnings.join('')}hint: \`typecase view\` shows how; keep such rows out of the pool with \`where\`, \`train_range\` or a train split.\n`,
  );
}
