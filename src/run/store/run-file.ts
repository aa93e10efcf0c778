import { join } from 'node:path';
import * as z from 'zod';
import { displayPath } from '../../base/display-path.ts';
import { isFileMissing, readTextFile } from '../../base/files.ts';
import type { RepositoryState } from '../../base/read-repository.ts';
import type { Compat } from '../../compat/compat.ts';
import { dataFormats, type SourceFile } from '../../data/row-stream.ts';
import { type ErrorDetails, formatPath, RunFileError } from '../../errors.ts';
import type { NamedJudge, Pace } from '../../evaluation/evaluation.ts';
import type { RepeatedDataset } from '../../evaluation/repeats.ts';
import { shownUrl } from '../../model/endpoint-address.ts';
import { fewValues } from '../../schema/schema-problems.ts';
import type { VersionStamp } from '../../tasks/version-stamp.ts';

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
  /** That of the config, for datasets that set none. */
  readonly seed?: number | undefined;
  /** What the keys of requests begin with. */
  readonly harness?: string | undefined;
  readonly models: readonly RecordedModel[];
  /** Models that judged answers; left out where there are none. */
  readonly judges?: readonly NamedJudge[] | undefined;
  /** The named templates of tasks that were used, with the hashes of their texts. */
  readonly templates: readonly RecordedTemplate[];
  readonly datasets: readonly RecordedDataset[];
  /** What the score of a single row is. */
  readonly metrics: readonly RecordedMetric[];
  readonly data: readonly RecordedData[];
  /** The repository that the config is in. */
  readonly git?: RepositoryState | undefined;
  /** How often the command was started, the first start first. */
  readonly starts?: readonly RecordedStart[] | undefined;
}

/** One start of a run. */
export interface RecordedStart {
  readonly startedAt: string;
  /** Left out if the start did not come to its end; what it took is then known in part. */
  readonly finishedAt?: string | undefined;
  readonly seconds?: number | undefined;
  /** Requests to models and judges, attempts that failed included. */
  readonly sent?: number | undefined;
  readonly tokens?:
    | {
        readonly input: number;
        readonly output: number;
        /** Answers whose server did not tell all tokens. */
        readonly untold?: number | undefined;
      }
    | undefined;
  readonly cost?: number | undefined;
  /** What counted towards a cost limit: what tokens that were not told can cost at most, with it. */
  readonly counted?: number | undefined;
  /**
   * Everything was to be asked again, by this start or by one before: `begun` as long as something is
   * left of that, `done` once nothing is.
   */
  readonly fresh?: 'begun' | 'done' | undefined;
  /** Whether no row was missing at the end. */
  readonly complete?: boolean | undefined;
}

export type RunCommand = 'run' | 'sweep' | 'lm-eval';

/** The harness whose results a run was opened from. */
export interface OpenedFrom {
  readonly harness: string;
  /** By dataset, the evaluator that rows were scored by when they were opened. */
  readonly scoredBy: Readonly<Record<string, string>>;
  /** By dataset, how many examples prompts have. */
  readonly shots?: Readonly<Record<string, number>> | undefined;
  /** Hash of what was read. */
  readonly source?: string | undefined;
}

/** The options that shaped the run. */
export interface RecordedSettings {
  readonly source?: string;
  readonly model?: string;
  readonly limit?: number;
  readonly ids?: readonly number[];
  readonly where?: string;
  readonly maxOutLen?: number;
  /** Of results of another harness: whose they are. */
  readonly opened?: OpenedFrom;
  readonly [option: string]: unknown;
}

/** How a model writes dialogues, by what that holds. */
export interface RecordedFormat {
  readonly type: string;
  readonly name?: string | undefined;
  readonly hash?: string | undefined;
}

export interface RecordedModel {
  readonly name: string;
  /** What tells the model's answers from another's. */
  readonly identity?: Readonly<Record<string, unknown>> | undefined;
  /** What was found out about the model. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  readonly compat?: Compat | undefined;
  readonly format?: RecordedFormat | undefined;
  readonly tokenizer?: { readonly file: string; readonly sha256: string } | undefined;
  /** How fast it was asked. */
  readonly pace?: Pace | undefined;
  /** Its config, without what may be secret. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** What the server called it in its answers, of all starts. */
  readonly served?: readonly ServedName[] | undefined;
  /** The same of answers that do not count, as what is asked under the name was another model. */
  readonly servedBefore?: readonly ServedBefore[] | undefined;
}

export interface ServedBefore {
  /** Hash of what told the model from others. */
  readonly identity: string;
  readonly served: readonly ServedName[];
}

/** A name that a server gave, and how many answers came under it. */
export interface ServedName {
  readonly name: string;
  readonly answers: number;
}

export interface RecordedTemplate extends VersionStamp {
  readonly dataset: string;
}

/** The config of a dataset; what can be in it is settled by the schema of configs. */
export interface RecordedDataset extends RepeatedDataset {
  readonly abbr: string;
  readonly readerCfg?: RecordedReader | undefined;
  /** How each model was asked, where not all were asked alike. */
  readonly inferencers?: Readonly<Record<string, string>> | undefined;
  readonly [key: string]: unknown;
}

type RecordedReader = NonNullable<RepeatedDataset['readerCfg']> & {
  readonly clusterBy?: string | undefined;
};

export interface RecordedMetric {
  readonly dataset: string;
  /** What the table shows: the mean of rows, or a measure of all of them together. */
  readonly headline?: string | undefined;
  /** What a row has. */
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
  /** The seed that examples are drawn by, where they are drawn. */
  readonly seed?: number | undefined;
  /** The rows that can be examples: how many, and the hash of what they hold. */
  readonly pool?: { readonly rows: number; readonly hash: string } | undefined;
  /** Of documents that `typecase lm-eval` asked about. */
  readonly hash?: string | undefined;
  readonly documents?: number | undefined;
  readonly synthetic?: boolean | undefined;
}

const currentFormat = 2;

const component = z.looseObject({ type: z.string() });
const components = z.union([component, z.array(component)]);

const evalConfig = z.looseObject({
  evaluator: component,
  circular: z.enum(['rotations', 'permutations']).optional(),
  predRole: z.string().optional(),
  predPostprocessor: components.optional(),
  datasetPostprocessor: components.optional(),
});

const settings = z.looseObject({
  source: z.string().exactOptional(),
  model: z.string().exactOptional(),
  limit: z.number().exactOptional(),
  ids: z.array(z.number()).exactOptional(),
  where: z.string().exactOptional(),
  maxOutLen: z.number().exactOptional(),
  opened: z
    .looseObject({
      harness: z.string(),
      scoredBy: z.record(z.string(), z.string()),
      shots: z.record(z.string(), z.number()).optional(),
      source: z.string().optional(),
    })
    .exactOptional(),
});

const servedNames = z.array(z.looseObject({ name: z.string(), answers: z.number() }));

const model = z.looseObject({
  name: z.string(),
  identity: z.record(z.string(), z.unknown()).optional(),
  facts: z.record(z.string(), z.unknown()).optional(),
  compat: z.enum(['opencompass', 'aisbench']).optional(),
  format: z
    .looseObject({ type: z.string(), name: z.string().optional(), hash: z.string().optional() })
    .optional(),
  tokenizer: z.looseObject({ file: z.string(), sha256: z.string() }).optional(),
  pace: z
    .looseObject({
      maxConcurrency: z.number(),
      requestsPerSecond: z.number().optional(),
      maxAttempts: z.number(),
    })
    .optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  served: servedNames.optional(),
  servedBefore: z.array(z.looseObject({ identity: z.string(), served: servedNames })).optional(),
});

const start = z.looseObject({
  startedAt: z.string(),
  finishedAt: z.string().optional(),
  seconds: z.number().optional(),
  sent: z.number().optional(),
  tokens: z
    .looseObject({ input: z.number(), output: z.number(), untold: z.number().optional() })
    .optional(),
  cost: z.number().optional(),
  counted: z.number().optional(),
  fresh: z.enum(['begun', 'done']).optional(),
  complete: z.boolean().optional(),
});

const template = z.looseObject({
  dataset: z.string(),
  task: z.string(),
  version: z.string(),
  dialect: z.string().optional(),
  hash: z.string(),
});

const inference = z.looseObject({
  inferencer: z
    .looseObject({
      type: z.string().optional(),
      scSize: z.number().optional(),
      inferMode: z.string().optional(),
    })
    .optional(),
  promptTemplate: z
    .looseObject({ config: z.looseObject({ type: z.string().optional() }).optional() })
    .optional(),
});

const dataset = z.looseObject({
  abbr: z.string(),
  evalCfg: evalConfig.optional(),
  inferCfg: inference.optional(),
  inferencers: z.record(z.string(), z.string()).optional(),
  readerCfg: z
    .looseObject({ outputColumn: z.string().optional(), clusterBy: z.string().optional() })
    .optional(),
  n: z.number().optional(),
  k: z.array(z.number()).optional(),
});

const bound = z.number().nullable();

const metric = z.looseObject({
  dataset: z.string(),
  headline: z.string().optional(),
  name: z.string(),
  direction: z.enum(['higher', 'lower']),
  range: z.tuple([bound, bound]),
});

const sourceFile = z.looseObject({
  name: z.string(),
  format: z.enum(dataFormats),
  bytes: z.number(),
  sha256: z.string(),
  revision: z.string().exactOptional(),
});

const data = z.looseObject({
  dataset: z.string(),
  files: z.array(sourceFile).default([]),
  scoring: z.array(z.string()).optional(),
  seed: z.number().optional(),
  pool: z.looseObject({ rows: z.number(), hash: z.string() }).optional(),
  hash: z.string().optional(),
  documents: z.number().optional(),
  synthetic: z.boolean().optional(),
});

/** Unknown keys are kept: scoring again writes the file anew. */
const current = z.looseObject({
  format: z.literal(currentFormat),
  typecase: z.string(),
  command: z.enum(['run', 'sweep', 'lm-eval']),
  config: z.string().optional(),
  configSha256: z.string().optional(),
  folder: z.string().optional(),
  folderFromRun: z.string().optional(),
  settings,
  seed: z.number().optional(),
  harness: z.string().optional(),
  models: z.array(model),
  judges: z
    .array(z.looseObject({ name: z.string(), identity: z.record(z.string(), z.unknown()) }))
    .optional(),
  templates: z.array(template),
  datasets: z.array(dataset),
  metrics: z.array(metric),
  data: z.array(data),
  git: z.looseObject({ commit: z.string(), dirty: z.boolean() }).optional(),
  starts: z.array(start).optional(),
});

/** A `run.json` of any version so far, as the current one. */
const runFileSchema: z.ZodType<RunFile> = z.preprocess(migrate, current);

/** Version 0.1 wrote no format, and left out what there was nothing to say of. */
function migrate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('format' in value) return value;
  const isSweep = 'settings' in value && Object.hasOwn(Object(value.settings), 'axes');
  return {
    typecase: '0.1',
    command: isSweep ? 'sweep' : 'run',
    settings: {},
    models: [],
    templates: [],
    datasets: [],
    metrics: [],
    data: [],
    ...value,
    format: currentFormat,
  };
}

export const runFileName = 'run.json';
const mending = 'It was changed or damaged. Run the same `typecase run` command to rewrite it.';

/** Where the files of a run are written. */
interface Writer {
  readonly write: (name: string, text: string) => Promise<void>;
}

/** Writes the record of a run. Addresses are written without what may be secret in them. */
export async function writeRunFile(folder: Writer, file: RunFile): Promise<void> {
  const { source, model, ...settings } = file.settings;
  const shown = {
    ...(source !== undefined && { source: shownUrl(source) }),
    ...(model !== undefined && { model: shownUrl(model) }),
    ...settings,
  };
  const { format, ...rest } = { ...file, settings: shown };
  await folder.write(runFileName, `${JSON.stringify({ format, ...rest }, null, 2)}\n`);
}

/** Reads the record of a run, also one of an older version. */
export async function readRunFile(folder: string): Promise<RunFile> {
  const file = join(folder, runFileName);
  const value = await readJsonFile(file);
  if (value === undefined) {
    throw new RunFileError('run.not_a_folder', `${displayPath(folder)} is not a run folder`, {
      hint: `Give a folder written by \`typecase run\`: it contains ${runFileName}.`,
    });
  }
  refuseNewer(value, folder);
  return parseRunFile(value, file);
}

/** The record of a run as it stands in a file, also one of an older version. */
export function parseRunFile(value: unknown, file: string): RunFile {
  const read = runFileSchema.safeParse(value, fewValues);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? String(key) : key));
  throw badFile(file, `${formatPath(path) || 'the file'}: ${issue?.message}`, { path });
}

/** Refuses a folder that only a newer version of Typecase understands. */
export async function checkRunFormat(folder: string): Promise<void> {
  // What is damaged is written anew.
  const value = await readJsonFile(join(folder, runFileName)).catch((error: unknown) => {
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
    text = await readTextFile(file);
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
