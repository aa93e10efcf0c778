import { version } from '../../../base/version.ts';
import type { VersionStamp } from '../../../tasks/version-stamp.ts';
import type { Metric } from '../scoring/metrics.ts';
import type { Dialect } from '../templates/dialects.ts';
import type { LmEvalOptions } from './lm-eval-options.ts';
import type { TaskOutcome } from './read-outcome.ts';

/** What result files of Typecase hold beside what the original writes. */
export interface TypecaseResult {
  readonly version: string;
  readonly dialect: Dialect;
  readonly model: string;
  readonly tasks: Readonly<Record<string, RecordedTask>>;
}

/** What a task was made of, and how each of its documents ended. */
export interface RecordedTask {
  readonly template: VersionStamp;
  readonly data: { readonly hash: string; readonly documents: number; readonly synthetic: boolean };
  /** Places of documents in the data, right choices and preferred ones, in the order of evaluation. */
  readonly doc: readonly number[];
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
  /** How many contexts were cut at their beginning to fit into the model. */
  readonly cut: number;
  /** How many answers name no choice, so that the first one is taken. */
  readonly unnamed: number;
}

export interface ResultParts {
  readonly outcomes: readonly TaskOutcome[];
  readonly options: LmEvalOptions;
  readonly dialect: Dialect;
  readonly modelName: string;
  readonly date: Date;
}

/** The results in the shape that the dialect's release of the original writes. */
export function resultFile(parts: ResultParts): Record<string, unknown> {
  const { outcomes, options, dialect, date } = parts;
  const byTask = <Value>(makeValue: (outcome: TaskOutcome) => Value) =>
    Object.fromEntries(outcomes.map((outcome) => [outcome.template.name, makeValue(outcome)]));
  const typecase = recorded(parts);
  const { model, model_args, batch_size = null, device = null, limit = null } = options;
  const shared = { model, model_args, batch_size, device, limit };
  if (dialect === 'v0.1.0') {
    return {
      results: byTask(({ metrics }) => plainMetrics(metrics)),
      versions: byTask(() => 1),
      config: {
        ...shared,
        num_fewshot: outcomes.map(({ numFewshot }) => numFewshot),
        ...{ no_cache: true, bootstrap_iters: 0, description_dict: {} },
      },
      typecase,
    };
  }
  return {
    results: byTask((outcome) => filteredMetrics(outcome)),
    group_subtasks: byTask(() => []),
    configs: byTask(configOf),
    versions: byTask(() => 1),
    'n-shot': byTask(({ numFewshot }) => numFewshot),
    ...(dialect === 'main' && {
      higher_is_better: byTask(({ metrics }) =>
        Object.fromEntries(metrics.map(({ name }) => [name, true])),
      ),
      'n-samples': byTask(({ data, rows }) => ({ original: data.size, effective: rows.length })),
    }),
    config: { ...shared, bootstrap_iters: 0 },
    date: date.getTime() / 1000,
    ...(dialect === 'main' && { model_name: parts.modelName }),
    typecase,
  };
}

function plainMetrics(metrics: readonly Metric[]): Record<string, number> {
  return Object.fromEntries(
    metrics.flatMap(({ name, value, stderr }) => [
      [name, value],
      ...(stderr === undefined ? [] : [[`${name}_stderr`, stderr]]),
    ]),
  );
}

function filteredMetrics({ metrics, template }: TaskOutcome): Record<string, unknown> {
  const alias = { alias: template.name };
  const values = valuesOf(metrics);
  return template.dialect === 'main' ? { ...alias, ...values } : { ...values, ...alias };
}

/** Measures and their standard errors, under the names that they have after no filter. */
export function valuesOf(metrics: readonly Metric[]): Record<string, number | 'N/A'> {
  const values = metrics.flatMap(({ name, value, stderr }) => [
    [`${name},none`, value],
    [`${name}_stderr,none`, stderr ?? 'N/A'],
  ]);
  return Object.fromEntries(values);
}

/** A task in the words of the original's configs. */
export function configOf({ template, numFewshot }: TaskOutcome): Record<string, unknown> {
  return {
    task: template.name,
    test_split: 'test',
    description: template.description,
    target_delimiter: template.delimiter,
    fewshot_delimiter: template.separator,
    num_fewshot: numFewshot,
    output_type: 'multiple_choice',
    metadata: { version: 1 },
  };
}

function recorded({ outcomes, dialect, modelName }: ResultParts): TypecaseResult {
  const tasks = outcomes.map((outcome): [string, RecordedTask] => {
    const { template, data, asked, rows, cut, unnamed } = outcome;
    return [
      template.name,
      {
        template: { task: template.task, version: template.version, dialect, hash: template.hash },
        data: { hash: data.hash, documents: data.size, synthetic: data.isSynthetic },
        doc: asked.map(({ docIndex }) => docIndex),
        gold: rows.map(({ gold }) => gold),
        predicted: rows.map(({ predicted }) => predicted),
        cut,
        unnamed,
      },
    ];
  });
  return { version, dialect, model: modelName, tasks: Object.fromEntries(tasks) };
}

/** JSON for people: lists of numbers stand on one line. */
export function writeResult(result: Record<string, unknown>): string {
  const text = JSON.stringify(result, null, 2);
  return `${text.replaceAll(/\[\s+(-?\d+(?:,\s+-?\d+)*)\s+\]/g, (_, list: string) => `[${list.replaceAll(/\s+/g, '')}]`)}\n`;
}
