import { formatCount, formatSeconds } from '../base/format.ts';
import type { Latency, Percentiles } from '../run/latency-tally.ts';
import type { TaskResult } from '../run/summary.ts';
import { costOf } from './describe-cost.ts';
import { formatInterval, formatScore, metricLabel, type ScoreStyle } from './format-scores.ts';
import { describeFit, describeTokens } from './prompt-notes.ts';
import { describeJudge, describeSamples, describeTies, metricCoverage } from './score-table.ts';

/** A fact with its name. */
export type Fact = readonly [name: string, text: string];

/** What an evaluation took. */
export function usageFacts(result: TaskResult): Fact[] {
  const { tokens, requests, samples, ties, cost, judge, seconds, latency, promptHash, seed } =
    result;
  const { tokensPerSecond } = result;
  const fit = describeFit(result);
  const untold = (tokens.untold ?? 0) + (judge?.tokens.untold ?? 0);
  const { sent, cached, shared, resumed = 0 } = requests;
  const reused = [
    resumed > 0 ? `, ${formatCount(resumed)} answers from the folder` : '',
    cached > 0 ? `, ${formatCount(cached)} from the cache` : '',
    shared > 0 ? `, ${formatCount(shared)} shared between equal rows` : '',
  ].join('');
  const facts: (Fact | undefined)[] = [
    samples && ['samples', describeSamples(samples)],
    ties ? ['ties', describeTies({ ties })] : undefined,
    ['requests', `${formatCount(sent)} sent${reused}`],
    ['tokens', describeTokens(tokens)],
    cost === undefined ? undefined : ['cost', costOf({ total: cost, untold }, [result])],
    judge && ['judge', describeJudge(result)],
    fit === '' ? undefined : ['max_seq_len', fit],
    seed === undefined ? undefined : ['examples', `drawn by seed ${seed}`],
    ['time', formatSeconds(seconds)],
    tokensPerSecond && [
      'tokens per second',
      `${formatCount(tokensPerSecond.input)} in, ${formatCount(tokensPerSecond.output)} out`,
    ],
    latency && ['answers took', describeLatency(latency)],
    latency?.firstToken && ['first tokens took', describePercentiles(latency.firstToken)],
    latency?.longest && ['longest rows', describeLongest(latency.longest)],
    ['prompt hash', promptHash],
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** `0.31 s median, 95% under 0.9 s, 99% under 1.2 s; 24 s in all`. */
function describeLatency(latency: Latency): string {
  return `${describePercentiles(latency)}; ${formatSeconds(latency.total)} in all`;
}

function describePercentiles({ median, p95, p99 }: Percentiles): string {
  const most = p99 === undefined ? '' : `, 99% under ${formatSeconds(p99)}`;
  return `${formatSeconds(median)} median, 95% under ${formatSeconds(p95)}${most}`;
}

function describeLongest(rows: NonNullable<Latency['longest']>): string {
  return rows.map(({ id, seconds }) => `${id} (${formatSeconds(seconds)})`).join(', ');
}

/** Further measures of an evaluation, and the signature of its metric. */
export function metricFacts(result: TaskResult, style: ScoreStyle): Fact[] {
  const { metrics = [], signature, partial } = result;
  return [
    ...metrics.map((metric): Fact => {
      const { allRows } = metric;
      const parts = [
        formatScore(metric.score.value, style, metric),
        ...(partial ? [] : [formatInterval(metric.score, style, metric)]),
        ...(metric.rows === undefined ? [] : [`of ${metricCoverage(metric, result)} rows`]),
        ...(allRows ? [`all rows ${formatScore(allRows.value, style, metric)}`] : []),
      ];
      return [metricLabel(metric.name, metric), parts.join(' ')];
    }),
    ...(signature === undefined ? [] : [['signature', signature] as const]),
  ];
}
