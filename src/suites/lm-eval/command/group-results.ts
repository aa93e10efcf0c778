import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import type { HarnessResults } from '../../harness-results.ts';
import type { ChosenGroup } from '../tasks/choose-tasks.ts';

export type GroupValues = Readonly<Record<string, unknown>>;

/** The averages of a group over its tasks, as the original works them out. */
export function groupResults(
  group: ChosenGroup,
  tasks: ReadonlyMap<string, HarnessResults>,
): GroupValues {
  const head = { alias: group.alias ?? group.name, name: group.name };
  const list = aggregateList(group.config.aggregate_metric_list);
  if (list.length === 0) return head;
  const found = group.tasks.flatMap((name) => tasks.get(name) ?? []);
  const values: Record<string, unknown> = {};
  const counts: Record<string, number> = {};
  for (const { metric, filters, weightsBySize } of list) {
    for (const filter of filters ?? filtersOf(metric, found)) {
      const key = `${metric},${filter}`;
      const having = found.filter((one) => typeof one.values[key] === 'number');
      if (having.length === 0) continue;
      const sizes = having.map(({ count }) => count);
      values[key] = mean(
        having.map((one) => Number(one.values[key])),
        weightsBySize ? sizes : sizes.map(() => 1),
      );
      const errors = having.map((one) => one.values[`${metric}_stderr,${filter}`]);
      values[`${metric}_stderr,${filter}`] = errors.every((error) => typeof error === 'number')
        ? pooledError(errors, sizes)
        : 'N/A';
      counts[key] = sizes.reduce((sum, size) => sum + size, 0);
    }
  }
  return {
    ...head,
    sample_len: found.reduce((sum, { count }) => sum + count, 0),
    ...values,
    ...(Object.keys(counts).length > 0 && { sample_count: counts }),
  };
}

interface AggregateEntry {
  readonly metric: string;
  /** Left out: all that the tasks have. */
  readonly filters: readonly string[] | undefined;
  readonly weightsBySize: boolean;
}

function aggregateList(given: unknown): readonly AggregateEntry[] {
  return [given ?? []]
    .flat()
    .filter(isMapping)
    .map((entry) => {
      const { metric, filter_list, weight_by_size = true } = Object.fromEntries(entriesOf(entry));
      return {
        metric: String(metric),
        filters:
          filter_list === undefined || filter_list === null
            ? undefined
            : [filter_list].flat().map(String),
        weightsBySize: weight_by_size !== false,
      };
    });
}

function filtersOf(metric: string, tasks: readonly HarnessResults[]): readonly string[] {
  const prefix = `${metric},`;
  const names = tasks.flatMap(({ values }) =>
    Object.keys(values)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length)),
  );
  return [...new Set(names)].sort();
}

function mean(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) / total;
}

function pooledError(errors: readonly number[], sizes: readonly number[]): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const spread = errors.reduce((sum, error, index) => {
    const size = sizes[index] ?? 0;
    return sum + (size - 1) * error ** 2 * size;
  }, 0);
  return Math.sqrt(spread / (total - sizes.length) / total);
}
