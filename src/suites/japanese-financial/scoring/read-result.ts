import { basename, dirname } from 'node:path';
import * as z from 'zod';
import type { Estimate, Measurement } from '../../../stats/estimate.ts';
import { measureCells, withinShares } from '../../../stats/measure-cells.ts';
import { wilson } from '../../../stats/wilson.ts';
import type { ModelResult, TaskScore } from '../../../study/leaderboard/task-score.ts';
import { type NamedTask, type Task, taskNamed } from '../templates/task-names.ts';
import { scoreMeasure } from './score-estimate.ts';

const numbers = z.array(z.number());
const metrics = z.record(z.string(), z.unknown());

const stampSchema = z.object({
  task: z.string(),
  version: z.string(),
  dialect: z.string().optional(),
  hash: z.string(),
});

const recordedSchema = z.object({
  template: stampSchema,
  data: z.object({ hash: z.string(), documents: z.number(), synthetic: z.boolean() }),
  doc: numbers,
  gold: numbers,
  predicted: numbers,
  cut: z.number().default(0),
  unnamed: z.number().default(0),
});

const resultSchema = z.object({
  results: z.record(z.string(), metrics),
  config: z.looseObject({
    model: z.unknown().optional(),
    model_args: z.unknown().optional(),
    limit: z.unknown().optional(),
    num_fewshot: z.unknown().optional(),
    gen_kwargs: z.unknown().optional(),
  }),
  'n-shot': z.record(z.string(), z.number()).optional(),
  'n-samples': z
    .record(z.string(), z.object({ original: z.number(), effective: z.number() }))
    .optional(),
  lm_eval_version: z.string().optional(),
  system_instruction: z.unknown().optional(),
  chat_template_sha: z.unknown().optional(),
  typecase: z
    .object({
      dialect: z.string(),
      model: z.string(),
      tasks: z.record(z.string(), recordedSchema),
    })
    .optional(),
});

type ResultFile = z.output<typeof resultSchema>;

/** Reads a result file of any release of the original, or of Typecase; nothing if it is none. */
export function readResult(value: unknown, file: string): ModelResult | undefined {
  const read = resultSchema.safeParse(value);
  if (!read.success) return undefined;
  const result = read.data;
  return {
    ...modelOf(result, file),
    file,
    dialect: dialectOf(result),
    isSynthetic: Object.values(result.typecase?.tasks ?? {}).some(({ data }) => data.synthetic),
    scores: Object.entries(result.results).map(([name, found], index) =>
      scoreOf(taskNamed(name), { result, found, index, file }),
    ),
  };
}

/** Arguments that put something on top of a model, which is then another one. */
const adapters = ['peft', 'delta', 'lora_local_path'];
/** Arguments by which the same name stands for other weights. */
const weights = [
  ...['revision', 'subfolder', 'gguf_file', 'quantization', 'load_in_8bit', 'load_in_4bit'],
  ...['autogptq', 'gptqmodel'],
];

/** The name of a model: recorded, what it was loaded from, or the folders around its results. */
function modelOf(result: ResultFile, file: string) {
  const { config, typecase } = result;
  const args = new Map(
    String(config.model_args ?? '')
      .split(',')
      .map((item) => [item.split('=')[0] ?? '', item.slice(item.indexOf('=') + 1)] as const),
  );
  const folders = [basename(dirname(dirname(file))), basename(dirname(file))].join('/');
  const base = typecase?.model ?? args.get('pretrained') ?? args.get('model') ?? folders;
  const added = adapters.flatMap((key) => args.get(key) ?? []);
  const shown = added.at(-1) ?? args.get('pretrained') ?? '';
  const isOnHub = /^(?:hf|vllm)/.test(String(config.model)) && /^[^./][^/]*\/[^/]+$/.test(shown);
  return {
    model: [base, ...added].join(' + '),
    link: isOnHub ? encodeURI(`https://huggingface.co/${shown}`) : undefined,
    settings: settingsOf(result, args),
  };
}

/** What else makes the answers. */
function settingsOf(
  { config, system_instruction, chat_template_sha }: ResultFile,
  args: ReadonlyMap<string, string>,
): ModelResult['settings'] {
  const given = { gen_kwargs: config.gen_kwargs, system_instruction, chat_template_sha };
  return Object.fromEntries([
    ...weights.flatMap((key) => (args.has(key) ? [[key, args.get(key)]] : [])),
    ...Object.entries(given).flatMap(([key, value]) =>
      value ? [[key, typeof value === 'string' ? value : JSON.stringify(value)]] : [],
    ),
  ]);
}

/** Results tell by their shape which release wrote them. */
function dialectOf({ typecase, results, lm_eval_version }: ResultFile): string {
  if (typecase) return typecase.dialect;
  const isFirst = Object.values(results).some((found) => 'acc' in found);
  if (isFirst) return 'v0.1.0';
  return lm_eval_version === undefined ? 'v0.2.0' : 'main';
}

interface Found {
  readonly result: ResultFile;
  readonly found: Readonly<Record<string, unknown>>;
  /** Position of the task in the file. */
  readonly index: number;
  readonly file: string;
}

function scoreOf(named: NamedTask, parts: Found): TaskScore {
  const { task, version, name } = named;
  const measured = scoreMeasure(task);
  const { metric, cellOf } = measured;
  const { result, found, index, file } = parts;
  const recorded = result.typecase?.tasks[name];
  const shared = {
    ...{ task, version, metric, file, unscored: 0 },
    shots: shotsOf(result, { name, index }),
    stamp: recorded?.template,
  };
  if (!recorded) {
    const count = countOf(named, parts);
    const score = guess(withinOne(valueOfMetric(found, metric) ?? 0), count);
    const isPartial = isLimited(result) || count < (result['n-samples']?.[name]?.original ?? 0);
    return { ...shared, score, count, isPartial, isGuessed: metric === 'f1', rows: undefined };
  }
  const cells = new Map(
    recorded.doc.map((doc, index) => {
      const row = { gold: recorded.gold[index] ?? 0, predicted: recorded.predicted[index] ?? 0 };
      return [`${recorded.data.hash} ${doc}`, cellOf(row)];
    }),
  );
  const score = withinShares(measureCells(cells.values(), measured) as Measurement);
  const isPartial = cells.size < recorded.data.documents;
  return {
    ...{ ...shared, score, isPartial },
    count: cells.size,
    isGuessed: false,
    rows: { cells, measure: measured },
    ...(recorded.cut > 0 && { shortened: { rows: recorded.cut, how: 'cut' } }),
    ...(recorded.unnamed > 0 && { unnamed: recorded.unnamed }),
  };
}

/** Whether only some documents were asked. */
function isLimited({ config }: ResultFile): boolean {
  return config.limit !== undefined && config.limit !== null;
}

function valueOfMetric(found: Found['found'], name: string): number | undefined {
  const value = found[`${name},none`] ?? found[name];
  return typeof value === 'number' ? value : undefined;
}

/** How many documents the real datasets have. */
const defaultSizes: Readonly<Record<Task, number>> = {
  chabsa: 7723,
  cma_basics: 38,
  cpa_audit: 398,
  fp2: 475,
  security_sales_1: 57,
};

/** How many documents a score is over: recorded, or what its standard error says. */
function countOf({ task, name }: NamedTask, { result, found }: Found): number {
  const recorded = result['n-samples']?.[name]?.effective;
  if (recorded !== undefined) return recorded;
  const rate = valueOfMetric(found, 'acc') ?? 0;
  const error = valueOfMetric(found, 'acc_stderr') ?? 0;
  return error > 0 ? Math.round((rate * (1 - rate)) / error ** 2) + 1 : defaultSizes[task];
}

/** F1 of the original exceeds 1 only where it lacks a third class, and is half as much again then. */
function withinOne(value: number): number {
  return value > 1 ? value / 1.5 : value;
}

/** The interval that a rate over so many documents would have. */
function guess(value: number, count: number): Estimate {
  const rate = wilson(Math.round(Math.min(value, 1) * count), count) as Estimate;
  return { ...rate, value, low: Math.min(rate.low, value), high: Math.max(rate.high, value) };
}

function shotsOf(
  { config, ...result }: ResultFile,
  { name, index }: { readonly name: string; readonly index: number },
): number | undefined {
  const { num_fewshot: given } = config;
  const own = result['n-shot']?.[name] ?? (Array.isArray(given) ? given[index] : given);
  return typeof own === 'number' ? own : undefined;
}
