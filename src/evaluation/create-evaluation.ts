import { contentHash } from '../base/content-hash.ts';
import type { LoglikelihoodRequest } from '../model/loglikelihood.ts';
import {
  answerLimit,
  encodeRequest,
  type GenerateRequest,
  type RequestPart,
  type SentBody,
} from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
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
    | 'judgeConfigs'
    | 'task'
    | 'rows'
    | 'scorer'
    | 'scorerIdentity'
    | 'judges'
    | 'seenOf'
    | 'prepare'
    | 'trials'
    | 'pace'
    | 'countTokens'
    | 'tokenize'
    | 'isUnversioned'
  > {
  readonly inference: Inference;
  /** The most tokens of a row's answer; left out, that of the model. */
  readonly maxOutLenOf?: ((row: Row) => number | undefined) | undefined;
  /** Where answers end; left out, as the model was set up. */
  readonly stop?: readonly string[] | undefined;
  /** Settings of generation over those that the model was set up with. */
  readonly settings?: GenerateRequest['settings'];
  /** Tools with functions, which are called between requests. */
  readonly loop?: GenerateRequest['loop'];
  readonly diagnostics?: Evaluation['diagnostics'];
  readonly checkRow?: Evaluation['checkRow'];
  readonly leaksOf?: Evaluation['leaksOf'];
  readonly examplesAt?: Evaluation['examplesAt'];
  readonly shape?: Evaluation['shape'];
  readonly setup?: Evaluation['setup'];
  readonly scoringNotes?: Evaluation['scoringNotes'];
  readonly planScoring?: Evaluation['planScoring'];
}

/** Puts a model and what it is asked together: the only place where requests are made. */
export function createEvaluation(parts: EvaluationParts): Evaluation {
  const { inference, prepare, task } = parts;
  const modelIdentity = contentHash(parts.model.identity);
  const maker = { ...parts, modelIdentity };
  const whenReady = readiness(prepare);
  const plan = (row: PositionedRow, answers: readonly string[] = noAnswers): RowPlan => {
    if (inference.type === 'single') {
      if (answers.length > 0)
        return { ...planSingle(maker, row, inference.ask(row)), requests: [] };
      return planSingle(maker, row, inference.ask(row));
    }
    const requests = inference
      .next(row, answers)
      .map((part, index, all) => makeRequest(maker, row, part, placeOf(part, answers, index, all)));
    return { ...row, ...identityOf(maker, row, inference), requests };
  };
  const trace = (row: PositionedRow, answers: readonly string[] = noAnswers): TracedPlan => {
    const make = <Asked extends Traced<AskedRequest>>(
      part: Asked,
      index: number,
      all: readonly unknown[],
    ) => {
      const { texts, examples } = part;
      const place = placeOf(part, answers, index, all);
      return { ...makeRequest(maker, row, part, place), texts, examples };
    };
    if (inference.type === 'single') {
      const asked = { ...inference.trace(row), row: row.row, gold: goldOf(task, row.row) };
      const request = make(asked, 0, [asked]);
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
    judgeConfigs: parts.judgeConfigs,
    task,
    rows: parts.rows,
    diagnostics: parts.diagnostics ?? [],
    checkRow: parts.checkRow ?? (() => []),
    leaksOf: parts.leaksOf ?? (() => []),
    examplesAt: parts.examplesAt ?? (() => []),
    shape: parts.shape ?? {},
    setup: parts.setup,
    answerLimit: limitOfAnswers(parts),
    type: inference.type,
    prepare: whenReady.prepare,
    trials: parts.trials,
    plan: whenReady.wait(plan),
    trace: whenReady.wait(trace),
    combine: (answered, row) => {
      if (inference.type === 'composite') return inference.combine(answered, row);
      throw new TypeError('a row of a single request');
    },
    scorer: parts.scorer,
    scorerIdentity: parts.scorerIdentity,
    judges: parts.judges,
    seenOf: parts.seenOf,
    scoringNotes: parts.scoringNotes ?? [],
    planScoring: parts.planScoring ?? (async () => []),
    pace: parts.pace,
    countTokens: parts.countTokens ?? parts.model.countTokens,
    tokenize: parts.tokenize ?? parts.model.tokenize,
    isUnversioned: parts.isUnversioned,
  };
}

/** A measured text ends with one token of the model's own. */
function limitOfAnswers({ task, modelConfig, maxOutLenOf, settings }: EvaluationParts) {
  if (task.mode === 'ppl') return 1;
  const maxOutLen = maxOutLenOf?.({}) ?? task.dataset?.inferCfg.inferencer.maxOutLens?.[0];
  return answerLimit(modelConfig ?? {}, { maxOutLen, settings });
}

const noAnswers: readonly string[] = [];

type ForRow<Made> = (row: PositionedRow, answers?: readonly string[]) => Made;

/** Rows that need it are made ready once, many at a time or each when it is first asked about. */
function readiness(prepare: Evaluation['prepare']) {
  if (!prepare) return { prepare, wait: <Made>(make: ForRow<Made>) => make };
  const ready = new WeakSet<Row>();
  const prepareOnce = async (rows: readonly PositionedRow[]): Promise<void> => {
    await prepare(rows);
    for (const { row } of rows) ready.add(row);
  };
  return {
    prepare: prepareOnce,
    wait:
      <Made>(make: ForRow<Made>): ForRow<MaybePromise<Made>> =>
      (row, answers) =>
        ready.has(row.row) ? make(row, answers) : prepareOnce([row]).then(() => make(row, answers)),
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
  const planned = makeRequest(maker, { id, row }, asked);
  const { key, promptHash } = planned;
  return { id, row, position, key, promptHash, requests: [planned] };
}

/** What tells a row of several requests from another: its settings, and all but the answers. */
function identityOf(
  { model, task, stop, maxOutLenOf, settings: kwargs, loop, modelIdentity }: RequestMaker,
  row: PositionedRow,
  inference: Inference & { readonly type: 'composite' },
): Pick<RowPlan, 'key' | 'promptHash'> {
  const identity = inference.identityOf(row);
  const settings = JSON.stringify([
    stop ?? null,
    maxOutLenOf?.(row.row) ?? null,
    ...(kwargs ? [kwargs] : []),
    ...(loop ? [{ loop: loop.identity }] : []),
  ]);
  const recorded = model.identifyRow?.(row.row);
  const all = `${settings}\n${identity}${recorded === undefined ? '' : `\n${recorded}`}`;
  const isWritten = abilityFor(task.inferencer) === 'generate';
  return {
    key: requestKey(isWritten ? all : identifyKept(all), modelIdentity),
    promptHash: textHash(identity),
  };
}

type PlaceInRow = Pick<RequestPart, 'isFirst' | 'isLast'>;

const onlyOne: PlaceInRow = { isFirst: true, isLast: true };

/** Turns follow each other; samples and orders are asked at once. */
function placeOf(
  { dialogue }: Pick<AskedRequest, 'dialogue'>,
  answers: readonly string[],
  index: number,
  all: readonly unknown[],
): PlaceInRow {
  const isLast = dialogue ? dialogue.isLast : index === all.length - 1;
  return { isFirst: answers.length + index === 0, isLast };
}

function makeRequest(
  maker: RequestMaker,
  { id, row: whole }: Pick<PositionedRow, 'id' | 'row'>,
  part: AskedRequest & Partial<Pick<PartRequest, 'kind' | 'name' | 'followsAnswers'>>,
  place: PlaceInRow = onlyOne,
): PlannedRequest {
  const { request: asked, row, kind, name, followsAnswers = false } = part;
  const named =
    kind === undefined || name === undefined ? undefined : { kind, name, ...place, followsAnswers };
  const request = requestOf(maker, asked, { id, row, whole, part: named });
  const body = encodeRequest(maker.model, request);
  const key = keyOf(maker, request, body);
  if ('prompt' in request) request.body = body;
  else request.body = String(body);
  request.key = key;
  if ('prompt' in request) request.loop = maker.loop;
  // Written out: this runs for every row, and copying by spread would be felt.
  const planned = {
    id: Number(id),
    row,
    gold: part.gold,
    dialogue: part.dialogue,
    asked,
    request,
    key,
    promptHash: askedHash(asked),
    shots: part.shots,
    dropped: part.dropped,
    tooLong: part.tooLong,
    leak: part.leak,
    part: named,
  };
  return withEncoded(planned, body);
}

type WithoutText = Omit<PlannedRequest, 'encoded'>;

/** Bytes become text where somebody wants to read them. */
function withEncoded(planned: WithoutText & { encoded?: string }, body: SentBody): PlannedRequest {
  if (typeof body === 'string') planned.encoded = body;
  else Object.defineProperty(planned, 'encoded', encodedLater);
  return planned as PlannedRequest;
}

const encodedLater = {
  get(this: WithoutText): string {
    return String(this.request.body);
  },
  enumerable: true,
};

function keyOf(
  { model: { loglikelihoodModel }, modelIdentity, loop }: RequestMaker,
  request: GenerateRequest | LoglikelihoodRequest,
  body: SentBody,
): string {
  if ('prompt' in request || !loglikelihoodModel) {
    return requestKey(loop ? `${body}\n${loop.identity}` : body, modelIdentity);
  }
  return loglikelihoodKey(loglikelihoodModel, { ...request, body: String(body) }, modelIdentity);
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A request but for what stands for it, which is made of it. */
function requestOf(
  { maxOutLenOf, stop, settings }: RequestMaker,
  asked: AskedRequest['request'],
  { id, row, whole, part }: AskedAbout,
): Writable<GenerateRequest> | Writable<LoglikelihoodRequest> {
  // What is written later has its place: objects of one shape are read faster.
  const later = undefined;
  if (asked.type === 'loglikelihood') return { texts: asked.texts, id, body: later, key: later };
  const { prompt, maxOutLen = maxOutLenOf?.(row), seed } = asked;
  return {
    prompt,
    maxOutLen,
    stop,
    settings,
    seed,
    id,
    body: later,
    key: later,
    row: whole,
    part,
    loop: later,
  };
}

interface AskedAbout extends Pick<PositionedRow, 'id' | 'row'> {
  readonly whole: PositionedRow['row'];
  readonly part: RequestPart | undefined;
}
