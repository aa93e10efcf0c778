import { createHash } from 'node:crypto';
import { version } from '../../../base/version.ts';
import { toPlain } from '../../../prompt/mapping.ts';
import type { TaskResult } from '../../../run/summary.ts';
import { isHigherBetter } from '../scoring/metrics.ts';
import type { ChosenGroup, ChosenTask } from '../tasks/choose-tasks.ts';
import { groupResults } from './group-results.ts';
import type { LmEvalOptions } from './lm-eval-options.ts';
import type { TaskResults } from './task-results.ts';

export interface ResultParts {
  readonly options: LmEvalOptions;
  readonly modelName: string;
  readonly tasks: readonly ChosenTask[];
  readonly groups: readonly ChosenGroup[];
  readonly results: ReadonlyMap<string, TaskResults>;
  /** Of tasks that are in no YAML file. */
  readonly ofOthers: readonly TaskResult[];
  readonly date: Date;
}

/** The results in the shape that the original writes. */
export function resultFile(parts: ResultParts): Record<string, unknown> {
  const { options, tasks, groups, results, ofOthers, date, modelName } = parts;
  const found = [...results];
  const byTask = <Value>(makeValue: (result: TaskResults, name: string) => Value) =>
    Object.fromEntries(found.map(([name, result]) => [name, makeValue(result, name)]));
  const ofGroups = groups.map((group) => [group.name, groupResults(group, results)] as const);
  const averaged = ofGroups.filter(([, values]) => 'sample_len' in values);
  return {
    results: {
      ...byTask(({ task, values, count }, name) => ({
        name,
        alias: task.opened.task.alias,
        sample_len: count,
        ...values,
      })),
      ...Object.fromEntries(ofGroups),
      ...Object.fromEntries(ofOthers.map((one) => [one.dataset, otherValues(one)])),
    },
    ...(averaged.length > 0 && { groups: Object.fromEntries(averaged) }),
    group_subtasks: Object.fromEntries(groups.map(({ name, children }) => [name, children])),
    configs: sorted(
      Object.fromEntries(
        tasks.map(({ name, config }) => [
          name,
          {
            ...(toPlain(config) as object),
            num_fewshot: results.get(name)?.task.opened.numFewshot ?? 0,
          },
        ]),
      ),
    ),
    versions: sorted(byTask(({ task }) => versionOf(task.opened.task.version))),
    'n-shot': sorted(byTask(({ task }) => task.opened.numFewshot)),
    higher_is_better: sorted(
      byTask(({ task }) =>
        Object.fromEntries(
          task.opened.task.metrics.map((entry) => [entry.metric, isHigherBetter(entry)]),
        ),
      ),
    ),
    'n-samples': byTask(({ total, count }) => ({ original: total, effective: count })),
    config: configOf(options),
    date: date.getTime() / 1000,
    system_instruction: options.system_instruction ?? null,
    fewshot_as_multiturn: options.fewshot_as_multiturn ?? options.apply_chat_template ?? false,
    task_hashes: byTask(({ samples }) => taskHash(samples)),
    model_source: options.model,
    model_name: modelName,
    model_name_sanitized: sanitizedName(modelName),
    typecase_version: version,
  };
}

/** What the run measured, with names and standard errors as here. */
function otherValues({ dataset, metric, score, metrics = [], rows }: TaskResult) {
  const all = [...(score ? [{ name: metric, score }] : []), ...metrics];
  const values = all.flatMap(({ name, score: { value } }) => [
    [`${name},none`, value],
    [`${name}_stderr,none`, 'N/A'],
  ]);
  return { name: dataset, alias: dataset, sample_len: rows.scored, ...Object.fromEntries(values) };
}

/** `model_args` stay out: they may hold a password. */
function configOf({ model, batch_size, limit, bootstrap_iters, gen_kwargs, seed }: LmEvalOptions) {
  return {
    model,
    batch_size: batch_size ?? null,
    limit: limit ?? null,
    bootstrap_iters,
    gen_kwargs: gen_kwargs ?? null,
    fewshot_seed: seed ?? 1234,
  };
}

function versionOf(written: string): string | number {
  return written !== '' && Number.isFinite(Number(written)) ? Number(written) : written;
}

function sorted<Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function taskHash(samples: TaskResults['samples']): string {
  const all = samples.map((one) => `${one.doc_hash}${one.prompt_hash}${one.target_hash}`).join('');
  return createHash('sha256').update(all).digest('hex');
}

/** A model's name as part of a path. */
export function sanitizedName(name: string): string {
  return name.replaceAll(/["<>:/|\\?*[\]]+/g, '__');
}
