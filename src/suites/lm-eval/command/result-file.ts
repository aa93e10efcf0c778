import { createHash } from 'node:crypto';
import { version } from '../../../base/version.ts';
import type { HarnessResults } from '../../harness-results.ts';
import type { ChosenGroup } from '../tasks/choose-tasks.ts';
import { groupResults } from './group-results.ts';
import type { LmEvalOptions } from './lm-eval-options.ts';

export interface ResultParts {
  readonly options: LmEvalOptions;
  readonly modelName: string;
  readonly groups: readonly ChosenGroup[];
  readonly results: ReadonlyMap<string, HarnessResults>;
  readonly date: Date;
}

/** The results in the shape that the original writes. */
export function resultFile(parts: ResultParts): Record<string, unknown> {
  const { options, groups, results, date, modelName } = parts;
  const found = [...results];
  const byTask = <Value>(makeValue: (result: HarnessResults, name: string) => Value) =>
    Object.fromEntries(found.map(([name, result]) => [name, makeValue(result, name)]));
  const ofGroups = groups.map((group) => [group.name, groupResults(group, results)] as const);
  const averaged = ofGroups.filter(([, values]) => 'sample_len' in values);
  return {
    results: {
      ...byTask(({ alias, values, count }, name) => ({
        ...{ name, alias },
        sample_len: count,
        ...values,
      })),
      ...Object.fromEntries(ofGroups),
    },
    ...(averaged.length > 0 && { groups: Object.fromEntries(averaged) }),
    group_subtasks: Object.fromEntries(groups.map(({ name, children }) => [name, children])),
    configs: sorted(byTask(({ config, numFewshot }) => ({ ...config, num_fewshot: numFewshot }))),
    versions: sorted(byTask(({ version }) => versionOf(version))),
    'n-shot': sorted(byTask(({ numFewshot }) => numFewshot)),
    higher_is_better: sorted(byTask(({ higherIsBetter }) => higherIsBetter)),
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

function taskHash(samples: HarnessResults['samples']): string {
  const all = samples.map((one) => `${one.doc_hash}${one.prompt_hash}${one.target_hash}`).join('');
  return createHash('sha256').update(all).digest('hex');
}

/** A model's name as part of a path. */
export function sanitizedName(name: string): string {
  return name.replaceAll(/["<>:/|\\?*[\]]+/g, '__');
}
