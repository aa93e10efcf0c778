import { createHash } from 'node:crypto';
import type { ModelConfig } from '../../config/config.ts';
import { totalCost } from '../../run/cost.ts';
import { servedOtherwise } from '../../run/served-models.ts';
import { totalOf } from '../../run/start-record.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { boundsOf, dataOf, datasetOf } from '../../run/store/run-file-parts.ts';
import { Tally } from '../../run/summarize.ts';
import { type EvaluationRecords, summarizeGroups } from '../../run/summarize-groups.ts';
import type { GateResult, RunSummary, TaskResult } from '../../run/summary.ts';
import { openClusters } from '../../run/tallies.ts';
import { taskResult } from '../../run/task-result.ts';
import type { ScorerMetrics } from '../../score/scorer.ts';
import { isScoredByFunction, recordedJudges } from '../recorded-evaluators.ts';
import { recordedScorer } from '../recorded-scorer.ts';
import type { BundledEvaluation } from './bundle-format.ts';

/** Holds a summary to what its gates ask, once more. */
export type HoldAgain = (summary: RunSummary, gates: readonly GateResult[]) => RunSummary;

/** What nothing else in a bundle says: a summary is believed in it. */
export const stated = [
  'times',
  'requests of the last start',
  'rows that were not asked again',
  'what gates ask for',
  'which datasets are averages',
  'what counts towards a cost limit',
  'git',
  'names that servers gave',
  'warnings of groups of rows',
  'whether lengths are estimates',
  'prices',
];

export interface ResultSource {
  readonly file: RunFile;
  readonly evaluation: BundledEvaluation;
  /** The records that count, in the order of the data. */
  readonly records: readonly RowRecord[];
  /** What the summary says. */
  readonly said: TaskResult;
  /** Rows whose examples give their answers away, where prompts can be made again. */
  readonly leaks: number | undefined;
  /** Verdicts that results before this one have counted. */
  readonly counted: Set<string>;
}

/** The result of an evaluation, made again from its records as a run makes it. */
export async function remakeResult(source: ResultSource): Promise<TaskResult> {
  const { file, evaluation, records, said } = source;
  const { model, dataset } = evaluation;
  const clusters = await openClusters(datasetOf(file, dataset)?.readerCfg?.clusterBy);
  const tally = new Tally(await metricsOf(file, evaluation), clusters);
  const hash = createHash('sha256');
  for (const record of records) {
    tally.add(record);
    hash.update(record.prompt);
  }
  const total = evaluation.total ?? Math.max(records.length, said.rows.total);
  const isComplete = total === records.length;
  const { failures = [], estimatedLengths: estimatesLengths } = said;
  const made = taskResult(tally, {
    model,
    dataset,
    ...configsOf(file, evaluation),
    shape: { seed: dataOf(file, dataset)?.seed, estimatesLengths },
    total,
    requests: said.requests,
    counted: source.counted,
    isUnlimited: said.serverLimit ?? false,
    leaks: isComplete && source.leaks !== undefined ? source.leaks : (said.leaks ?? 0),
    possibleClusters: said.possibleClusters,
    seconds: said.seconds,
    tokensPerSecond: said.tokensPerSecond,
    promptHash: isComplete ? hash.digest('hex').slice(0, 16) : said.promptHash,
    leftOf: (kind) => failures.find((failure) => failure.kind === kind)?.left ?? 0,
  });
  const { cost, unpriced, ...unpaid } = made;
  // Older runs do not record what a judge costs, or leave out the cost of a task that has a part without a price.
  const isOlder =
    made.judge !== undefined && said.unpriced === undefined && (cost === undefined || unpriced);
  return {
    ...(isOlder ? unpaid : made),
    // Of very many reasons those are named that came first.
    ...(said.reasons.some(({ reason }) => reason === 'other reasons') && { reasons: said.reasons }),
    ...(isOlder && said.cost !== undefined && { cost: said.cost }),
    // Older runs do not record which evaluator reads such answers.
    ...(made.looser && !said.looser?.evaluator && { looser: withoutEvaluator(made.looser) }),
  };
}

function withoutEvaluator({ rows, first }: NonNullable<TaskResult['looser']>) {
  return { rows, first };
}

/** What the scores come to. That of functions is a mean, whatever they do. */
async function metricsOf(file: RunFile, evaluation: EvaluationName): Promise<ScorerMetrics> {
  const { dataset } = evaluation;
  const isFunction = isScoredByFunction(datasetOf(file, dataset) ?? {});
  const recorded = file.metrics.find((metric) => metric.dataset === dataset);
  if (!isFunction || !recorded) return recordedScorer(file, evaluation);
  const { name, direction } = recorded;
  return { metric: name, direction, range: boundsOf(recorded) };
}

/** The configs of model and judge, as far as they are on record. */
function configsOf(file: RunFile, { model, dataset }: EvaluationName) {
  const config = file.models.find(({ name }) => name === model)?.config;
  return {
    modelConfig: config as ModelConfig | undefined,
    judgeConfigs: recordedJudges(file, datasetOf(file, dataset) ?? {}).map(
      ({ name, identity, price }) => ({ abbr: name, type: identity.type, price }) as ModelConfig,
    ),
  };
}

/** The summary of a run, made again from its results and from what the record of the run says. */
export async function remakeSummary(
  said: RunSummary,
  {
    file,
    results,
    recorded,
    holdAgain,
  }: {
    readonly file: RunFile;
    readonly results: readonly TaskResult[];
    readonly recorded: readonly EvaluationRecords[];
    readonly holdAgain: HoldAgain;
  },
): Promise<RunSummary> {
  const cost = totalCost(results);
  const served = servedOtherwise(file.models);
  const groups = Object.fromEntries(
    said.groups.map(({ group, datasets, weights }) => [group, { datasets, weights }]),
  );
  const isAnswered = results.every(({ rows }) => rows.missing === 0);
  const { cost: _, starts: __, served: ___, ...rest } = said;
  const summary: RunSummary = {
    ...rest,
    // A run may have ended early although it got to all rows.
    complete: isAnswered && (said.complete || file.starts?.at(-1)?.complete !== false),
    results,
    groups: await summarizeGroups(groups, { results, recorded }),
    ...((cost || said.cost) && { cost: { ...said.cost, ...(cost ?? { total: 0 }) } }),
    ...(file.starts && { starts: totalOf(file.starts) }),
    ...(served.length > 0 && { served }),
  };
  return holdAgain(summary, said.gates ?? []);
}
