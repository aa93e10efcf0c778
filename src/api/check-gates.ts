import { nearestName } from '../base/nearest-name.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Gate, scoreOf, type WrittenScore } from '../config/gate.ts';
import type { RowStream } from '../data/row-stream.ts';
import { DataError } from '../errors.ts';
import { knownMetrics, metricNamed } from '../evaluation/known-metrics.ts';
import type { RepeatedDataset } from '../evaluation/repeats.ts';
import type { Row } from '../prompt/values.ts';
import type { MetricTraits } from '../score/metrics/metric.ts';
import { passRate } from '../score/row-score.ts';
import type { RowMetricName, ScorerMetrics } from '../score/scorer.ts';

/** A model on a dataset, and what it is held to. */
export interface GatedTask {
  readonly model: string;
  readonly dataset: RepeatedDataset & { readonly abbr: string };
  readonly isComposite: boolean;
  readonly scorer: ScorerMetrics;
  readonly failUnder: Gate['failUnder'];
  /** Left out where only the log is there. */
  readonly rows?: Pick<RowStream, 'batches'> | undefined;
}

/** Refuses scores to reach that no metric has, or that every result would reach or miss. */
export async function checkGates(tasks: readonly GatedTask[]): Promise<void> {
  for (const { failUnder, ...task } of tasks) {
    if (failUnder === undefined) continue;
    const metrics = knownMetrics(task.scorer, task);
    const place = `${task.model} on ${task.dataset.abbr}`;
    if (typeof failUnder === 'number') checkShare(metrics[0], { place, asked: failUnder });
    else {
      const later = await measuredLater(Object.keys(failUnder), { ...task, place });
      for (const [name, asked] of Object.entries(failUnder)) {
        const ofFunction = task.scorer.measuresMore?.(name) ? [{ ...share, name }] : [];
        checkMark({ place, name, asked }, [...metrics, ...ofFunction, ...later]);
      }
    }
  }
}

const share = { direction: 'higher', range: [0, 1] } as const;

/** What only rows have: checks that they bring. A name that is another one's in some rows is refused. */
async function measuredLater(
  asked: readonly string[],
  { scorer, rows, place }: Omit<GatedTask, 'failUnder'> & Pick<Mark, 'place'>,
): Promise<readonly MetricTraits[]> {
  const isOfAll = (name: string) => name === scorer.metric || name === passRate;
  if (!scorer.namesIn || !rows || asked.every(isOfAll)) return [];
  const found = new Set<string>();
  const others = new Map(asked.map((name) => [name, new Set<string>()]));
  for await (const batch of rows.batches()) {
    for (const { row } of batch) {
      for (const { name, otherwise } of namesIn(scorer, row)) {
        found.add(name);
        for (const other of otherwise) others.get(other)?.add(name);
      }
    }
  }
  for (const [name, called] of others) {
    if (called.size > 0 && found.has(name)) throw sharedMetric({ place, name }, [...called]);
  }
  return Array.from(found, (own) => ({ ...share, name: own }));
}

/** What is wrong with the checks of a row is told of that row. */
function namesIn({ namesIn = () => [] }: ScorerMetrics, row: Row): readonly RowMetricName[] {
  try {
    return namesIn(row);
  } catch (error) {
    if (error instanceof DataError) return [];
    throw error;
  }
}

interface Mark {
  readonly place: string;
  readonly name: string;
  readonly asked: WrittenScore;
}

/** A score without a name of a metric is a share. */
function checkShare(
  metric: MetricTraits | undefined,
  { place, asked }: Pick<Mark, 'place'> & { readonly asked: number },
): void {
  if (!metric || isShare(metric)) return;
  throw noShare(metric, { place, asked });
}

function checkMark({ place, name, asked }: Mark, metrics: readonly MetricTraits[]): void {
  const metric = metricNamed(name, metrics);
  if (!metric) throw unknownMetric({ place, name, asked }, metrics);
  if (typeof asked === 'string' && !isShare(metric)) throw noShare(metric, { place, asked });
  const [lowest, highest] = metric.range;
  const score = scoreOf(asked);
  if (score >= lowest && score <= highest) return;
  const isHundredths = isShare(metric) && score > 1 && score <= 100;
  const hint = isHundredths
    ? `Use ${Number((score / 100).toPrecision(12))} or ${score}%.`
    : `Use a score ${scaleOf(metric)}.`;
  throw new UsageError(
    'gate.out_of_range',
    `${place}: the gate asks for ${asked}, but \`${name}\` goes ${scaleOf(metric)}`,
    { hint },
  );
}

function isShare({ range: [lowest, highest] }: MetricTraits): boolean {
  return lowest >= -1 && highest <= 1;
}

/** `from 1 to 10`. */
function scaleOf({ range: [lowest, highest] }: MetricTraits): string {
  return Number.isFinite(highest) ? `from ${lowest} to ${highest}` : `from ${lowest} on`;
}

function noShare(
  metric: MetricTraits,
  { place, asked }: { readonly place: string; readonly asked: WrittenScore },
): UsageError {
  const { name, direction } = metric;
  const order = direction === 'lower' ? '; lower is better' : '';
  return new UsageError(
    'gate.no_share',
    `${place}: ${asked} is a share, but \`${name}\` goes ${scaleOf(metric)}${order}`,
    {
      hint: `Give the metric a score on its own scale: \`--fail-under ${name}=${exampleOf(metric)}\`, or in a config \`fail_under: { ${name}: ${exampleOf(metric)} }\`.`,
    },
  );
}

/** A score that such a metric may be asked for. */
function exampleOf({ range: [lowest, highest] }: MetricTraits): number {
  return Number.isFinite(highest) ? Math.round(lowest + 0.7 * (highest - lowest)) : lowest + 1;
}

function unknownMetric({ place, name }: Mark, metrics: readonly MetricTraits[]): UsageError {
  const names = [...new Set(metrics.map((metric) => metric.name))];
  const near = nearestName(name, names);
  return new UsageError('gate.unknown_metric', `${place}: unknown metric \`${name}\``, {
    hint: `${near ? `Did you mean \`${near}\`? ` : ''}Metrics: ${names.join(', ')}.`,
  });
}

const namedMetrics = 5;

/** Rows with several checks of a type name them apart: the others would not be held to the gate. */
function sharedMetric(
  { place, name }: Pick<Mark, 'place' | 'name'>,
  called: readonly string[],
): UsageError {
  const more = called.length > namedMetrics ? `, and ${called.length - namedMetrics} more` : '';
  const shown = called.slice(0, namedMetrics).map((one) => `\`${one}\``);
  return new UsageError(
    'gate.ambiguous_metric',
    `${place}: \`${name}\` does not cover all checks of that name: in rows with several, they are called ${shown.join(', ')}${more}`,
    { hint: 'Give each check a `name` of its own, or hold `checks` or `pass_rate` to the gate.' },
  );
}
