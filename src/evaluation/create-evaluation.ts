import { contentHash } from '../base/content-hash.ts';
import type { LoglikelihoodRequest } from '../model/loglikelihood.ts';
import { encodeRequest, type GenerateRequest, type RequestPart } from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import { measuresFor } from '../score/scorer.ts';
import { askedHash } from './asked.ts';
import {
  type AskedRequest,
  type Evaluation,
  goldOf,
  type MaybePromise,
  type PlannedRequest,
  type RowPlan,
  type TracedPlan,
} from './evaluation.ts';
import {
  type AskedRow,
  abilityFor,
  type Inference,
  type PartRequest,
  type Traced,
} from './inference.ts';
import { identifyKept, loglikelihoodKey, requestKey, textHash } from './key.ts';

export interface EvaluationParts
  extends Pick<
    Evaluation,
    | 'model'
    | 'modelName'
    | 'modelConfig'
    | 'judgeConfig'
    | 'task'
    | 'rows'
    | 'scorer'
    | 'scorerIdentity'
    | 'judge'
    | 'seenOf'
    | 'prepare'
    | 'pace'
    | 'countTokens'
    | 'tokenize'
  > {
  readonly inference: Inference;
  /** The most tokens of a row's answer; left out, that of the model. */
  readonly maxOutLenOf?: ((row: Row) => number | undefined) | undefined;
  /** Where answers end; left out, as the model was set up. */
  readonly stop?: readonly string[] | undefined;
  /** Settings of generation over those that the model was set up with. */
  readonly settings?: GenerateRequest['settings'];
  readonly diagnostics?: Evaluation['diagnostics'];
  readonly checkRow?: Evaluation['checkRow'];
  readonly leaksOf?: Evaluation['leaksOf'];
  readonly examplesAt?: Evaluation['examplesAt'];
  readonly shape?: Evaluation['shape'];
  readonly scoringNotes?: Evaluation['scoringNotes'];
  readonly planScoring?: Evaluation['planScoring'];
}

/** Puts a model and what it is asked together: the only place where requests are made. */
export function createEvaluation(parts: EvaluationParts): Evaluation {
  const { inference, prepare, task } = parts;
  const modelIdentity = contentHash(parts.model.identity);
  const maker = { ...parts, modelIdentity };
  const whenReady = readiness(prepare);
  const plan = (row: PositionedRow, answers: readonly string[] = []): RowPlan => {
    if (inference.type === 'single') {
      if (answers.length > 0)
        return { ...planSingle(maker, row, inference.ask(row)), requests: [] };
      return planSingle(maker, row, inference.ask(row));
    }
    const requests = inference
      .next(row, answers)
      .map((part, index) => makeRequest(maker, row, part, answers.length + index === 0));
    return { ...row, ...identityOf(maker, row, inference), requests };
  };
  const trace = (row: PositionedRow, answers: readonly string[] = []): TracedPlan => {
    const make = <Asked extends Traced<AskedRequest>>(part: Asked, index: number) => {
      const { texts, examples } = part;
      const isFirst = answers.length + index === 0;
      return { ...makeRequest(maker, row, part, isFirst), texts, examples };
    };
    if (inference.type === 'single') {
      const asked = { ...inference.trace(row), row: row.row, gold: goldOf(task, row.row) };
      const request = make(asked, 0);
      const { key, promptHash } = request;
      return { ...row, key, promptHash, requests: answers.length > 0 ? [] : [request] };
    }
    const requests = inference.traceNext(row, answers).map(make);
    return { ...row, ...identityOf(maker, row, inference), requests };
  };
  return {
    model: parts.model,
    modelName: parts.modelName,
    modelIdentity,
    modelConfig: parts.modelConfig,
    judgeConfig: parts.judgeConfig,
    task,
    rows: parts.rows,
    diagnostics: parts.diagnostics ?? [],
    checkRow: parts.checkRow ?? (() => []),
    leaksOf: parts.leaksOf ?? (() => []),
    examplesAt: parts.examplesAt ?? (() => []),
    shape: parts.shape ?? {},
    type: inference.type,
    prepare: whenReady.prepare,
    plan: (row, answers) => whenReady.run(row, () => plan(row, answers)),
    trace: (row, answers) => whenReady.run(row, () => trace(row, answers)),
    combine: (answered, row) => {
      if (inference.type === 'composite') {
        const { score, text } = inference.combine(answered, row);
        return { text, score: { ...score, metrics: measuresFor(score.metrics, parts.scorer) } };
      }
      throw new TypeError('a row of a single request');
    },
    scorer: parts.scorer,
    scorerIdentity: parts.scorerIdentity,
    judge: parts.judge,
    seenOf: parts.seenOf,
    scoringNotes: parts.scoringNotes ?? [],
    planScoring: parts.planScoring ?? (async () => []),
    pace: parts.pace,
    countTokens: parts.countTokens ?? parts.model.countTokens,
    tokenize: parts.tokenize ?? parts.model.tokenize,
  };
}

/** Rows that need it are made ready once, many at a time or each when it is first asked about. */
function readiness(prepare: Evaluation['prepare']) {
  if (!prepare) return { prepare, run: <Made>(_row: PositionedRow, make: () => Made) => make() };
  const ready = new WeakSet<Row>();
  return {
    async prepare(rows: readonly PositionedRow[]): Promise<void> {
      await prepare(rows);
      for (const { row } of rows) ready.add(row);
    },
    run<Made>(row: PositionedRow, make: () => Made): MaybePromise<Made> {
      return ready.has(row.row) ? make() : this.prepare([row]).then(make);
    },
  };
}

type RequestMaker = EvaluationParts & { readonly modelIdentity: string };

function planSingle(
  maker: RequestMaker,
  { id, row, position }: PositionedRow,
  { request, shots, dropped, tooLong, leak }: AskedRow,
): RowPlan {
  const gold = goldOf(maker.task, row);
  const asked = { request, shots, dropped, tooLong, leak, row, gold };
  const planned = makeRequest(maker, { id, row }, asked, true);
  const { key, promptHash } = planned;
  return { id, row, position, key, promptHash, requests: [planned] };
}

/** What tells a row of several requests from another: its settings, and all but the answers. */
function identityOf(
  { model, task, stop, maxOutLenOf, settings: kwargs, modelIdentity }: RequestMaker,
  row: PositionedRow,
  inference: Inference & { readonly type: 'composite' },
): Pick<RowPlan, 'key' | 'promptHash'> {
  const identity = inference.identityOf(row);
  const settings = JSON.stringify([
    stop ?? null,
    maxOutLenOf?.(row.row) ?? null,
    ...(kwargs ? [kwargs] : []),
  ]);
  const recorded = model.identifyRow?.(row.row);
  const all = `${settings}\n${identity}${recorded === undefined ? '' : `\n${recorded}`}`;
  const isWritten = abilityFor(task.inferencer) === 'generate';
  return {
    key: requestKey(isWritten ? all : identifyKept(all), modelIdentity),
    promptHash: textHash(identity),
  };
}

function makeRequest(
  maker: RequestMaker,
  { id, row: whole }: Pick<PositionedRow, 'id' | 'row'>,
  part: AskedRequest & Partial<Pick<PartRequest, 'kind' | 'name' | 'followsAnswers'>>,
  isFirst: boolean,
): PlannedRequest {
  const { request: asked, row, kind, name, followsAnswers = false } = part;
  const named =
    kind === undefined || name === undefined ? undefined : { kind, name, isFirst, followsAnswers };
  const unsent = unsentRequest(maker, asked, { id, row, whole, part: named });
  const encoded = encodeRequest(maker.model, unsent);
  const key = keyOf(maker, unsent, encoded);
  // Written out: this runs for every row, and copying by spread would be felt.
  return {
    id: Number(id),
    row,
    gold: part.gold,
    dialogue: part.dialogue,
    asked,
    request:
      'prompt' in unsent
        ? {
            prompt: unsent.prompt,
            maxOutLen: unsent.maxOutLen,
            stop: unsent.stop,
            settings: unsent.settings,
            seed: unsent.seed,
            id,
            body: encoded,
            key,
            row: whole,
            part: named,
          }
        : { texts: unsent.texts, id, body: encoded, key },
    encoded,
    key,
    promptHash: askedHash(asked),
    shots: part.shots,
    dropped: part.dropped,
    tooLong: part.tooLong,
    leak: part.leak,
    part: named,
  };
}

function keyOf(
  { model: { loglikelihoodModel }, modelIdentity }: RequestMaker,
  unsent: GenerateRequest | LoglikelihoodRequest,
  body: string,
): string {
  if ('prompt' in unsent || !loglikelihoodModel) return requestKey(body, modelIdentity);
  return loglikelihoodKey(loglikelihoodModel, { ...unsent, body }, modelIdentity);
}

function unsentRequest(
  { maxOutLenOf, stop, settings }: RequestMaker,
  asked: AskedRequest['request'],
  { id, row, whole, part }: UnsentParts,
): GenerateRequest | LoglikelihoodRequest {
  if (asked.type === 'loglikelihood') return { texts: asked.texts, id };
  const { prompt, maxOutLen = maxOutLenOf?.(row), seed } = asked;
  return { prompt, maxOutLen, stop, settings, seed, id, row: whole, part };
}

interface UnsentParts extends Pick<PositionedRow, 'id' | 'row'> {
  readonly whole: PositionedRow['row'];
  readonly part: RequestPart | undefined;
}
