import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Compat, EvalConfig } from '../../config/config.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';
import { displayPath } from '../display-path.ts';
import { UsageError } from '../usage-error.ts';

/** What `run.json` says about a run, as far as scoring needs it. */
export interface RecordedRun {
  /** Left out: `typecase run`. */
  readonly command?: string;
  readonly settings: {
    readonly limit?: number;
    readonly ids?: readonly number[];
    readonly where?: string;
    readonly maxOutLen?: number;
  };
  readonly models: readonly { readonly name: string; readonly compat?: Compat }[];
  readonly datasets: readonly RecordedDataset[];
}

interface RecordedDataset {
  readonly abbr: string;
  readonly evalCfg?: EvalConfig;
}

/** A run as its folder has it. */
export interface SavedRun {
  readonly folder: string;
  readonly recorded: RecordedRun;
  /** Left out when the run did not come to its end. */
  readonly summary?: RunSummary;
}

export async function readSavedRun(folder: string): Promise<SavedRun> {
  const recorded = await readJson<RecordedRun>(join(folder, 'run.json'));
  if (!recorded) {
    throw new UsageError('score.no_run', `${displayPath(folder)} is not the folder of a run`, {
      hint: 'Name the folder that `typecase run` wrote, the one with a run.json.',
    });
  }
  if (recorded.command === 'lm-eval') {
    throw new UsageError('score.other_command', `${displayPath(folder)} is a run of lm-eval`, {
      hint: 'That command scores by its own rules; `typecase leaderboard` compares its results.',
    });
  }
  const summary = await readJson<RunSummary>(join(folder, 'summary.json'));
  return { folder, recorded, ...(summary && { summary }) };
}

async function readJson<Value>(file: string): Promise<Value | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError('score.bad_run', `${displayPath(file)} is not JSON: ${cause}`, {
      cause,
      hint: 'It was changed or damaged; `typecase run` writes it anew.',
    });
  }
}

/** What the summary said of a task. */
export function resultOf(
  { summary }: SavedRun,
  { model, dataset }: Pick<TaskResult, 'model' | 'dataset'>,
): TaskResult | undefined {
  return summary?.results.find((result) => result.model === model && result.dataset === dataset);
}

/** The record with the `eval_cfg` that now counts. */
export function withEvaluators(
  recorded: RecordedRun,
  evaluators: ReadonlyMap<string, EvalConfig | undefined>,
): RecordedRun {
  return {
    ...recorded,
    datasets: recorded.datasets.map((dataset) => {
      const { evalCfg: _, ...rest } = dataset;
      if (!evaluators.has(dataset.abbr)) return dataset;
      const evalCfg = evaluators.get(dataset.abbr);
      return { ...rest, ...(evalCfg && { evalCfg }) };
    }),
  };
}
