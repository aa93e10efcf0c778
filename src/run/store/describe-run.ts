import { basename, relative } from 'node:path';
import { version } from '../../base/version.ts';
import type { Config } from '../../config/config.ts';
import { toPlain } from '../../config/plain-value.ts';
import { hashFile } from '../../data/source/cache.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { RunCommand, RunFile } from './run-file.ts';
import { recordedMetric } from './run-file-parts.ts';

export interface RunRecord {
  readonly command: RunCommand;
  /** The options that shaped the run, so that it can be repeated. */
  readonly settings: RunFile['settings'];
}

/** What is run, on which data, with which settings; values of headers may be secret and stay out. */
export async function describeRun(
  folder: string,
  config: Config,
  { evaluations, record }: { evaluations: readonly Evaluation[]; record: RunRecord },
): Promise<RunFile> {
  const tasks = firstOf(evaluations, ({ task }) => task.name);
  const datasets = tasks.flatMap(({ task }) => task.dataset ?? []);
  const data: RunFile['data'][number][] = [];
  for (const { rows, task, scoringNotes } of tasks) {
    const { files } = await rows.describe();
    data.push({
      dataset: task.name,
      files,
      ...(scoringNotes.length > 0 && { scoring: scoringNotes }),
    });
  }
  const started = process.cwd();
  return {
    ...describeEvaluations(evaluations, record),
    ...(config.file !== undefined && {
      config: basename(config.file),
      configSha256: await hashFile(config.file),
    }),
    folder: started,
    folderFromRun: relative(folder, started),
    templates: datasets.flatMap(({ abbr, stamp }) => (stamp ? [{ dataset: abbr, ...stamp }] : [])),
    datasets: datasets.map(({ source: _, rows: __, stamp: ___, abbr, ...dataset }) => ({
      abbr,
      ...(toPlain(dataset) as object),
    })),
    data,
  };
}

/** What every run says of itself, whatever its tasks come from. */
export function describeEvaluations(
  evaluations: readonly Evaluation[],
  { command, settings }: RunRecord,
): Pick<RunFile, 'format' | 'typecase' | 'command' | 'settings' | 'models' | 'judges' | 'metrics'> {
  const judges = firstOf(evaluations, ({ judge }) => judge?.name).flatMap(
    ({ judge }) => judge ?? [],
  );
  return {
    format: 2,
    typecase: version,
    command,
    settings,
    models: firstOf(evaluations, ({ modelName }) => modelName).map(
      ({ model, modelName, task: { compat } }) => ({
        name: modelName,
        identity: model.identity,
        ...(model.facts && { facts: model.facts }),
        ...(compat && { compat }),
      }),
    ),
    ...(judges.length > 0 && { judges }),
    metrics: firstOf(evaluations, ({ task }) => task.name).map(({ task, scorer }) =>
      recordedMetric(task.name, scorer),
    ),
  };
}

function firstOf(
  evaluations: readonly Evaluation[],
  keyOf: (evaluation: Evaluation) => string | undefined,
): Evaluation[] {
  const first = new Map<string | undefined, Evaluation>();
  for (const evaluation of evaluations) {
    if (!first.has(keyOf(evaluation))) first.set(keyOf(evaluation), evaluation);
  }
  return [...first.values()];
}
