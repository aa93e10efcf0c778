import type { Evaluation, PlannedRequest, RowPlan } from '../../evaluation/evaluation.ts';
import { harness, rowHash } from '../../evaluation/key.ts';
import type { GenerateRequest } from '../../model/model.ts';
import type { CachedRequests } from '../../run/response-cache.ts';
import { askedAgain, type RetryKinds } from '../../run/resume.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import type { RecordedAnswers } from '../../run/store/recorded-answers.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { datasetOf } from '../../run/store/run-file-parts.ts';
import { withoutSources } from '../compare/list-changes.ts';
import { requestChanges, wordsOfChanges } from './describe-changes.ts';
import type { RecordedRequests } from './recorded-requests.ts';

/** Why the requests of an evaluation are reused, or not. */
export interface EvaluationExplanation extends EvaluationName {
  /** What the keys of its requests are made of, beside what is sent. */
  readonly keyParts: {
    readonly harness: string;
    readonly model: Readonly<Record<string, unknown>>;
  };
  readonly rows: readonly RowExplanation[];
}

export interface RowExplanation {
  readonly id: number;
  readonly key: string;
  /**
   * Where its answer is: in its own record, in that of another row, or in the cache. A row that is
   * `left` failed before and is not asked again.
   */
  readonly answer: 'record' | 'row' | 'cache' | 'left' | 'none';
  /** Why it would be asked, or is left; nothing where there is an answer. */
  readonly reasons: readonly string[];
}

export interface ExplainSource {
  readonly evaluation: Evaluation;
  readonly recorded: RecordedAnswers;
  /** What the folder says of the run that wrote it; left out where there is none. */
  readonly file?: RunFile | undefined;
  readonly cached?: CachedRequests | undefined;
  /** Which failed rows are asked again. */
  readonly retry?: RetryKinds | undefined;
  readonly requests: RecordedRequests;
}

/** Says of a row whether it would be asked, and why. */
export async function explainRow(plan: RowPlan, source: ExplainSource): Promise<RowExplanation> {
  const { recorded, cached, retry } = source;
  const { key, requests } = plan;
  const id = Number(plan.id);
  const { state, failure } = recorded.stateOf(plan);
  if (state === 'done' || state === 'answered') return { id, key, answer: 'record', reasons: [] };
  if (failure !== undefined && !askedAgain(retry)(failure)) {
    const { reason } = (await recorded.row(id)) ?? {};
    const told = `the row failed, and \`${failure}\` is not retried without --retry ${failure}: ${reason}`;
    return { id, key, answer: 'left', reasons: [told] };
  }
  const isKnown = (one: PlannedRequest) => recorded.knows(one.key);
  if (requests.length > 0 && requests.every(isKnown))
    return { id, key, answer: 'row', reasons: [] };
  if (requests.length > 0 && requests.every((one) => cached?.keys.has(one.key) || isKnown(one)))
    return { id, key, answer: 'cache', reasons: [] };
  const record = await recorded.row(id);
  return {
    id,
    key,
    answer: 'none',
    reasons: [...(await whyNotLogged(plan, record, source)), ...whyNotCached(plan, source)],
  };
}

async function whyNotLogged(
  plan: RowPlan,
  record: RowRecord | undefined,
  source: ExplainSource,
): Promise<string[]> {
  if (!record) return ['the folder has no record of this row'];
  if (record.key === plan.key) {
    return record.outcome === 'failed'
      ? [`the row failed and is retried: ${record.reason}`]
      : ['its record is damaged'];
  }
  const { file, evaluation } = source;
  const [request] = plan.requests;
  const before = await source.requests.of(plan, record);
  const told = [
    ...(file ? modelChanges(file, evaluation) : []),
    ...(before && request ? requestChanges(before, request) : guessChanges(plan, record, source)),
  ];
  const failed = record.outcome === 'failed' ? ['its latest record is a failure'] : [];
  const unknown =
    'its record answers a different request, of which too little was recorded to say more';
  return [...failed, ...(told.length > 0 ? new Set(told) : [unknown])];
}

/** Another version, or other settings, of the model. */
function modelChanges(file: RunFile, { modelName, model }: Evaluation): string[] {
  const recorded = file.models.find(({ name }) => name === modelName);
  return [
    ...(file.harness === undefined || file.harness === harness
      ? []
      : [`the request format changed from ${file.harness} to ${harness}`]),
    ...(recorded?.identity ? wordsOfChanges(recorded.identity, model.identity) : []),
  ];
}

/** What hashes and the config on record say, where the old request cannot be made again. */
function guessChanges(
  plan: RowPlan,
  record: RowRecord,
  { file, evaluation: { task } }: ExplainSource,
): string[] {
  const recorded = file && datasetOf(file, task.name);
  const settings = (config: { inferCfg?: unknown; readerCfg?: unknown } = {}) =>
    withoutSources({ inferCfg: config.inferCfg, readerCfg: config.readerCfg });
  return [
    ...(record.row !== undefined && record.row !== rowHash(plan.row)
      ? ['the row has changed since it was asked']
      : []),
    ...(record.prompt === plan.promptHash ? [] : ['the prompt is different']),
    ...(recorded && task.dataset ? wordsOfChanges(settings(recorded), settings(task.dataset)) : []),
  ];
}

function whyNotCached({ requests }: RowPlan, { cached, evaluation }: ExplainSource): string[] {
  if (!cached) return [];
  const [request] = requests;
  const near = (request && cached.byPrompt.get(request.promptHash)) ?? [];
  const [nearest] = near;
  if (!request || !nearest) {
    const old =
      cached.unknown > 0 ? `; for ${cached.unknown} older answers the request is unknown` : '';
    return [`the cache has no request with this prompt${old}`];
  }
  const known = cached.models.get(nearest.model);
  const changes = [
    ...(known ? wordsOfChanges(known.identity, evaluation.model.identity) : []),
    ...(known && known.harness !== harness
      ? [`the request format changed from ${known.harness} to ${harness}`]
      : []),
    ...wordsOfChanges(settingsOf(nearest), settingsOf(sentSettings(request))),
  ];
  const told = changes.length > 0 ? changes.join(', ') : 'other settings';
  return [`the cache has a request with this prompt, but: ${told}`];
}

function sentSettings({ request }: PlannedRequest): Partial<GenerateRequest> {
  return 'prompt' in request ? request : {};
}

function settingsOf({
  maxOutLen,
  stop,
  seed,
}: Pick<Partial<GenerateRequest>, 'maxOutLen' | 'stop' | 'seed'>) {
  return { maxOutLen, stop, seed };
}
