import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { isFileMissing } from '../../base/file-errors.ts';
import type { Compat } from '../../compat/compat.ts';
import type { EvalConfig } from '../../config/config.ts';
import type { SourceFile } from '../../data/row-stream.ts';
import { type ErrorDetails, formatPath, RunFileError } from '../../errors.ts';
import { shownUrl } from '../../model/endpoint-address.ts';
import type { VersionStamp } from '../../tasks/version-stamp.ts';
import { currentFormat, runFileSchema } from './run-file-schema.ts';
import type { RunFolder } from './run-folder.ts';

/** `run.json`: what was run, on which data, with which settings. */
export interface RunFile {
  /** Version of this file and of the logs beside it. */
  readonly format: 2;
  /** Version of Typecase that wrote it. */
  readonly typecase: string;
  readonly command: RunCommand;
  /** Name of the config file. */
  readonly config?: string | undefined;
  /** Left out for runs without a config file. */
  readonly configSha256?: string | undefined;
  /** Where the command was started, and the way there from the folder of the run. */
  readonly folder?: string | undefined;
  readonly folderFromRun?: string | undefined;
  readonly settings: RecordedSettings;
  readonly models: readonly RecordedModel[];
  /** The named templates of tasks that were used, with the hashes of their texts. */
  readonly templates: readonly RecordedTemplate[];
  readonly datasets: readonly RecordedDataset[];
  /** What the score of a single row is. */
  readonly metrics: readonly RecordedMetric[];
  readonly data: readonly RecordedData[];
}

export type RunCommand = 'run' | 'sweep' | 'lm-eval';

/** The options that shaped the run. */
export interface RecordedSettings {
  readonly source?: string;
  readonly model?: string;
  readonly limit?: number;
  readonly ids?: readonly number[];
  readonly where?: string;
  readonly maxOutLen?: number;
  readonly [option: string]: unknown;
}

export interface RecordedModel {
  readonly name: string;
  /** What tells the model's answers from another's. */
  readonly identity?: Readonly<Record<string, unknown>> | undefined;
  /** What was found out about the model. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  readonly compat?: Compat | undefined;
}

export interface RecordedTemplate extends VersionStamp {
  readonly dataset: string;
}

/** The config of a dataset; what can be in it is settled by the schema of configs. */
export interface RecordedDataset {
  readonly abbr: string;
  readonly evalCfg?: EvalConfig | undefined;
  readonly inferCfg?: RecordedInference | undefined;
  readonly [key: string]: unknown;
}

interface RecordedInference {
  readonly inferencer?: { readonly type?: string | undefined } | undefined;
}

export interface RecordedMetric {
  readonly dataset: string;
  readonly name: string;
  readonly direction: 'higher' | 'lower';
  /** Null where there is no bound. */
  readonly range: readonly [lowest: number | null, highest: number | null];
}

export interface RecordedData {
  readonly dataset: string;
  readonly files: readonly SourceFile[];
  /** What scoring depends on beside the config, such as the version of an interpreter. */
  readonly scoring?: readonly string[] | undefined;
  /** Of documents that `typecase lm-eval` asked about. */
  readonly hash?: string | undefined;
  readonly documents?: number | undefined;
  readonly synthetic?: boolean | undefined;
}

const fileName = 'run.json';
const mending = 'It was changed or damaged; the same `typecase run` command writes it anew.';

/** Writes the record of a run. Addresses are written without what may be secret in them. */
export async function writeRunFile(folder: RunFolder, file: RunFile): Promise<void> {
  const { source, model, ...settings } = file.settings;
  const shown = {
    ...(source !== undefined && { source: shownUrl(source) }),
    ...(model !== undefined && { model: shownUrl(model) }),
    ...settings,
  };
  const { format, ...rest } = { ...file, settings: shown };
  await folder.write(fileName, `${JSON.stringify({ format, ...rest }, null, 2)}\n`);
}

/** Reads the record of a run, also one of an older version. */
export async function readRunFile(folder: string): Promise<RunFile> {
  const file = join(folder, fileName);
  const value = await readJsonFile(file);
  if (value === undefined) {
    throw new RunFileError(
      'run.not_a_folder',
      `${displayPath(folder)} is not the folder of a run`,
      {
        hint: `Name the folder that \`typecase run\` wrote, the one with a ${fileName}.`,
      },
    );
  }
  refuseNewer(value, folder);
  const read = runFileSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? String(key) : key));
  throw badFile(file, `${formatPath(path) || 'the file'}: ${issue?.message}`, { path });
}

/** Refuses a folder that only a newer version of Typecase understands. */
export async function checkRunFormat(folder: string): Promise<void> {
  // What is damaged is written anew.
  const value = await readJsonFile(join(folder, fileName)).catch((error: unknown) => {
    if (error instanceof RunFileError) return undefined;
    throw error;
  });
  refuseNewer(value, folder);
}

function refuseNewer(value: unknown, folder: string): void {
  const { format, typecase }: Partial<Record<keyof RunFile, unknown>> = Object(value);
  if (typeof format !== 'number' || format <= currentFormat) return;
  throw new RunFileError(
    'run.newer_folder',
    `${displayPath(folder)} was written by Typecase ${typecase}, in format ${format}; this version reads up to ${currentFormat}`,
    { hint: 'Use that version of Typecase or a newer one.' },
  );
}

/** The value of a JSON file; nothing if there is no such file. */
export async function readJsonFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badFile(file, `not JSON: ${(cause as Error).message}`, { cause });
  }
}

export function badFile(file: string, fault: string, details: ErrorDetails): RunFileError {
  return new RunFileError('run.bad_file', `${displayPath(file)} cannot be read: ${fault}`, {
    hint: mending,
    ...details,
  });
}
