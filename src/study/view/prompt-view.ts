import type { Compat } from '../../compat/compat.ts';
import type { Config } from '../../config/config.ts';
import { locateDiagnostic } from '../../config/with-location.ts';
import { DataError, type SourceLocation } from '../../errors.ts';
import type { Evaluation, TracedRequest } from '../../evaluation/evaluation.ts';
import { asksNoLabel, goldNotALabel } from '../../evaluation/evaluation-diagnostics.ts';
import type { TracedRequestText } from '../../evaluation/inference.ts';
import { type AnswerStep, bodiesOf, type Model, type ModelTarget } from '../../model/model.ts';
import type { RequestBody } from '../../model/request-body.ts';
import type { Diagnostic } from '../../prompt/diagnostics.ts';
import type { Origin, RowId, Span } from '../../prompt/origin.ts';
import { textOnly } from '../../prompt/parts/content.ts';
import { type Prompt, type TracedPrompt, untrace } from '../../prompt/prompt.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { formatValue } from '../../prompt/values.ts';
import { countCharacters } from '../../python/text.ts';
import { factsBefore } from '../../run/make-record.ts';
import { judgeRequests, rowName } from '../judge-requests.ts';
import type { AnsweredRow } from './answered-row.ts';

/** What is sent to an address, or given to what is not reached by one. */
export type ViewRequest = ModelTarget & { readonly body: RequestBody };

/** All there is to see of one row of one evaluation. */
export interface PromptView {
  /** Left out where no model is configured. */
  readonly model: string | undefined;
  readonly dataset: string;
  readonly inferencer: string;
  readonly trainSplit: string;
  readonly row: { readonly index: number; readonly id: RowId };
  readonly shots: readonly RowId[];
  /** Examples that did not fit and are not sent. */
  readonly dropped: number;
  /** Whether the prompt does not fit although no example is left in it. */
  readonly tooLong: boolean;
  readonly mode: 'gen' | 'ppl';
  /** The system whose rules made the prompts, if not our own. */
  readonly compat: Compat | undefined;
  /** What is said of the templates, the same for every row. */
  readonly templateRemarks: readonly Remark[];
  readonly rowRemarks: readonly Remark[];
  readonly prompts: readonly LabelView[];
  /** All that is sent for the row, as far as it is known. */
  readonly requests: readonly PartRequestView[];
  /** What the judges of the row are sent, where its answers are known or stood in for. */
  readonly judge?: readonly JudgeView[];
  /** What asks for likelihoods, for the whole row; left out when an answer is asked for. */
  readonly loglikelihood?: ViewRequest;
  /** Why there is no request, if there is none. */
  readonly noRequest?: string;
  readonly placeOf: (span: Span) => SourceLocation | undefined;
}

export interface Part {
  readonly kind: 'turn' | 'sample' | 'order';
  readonly name: number;
}

export type PartRequestView = ViewRequest & { readonly part?: Part };

export type JudgeView = ViewRequest & {
  readonly judge: string;
  readonly part?: Part;
  /** The answer is not known: something stands for it, and the request is not this one. */
  readonly isStandIn?: true;
  readonly prompt: Prompt;
  /** The prompt with the origin of every character. */
  readonly traced: TracedPrompt;
  /** What the judge said, by the record of a run. */
  readonly said?: string;
};

export interface LabelView extends TracedRequestText {
  readonly part?: Part;
  /** What the spans join to. */
  readonly sent: Prompt;
  /** Left out when the model cannot be asked, or is not asked for an answer. */
  readonly request?: ViewRequest;
  readonly noRequest?: string;
  readonly characters: number;
  /** Left out when the model has no tokenizer. */
  readonly tokens?: number;
  /** What the model reads of a text, with the tokens that are put before it. */
  readonly tokenIds?: readonly number[];
}

/** A diagnostic with its location in the config file. */
export interface Remark {
  readonly kind: 'note' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly at?: SourceLocation | undefined;
}

export interface ViewSource {
  readonly config: Config;
  readonly evaluation: Evaluation;
  /** What a run recorded of the row, if it is known. */
  readonly answered?: AnsweredRow | undefined;
  /** Whether to show what judges would be asked about answers that are not known. */
  readonly showsJudge?: boolean | undefined;
}

/** What a run would send for a row, or sent. */
export async function makeView(source: ViewSource, row: PositionedRow): Promise<PromptView> {
  const { config, evaluation, answered, showsJudge } = source;
  const { task, modelConfig } = evaluation;
  const remark = (diagnostic: Diagnostic) => toRemark(config, diagnostic);
  const { requests, refusal } = await traceAll(evaluation, row, answered?.answers ?? []);
  const asked = await Promise.all(
    requests.map((request, index) =>
      askedView(evaluation, request, answered && (answered.steps[index] ?? [])),
    ),
  );
  const [first] = requests;
  const standIns = showsJudge
    ? await standInViews(evaluation, row.id, requests.slice(answered?.answers.length ?? 0))
    : { views: [] };
  const unjudged = answered?.unjudged ?? standIns.refusal;
  const judge = [
    ...(answered?.judge ? await judgeViews(answered.judge, row.id) : []),
    ...standIns.views,
  ];
  return {
    model: modelConfig?.abbr,
    dataset: task.name,
    inferencer: task.inferencer,
    trainSplit: task.dataset?.readerCfg.trainSplit ?? 'train',
    row: { index: row.position, id: row.id },
    shots: first?.examples.map(({ id }) => id) ?? [],
    dropped: first?.dropped ?? 0,
    tooLong: requests.some(({ tooLong }) => tooLong),
    mode: task.mode,
    compat: task.compat,
    templateRemarks: [
      ...noticesFor(config, evaluation).map(({ message, at }) => ({
        kind: 'note' as const,
        code: 'config.notice',
        ...{ message, at },
      })),
      ...unnamedModel(evaluation),
      ...(showsJudge && !evaluation.scorer.judge ? [noJudgeRemark] : []),
      ...evaluation.diagnostics.map(remark),
    ],
    rowRemarks: [
      ...evaluation.checkRow(row).map(remark),
      ...leaksOf(evaluation, row, requests).map(remark),
      ...droppedRemarks(evaluation, first, config),
      ...tooLongRemarks(evaluation, requests, config),
      ...labelRemarks(evaluation, requests, config),
      ...(refusal && !evaluation.checkRow(row).some(({ code }) => code === refusal.code)
        ? [refusalRemark(refusal)]
        : []),
      ...(unjudged ? [unjudgedRemark(unjudged, source, row)] : []),
      ...(answered?.isChanged ? [changedRemark] : []),
      ...(answered?.failure === undefined ? [] : [failedRemark(answered.failure)]),
    ],
    prompts: asked.flatMap(({ prompts }) => prompts),
    requests: asked.flatMap((one) => one.requests),
    ...((answered?.judge || showsJudge) && { judge }),
    ...loglikelihoodOf(asked),
    placeOf: (span) => locateOrigin(config, span.origin),
  };
}

/** What is said of the config, without what is about other datasets and models. */
function noticesFor({ notices }: Config, { task, modelConfig }: Evaluation): Config['notices'] {
  const own = [task.dataset?.source, modelConfig?.source];
  return notices.filter(({ path }) => {
    const isOfEntry = /(^|_)(datasets|models)$/.test(String(path[0])) && path.length > 1;
    return !isOfEntry || own.some((source) => source?.every((key, index) => key === path[index]));
  });
}
const noJudgeRemark: Remark = {
  kind: 'note',
  code: 'view.no_judge',
  message: 'no judge scores the answers of this dataset',
};

const changedRemark: Remark = {
  kind: 'warning',
  code: 'view.changed_row',
  message: 'the run has no complete record of this row in its present form',
  hint: 'The config or data may have changed since, or the run stopped early; `typecase run` asks what is missing.',
};

function failedRemark(reason: string): Remark {
  return {
    kind: 'note',
    code: 'view.failed_row',
    message: `the row failed in this run: ${reason}`,
  };
}

interface TracedRow {
  readonly requests: readonly TracedRequest[];
  /** Why a run does not ask about the row. */
  readonly refusal?: DataError;
}

/** The requests of a row, with a stand-in for answers that are not known. */
async function traceAll(
  evaluation: Evaluation,
  row: PositionedRow,
  known: readonly string[],
): Promise<TracedRow> {
  const requests: TracedRequest[] = [];
  const answers: string[] = [];
  try {
    for (;;) {
      const plan = await evaluation.trace(row, answers);
      if (plan.requests.length === 0) return { requests };
      for (const request of plan.requests) {
        answers.push(known[requests.length] ?? standInFor(request));
        requests.push(request);
      }
    }
  } catch (error) {
    // As in a run: a row that cannot be asked about fails by itself.
    if (!(error instanceof DataError)) throw error;
    return { requests, refusal: error };
  }
}

/** What stands for an answer that is not known. */
function standInFor({ part }: Pick<TracedRequest, 'part'>): string {
  return `⟨answer ${part?.name ?? 1}⟩`;
}

interface AskedView {
  readonly prompts: readonly LabelView[];
  readonly requests: readonly PartRequestView[];
  readonly noRequest?: string;
  readonly isLoglikelihood: boolean;
}

async function askedView(
  { model, countTokens }: Evaluation,
  request: TracedRequest,
  /** What led to its answer; left out where no run is looked at. */
  steps: readonly AnswerStep[] | undefined,
): Promise<AskedView> {
  const { part, texts, asked } = request;
  const named = part && { part: { kind: part.kind, name: part.name } };
  const isLoglikelihood = asked.type === 'loglikelihood';
  const noRequest =
    part?.followsAnswers && !steps
      ? 'it depends on earlier answers; `--run FOLDER` shows it as sent'
      : unaskedReason(model);
  const sent = noRequest === undefined ? await sentTo(model, request) : [];
  const [only] = sent;
  const prompts = texts.map((text) => {
    const prompt = untrace(text.prompt);
    return {
      ...text,
      ...named,
      sent: prompt,
      ...(!isLoglikelihood && only && { request: only }),
      ...(noRequest !== undefined && { noRequest }),
      characters: textsOf(prompt).reduce((sum, one) => sum + countCharacters(one), 0),
      ...(countTokens && { tokens: tokensOf(prompt, countTokens) }),
      ...(model.idsOf && prompt.type === 'text' && { tokenIds: model.idsOf(prompt) }),
    };
  });
  const later = noRequest === undefined ? await sentAfterTools(model, request, steps) : [];
  const requests = [...sent, ...later].map((one) => ({ ...named, ...one }));
  return { prompts, requests, isLoglikelihood, ...(noRequest !== undefined && { noRequest }) };
}

async function sentTo(
  model: Model,
  { request }: Pick<TracedRequest, 'request'>,
): Promise<ViewRequest[]> {
  const { target } = model;
  if (!target) return [];
  return (await bodiesOf(model, request)).map((body) => ({ ...target, body: JSON.parse(body) }));
}

/** What went out once tools had given their results. */
async function sentAfterTools(
  model: Model,
  { request }: Pick<TracedRequest, 'request'>,
  steps: readonly AnswerStep[] = [],
): Promise<ViewRequest[]> {
  if (steps.length < 2 || !('prompt' in request)) return [];
  const { requestAfter } = await import('../../model/tool-loop.ts');
  const later = steps.slice(1).map((_, index) => requestAfter(request, steps.slice(0, index + 1)));
  return (await Promise.all(later.map((one) => sentTo(model, { request: one })))).flat();
}

async function judgeViews(
  requests: NonNullable<AnsweredRow['judge']>,
  id: RowId,
): Promise<JudgeView[]> {
  const views: JudgeView[] = [];
  for (const { judge, model, prompt, part, said, trace } of requests) {
    const sent = await sentTo(model, { request: { prompt } });
    const named = part && { part: { kind: part.kind, name: part.name } };
    views.push(
      ...sent.map((one) => ({
        judge,
        ...named,
        prompt,
        traced: trace(id),
        ...one,
        ...(said !== undefined && { said }),
      })),
    );
  }
  return views;
}

/** What judges would be asked about answers that are not there yet. */
async function standInViews(
  evaluation: Evaluation,
  id: RowId,
  requests: readonly TracedRequest[],
): Promise<{ readonly views: readonly JudgeView[]; readonly refusal?: DataError }> {
  const views: JudgeView[] = [];
  let refusal: DataError | undefined;
  for (const request of requests) {
    const { row, gold, dialogue, part } = request;
    const label = standInFor(request);
    const facts = factsBefore(request.asked);
    const input = { answer: { raw: label, answer: label }, label, row, gold, dialogue, facts };
    const asked = await judgeRequests(evaluation, input);
    if (asked instanceof DataError) {
      refusal ??= asked;
      continue;
    }
    const made = await judgeViews(
      asked.map((one) => ({ ...one, part })),
      id,
    );
    views.push(...made.map((view) => ({ ...view, isStandIn: true as const })));
  }
  return { views, ...(refusal && { refusal }) };
}

function unaskedReason({ target, facts }: Model): string | undefined {
  return target ? undefined : String(facts?.reason ?? 'the model cannot be asked');
}

function loglikelihoodOf(
  asked: readonly AskedView[],
): Pick<PromptView, 'loglikelihood' | 'noRequest'> {
  const measured = asked.find(({ isLoglikelihood }) => isLoglikelihood);
  const [first] = measured?.requests ?? [];
  if (first) return { loglikelihood: first };
  return measured?.noRequest === undefined ? {} : { noRequest: measured.noRequest };
}

/** A server that names its model itself is asked for the name by a run only. */
function unnamedModel({ modelConfig, model }: Evaluation): Remark[] {
  const isNamed = modelConfig?.model !== undefined || modelConfig?.path !== undefined;
  if (isNamed || !model.target || !('url' in model.target)) return [];
  return [
    {
      kind: 'note',
      code: 'view.model_unnamed',
      message: `a run asks the server for the name of the model; it is shown as \`${model.identity.model}\``,
      hint: 'Give the model a `model`, or show the requests of a run with `--run FOLDER`.',
    },
  ];
}

function leaksOf(
  evaluation: Evaluation,
  row: PositionedRow,
  requests: readonly TracedRequest[],
): readonly Diagnostic[] {
  const [first] = requests;
  return first?.leak === undefined ? [] : evaluation.leaksOf(row, first.shots);
}

function droppedRemarks(
  { task }: Evaluation,
  request: TracedRequest | undefined,
  { written }: Config,
): Remark[] {
  const dropped = request?.dropped ?? 0;
  if (dropped === 0) return [];
  const source = task.dataset?.inferCfg.retriever.source ?? [];
  return [
    {
      kind: 'note',
      code: 'view.examples_dropped',
      message: `${dropped} example${dropped === 1 ? ' does' : 's do'} not fit max_seq_len and ${dropped === 1 ? 'is' : 'are'} not sent`,
      at: written.locate(source),
    },
  ];
}

function tooLongRemarks(
  { modelConfig, shape }: Evaluation,
  requests: readonly TracedRequest[],
  { written }: Config,
): Remark[] {
  if (!requests.some(({ tooLong }) => tooLong)) return [];
  const how = shape.estimatesLengths ? ' (estimated without a `tokenizer`)' : '';
  return [
    {
      kind: 'warning',
      code: 'view.too_long',
      message: `the prompt and its answer do not fit max_seq_len${how}`,
      hint: 'A run sends it anyway and counts such rows. Shorten the row or template, or lower `max_out_len`.',
      at: modelConfig && written.locate([...modelConfig.source, 'max_seq_len']),
    },
  ];
}

/** The row's gold answer is none of its labels. */
function labelRemarks(
  { scorer, task }: Evaluation,
  requests: readonly TracedRequest[],
  { written }: Config,
): Remark[] {
  const [wrong] = requests;
  if (!wrong || !requests.every((request) => asksNoLabel(scorer, request))) return [];
  return [
    {
      kind: 'warning',
      code: goldNotALabel,
      message: `the gold answer \`${formatValue(wrong.gold)}\` is none of the labels, so the row cannot be right`,
      hint: 'Write the labels as in the column, or change the gold answers with `dataset_postprocessor`.',
      at: task.dataset && written.locate([...task.dataset.source, 'infer_cfg']),
    },
  ];
}

function refusalRemark({ code, message, hint }: DataError): Remark {
  return {
    kind: 'warning',
    code,
    message: `${message}; a run does not ask about it`,
    ...(hint !== undefined && { hint }),
  };
}

/** Why a run asks no judge about the answer. */
function unjudgedRemark(
  { code, message, hint }: DataError,
  { evaluation }: ViewSource,
  { id }: PositionedRow,
): Remark {
  return {
    kind: 'warning',
    code,
    message: `${rowName(id, evaluation)}: ${message}; a run asks no judge about it, and it has no score`,
    ...(hint !== undefined && { hint }),
  };
}

function textsOf(prompt: Prompt): string[] {
  if (prompt.type === 'text') return [prompt.text];
  return prompt.messages.map(({ content }) => textOnly(content));
}

function tokensOf(prompt: Prompt, countText: (text: string) => number): number {
  const pieces = prompt.type === 'text' ? (prompt.pieces ?? [prompt.text]) : textsOf(prompt);
  return pieces.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'string' ? countText(piece) : piece.length),
    0,
  );
}

function toRemark({ written }: Config, diagnostic: Diagnostic): Remark {
  const { kind, code, message, hint, at } = locateDiagnostic(written, diagnostic);
  return { kind, code, message, ...(hint !== undefined && { hint }), at };
}

function locateOrigin({ written }: Config, origin: Origin): SourceLocation | undefined {
  return 'at' in origin ? written.locateInString(origin.at.path, origin.at.start) : undefined;
}
