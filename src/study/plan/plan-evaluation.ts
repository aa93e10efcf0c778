import { DataError, ModelError } from '../../errors.ts';
import type { Evaluation, JudgeRequest, PlannedRequest } from '../../evaluation/evaluation.ts';
import { asksNoLabel } from '../../evaluation/evaluation-diagnostics.ts';
import { countTokens } from '../../evaluation/fit-context.ts';
import { type Answer, answerLimit, type Model } from '../../model/model.ts';
import { contentText } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { type Job, type JobSource, makeJobs, partJobs } from '../../run/job.ts';
import { factsBefore, recordedReply } from '../../run/make-record.ts';
import { askedAgain, type RetryKinds } from '../../run/resume.ts';
import { inputOf, readReply } from '../../run/score-answer.ts';
import { KeyOffsets } from '../../run/store/key-offsets.ts';
import type { RecordedAnswers } from '../../run/store/recorded-answers.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { RowsWithoutLabel } from '../../run/summarize.ts';
import type { RowsNotALabel } from '../../run/summary.ts';
import { judgeRequests, rowName } from '../judge-requests.ts';
import type { CachedRequest } from '../prefix-cache/prefix-cache.ts';
import { requestReader } from '../prefix-cache/request-tokens.ts';
import { charactersOf } from './measure-prompt.ts';

/** What a run would do for one evaluation. */
export interface TaskPlan {
  readonly model: string;
  readonly dataset: string;
  readonly rows: number;
  /** Different rows by what they are asked. */
  readonly distinct: number;
  /** Answers that are there: rows in their own record, requests in another row's or in the cache. */
  readonly reused: { readonly log: number; readonly row: number; readonly cache: number };
  /** Rows that failed before, in a way that is not asked again. */
  readonly left?: number;
  /** Rows that cannot be asked, by the reason, the first ones of many. */
  readonly refused?: readonly { readonly reason: string; readonly rows: number }[];
  /** Images, audio and video that would be sent, whose tokens are not counted. */
  readonly media?: number;
  /** Requests that would be sent. */
  readonly send: number;
  /** The most of them that follow each other in a row; left out where none waits for another. */
  readonly turns?: number;
  readonly characters: number;
  /** Without earlier answers of a dialogue that are not there yet. */
  readonly inputTokens: number;
  /** The most that such answers add; left out where there are none, */
  readonly earlierAnswers?: number;
  /** and where they have no limit. */
  readonly unlimitedAnswers?: true;
  /** Those that a server's prefix cache would have: earlier requests to the model begin so. */
  readonly sharedTokens: number;
  /** The requests ask how likely texts are. vLLM computes these whole. */
  readonly likelihoods?: true;
  /** The most that the answers can have; left out where there is no limit. */
  readonly outputTokens?: number;
  /** The most that a judge is asked about the rows that are not scored yet, and verdicts that are there. */
  readonly judge?: JudgePlan;
  /** Further judges, where several checks ask several. */
  readonly otherJudges?: readonly JudgePlan[];
  /** Rows that have to do without examples, and rows that do not fit without any either. */
  readonly dropped: number;
  readonly tooLong: number;
  /** The lengths behind these two are estimates: the model has no tokenizer. */
  readonly estimatedLengths?: true;
  /** Requests beside these by which the model chooses examples, which are not known before; left out when there are none. */
  readonly exampleTrials?: number;
  /** Rows whose gold answer is none of their labels; left out when there are none. */
  readonly notALabel?: RowsNotALabel;
}

/** What a judge would be asked at most. */
export interface JudgePlan {
  readonly model: string;
  readonly requests: number;
  /** Rows that it cannot be asked about, by the reason, the first ones of many. */
  readonly refused?: readonly JudgeRefusal[];
  /** Verdicts that are there. */
  readonly reused: number;
  /** Of prompts with answers as long as they may be; left out where nobody knows how long they are. */
  readonly inputTokens?: number;
  /** The most that its replies can have; left out where there is no limit. */
  readonly outputTokens?: number;
}

export interface JudgeRefusal {
  readonly reason: string;
  readonly rows: number;
  /** The first of them, as its data name it: `row 6 of rows.jsonl`. */
  readonly first: string;
}

export interface PlanSettings {
  readonly evaluation: Evaluation;
  /** What the folder of the run holds already. */
  readonly recorded: RecordedAnswers;
  /** Which failed rows are asked again. */
  readonly retry?: RetryKinds | undefined;
  /** Keys of the requests that the cache answers. */
  readonly cached: KeyOffsets | undefined;
  /** Keys of what other evaluations of the model would send; those of this one are added. */
  readonly sent: KeyOffsets;
  /** Of a judge: keys of verdicts that are kept, and of those that would be asked for. */
  readonly verdictsOf?: ((judge: string) => Promise<VerdictKeys>) | undefined;
  /** Tokens of an image; none by default. */
  readonly imageTokens?: number | undefined;
  /** Hears of every prompt that would be sent, in the order of a run; gives how many of its tokens the server has. */
  readonly onPrompt: (sent: SentPrompt) => number;
}

/** A prompt that would be sent, as its tokens; they are there until the next one. */
export interface SentPrompt extends CachedRequest {
  readonly planned: PlannedRequest;
}

export interface VerdictKeys {
  readonly kept: KeyOffsets;
  readonly sent: KeyOffsets;
}

const maxReasons = 5;
const otherReasons = 'other reasons';

/** Makes all requests of an evaluation in the order of a run, and counts them instead of sending. */
export async function planTask(settings: PlanSettings): Promise<TaskPlan> {
  const { evaluation, recorded, retry } = settings;
  const isAskedAgain = askedAgain(retry);
  const counter = new RequestCounter(settings);
  const seen = new KeyOffsets();
  const refused = new Map<string, number>();
  const withoutLabel = new RowsWithoutLabel();
  const counts = { rows: 0, distinct: 0, log: 0, left: 0, dropped: 0, tooLong: 0 };
  const source: JobSource = {
    evaluation,
    note({ id, key, requests }) {
      counts.rows++;
      const [first] = requests;
      if (first && requests.every((request) => asksNoLabel(evaluation.scorer, request)))
        withoutLabel.add(Number(id), first.gold, labelsOf(first));
      if (requests.some(({ dropped }) => dropped > 0)) counts.dropped++;
      if (requests.some(({ tooLong }) => tooLong)) counts.tooLong++;
      if (addKey(seen, key)) counts.distinct++;
    },
    isDone(plan) {
      const { state, failure } = recorded.stateOf(plan);
      const isLeft = failure !== undefined && !isAskedAgain(failure);
      if (state === 'done') counts.log++;
      if (isLeft) counts.left++;
      return state === 'done' || isLeft;
    },
    refuse(_row, { message }) {
      counts.rows++;
      addReason(refused, message);
    },
  };
  const failed = new Set<number>();
  const refuseJob = ({ planned }: Job<JobSource>, { message }: ModelError) => {
    if (failed.has(planned.id)) return;
    failed.add(planned.id);
    addReason(refused, message);
  };
  const { model } = evaluation;
  const parts = { source, model, counter, recorded, refuseJob, sentBefore: 0, limits: [] };
  for await (const window of makeJobs(source)) {
    for (const job of window) await countJob(job, parts);
  }
  const { sizes, row, cache, send } = counter;
  const [judge, ...otherJudges] = counter.judgePlans;
  return {
    model: evaluation.modelName,
    dataset: evaluation.task.name,
    rows: counts.rows,
    distinct: counts.distinct,
    reused: { log: counts.log, row, cache },
    ...(counts.left > 0 && { left: counts.left }),
    ...(refused.size > 0 && {
      refused: [...refused].map(([reason, rows]) => ({ reason, rows })),
    }),
    ...(counter.media > 0 && { media: counter.media }),
    send,
    ...(counter.turns > 1 && { turns: counter.turns }),
    characters: sizes.characters,
    inputTokens: Math.round(sizes.input),
    ...(sizes.earlier > 0 && { earlierAnswers: sizes.earlier }),
    ...(Number.isNaN(sizes.earlier) && { unlimitedAnswers: true }),
    sharedTokens: sizes.shared,
    ...(evaluation.task.mode === 'ppl' && { likelihoods: true }),
    ...(!Number.isNaN(sizes.output) && { outputTokens: sizes.output }),
    ...(judge && { judge }),
    ...(otherJudges.length > 0 && { otherJudges }),
    dropped: counts.dropped,
    tooLong: counts.tooLong,
    ...withoutLabel.result,
    ...(evaluation.shape.estimatesLengths && { estimatedLengths: true }),
  };
}

function addReason(refused: Map<string, number>, message: string): void {
  const reason = refused.has(message) || refused.size < maxReasons ? message : otherReasons;
  refused.set(reason, (refused.get(reason) ?? 0) + 1);
}

function labelsOf({ asked }: PlannedRequest): readonly unknown[] {
  return asked.type === 'loglikelihood' ? (asked.labels ?? []) : [];
}

interface CountParts {
  readonly source: JobSource;
  readonly model: Model;
  readonly counter: RequestCounter;
  readonly recorded: RecordedAnswers;
  /** Hears of requests to which no answer is recorded, where answers are. */
  readonly refuseJob: (job: Job<JobSource>, error: ModelError) => void;
  /** How many requests of the row have to be answered before. */
  readonly sentBefore: number;
  /** The most tokens of the answers before; not numbers where there is no limit. */
  readonly limits: readonly number[];
}

/** Counts a request and those that come after it, with a stand-in for an answer that is not there. */
async function countJob(job: Job<JobSource>, parts: CountParts): Promise<void> {
  const { source, counter, recorded, limits } = parts;
  const { whole, index } = job.part ?? { index: 0 };
  const replayed = replayedAnswer(job, parts.model);
  if (replayed instanceof ModelError) return parts.refuseJob(job, replayed);
  const there = whole && (replayed?.text ?? (await recorded.answerTo(job.key)));
  const text = whole && (there ?? standIn(whole.nameAt(index)));
  const isSent = counter.count(job.planned, { text, replayed, limits });
  const sentBefore = parts.sentBefore + Number(isSent);
  counter.turns = Math.max(counter.turns, sentBefore);
  if (counter.isJudged) {
    await counter.countVerdicts(job.planned, {
      answered: await recorded.record(job.key),
      replayed,
      standIn: text ?? standIn(1),
    });
  }
  if (!whole || text === undefined) return;
  const score = { type: 'unscored', reason: 'not asked' } as const;
  const next = await whole.take(index, { text, score, key: job.key });
  if (next !== 'more') return;
  const known = [...limits, counter.limitOf(job.planned)];
  for (const following of partJobs(source, whole))
    await countJob(following, { ...parts, sentBefore, limits: known });
}

/** The answer of a model whose answers are recorded, or why it has none. */
function replayedAnswer(
  { planned: { request } }: Job<JobSource>,
  model: Model,
): Answer | ModelError | undefined {
  if (!model.recordedAnswer || !('prompt' in request)) return undefined;
  try {
    return model.recordedAnswer(request);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}

const standIns = /⟨answer \d+⟩/g;

/** In place of an answer that is not there. */
function standIn(name: number): string {
  return `⟨answer ${name}⟩`;
}

interface CountedAnswer {
  /** What the next turn is asked after, or what stands in for it. */
  readonly text: string | undefined;
  readonly replayed: Answer | undefined;
  readonly limits: readonly number[];
}

interface JudgedAnswer {
  readonly answered: RowRecord | undefined;
  readonly replayed: Answer | undefined;
  readonly standIn: string;
}

/** What a judge is asked; tokens are not a number where they have no bound. */
interface VerdictCounts {
  requests: number;
  reused: number;
  input: number;
  output: number;
}

class RequestCounter {
  row = 0;
  cache = 0;
  send = 0;
  media = 0;
  turns = 0;
  readonly sizes = { characters: 0, shared: 0, input: 0, earlier: 0, output: 0 };
  readonly #verdicts = new Map<string, VerdictCounts>();
  readonly #refused = new Map<string, { readonly first: string; readonly ids: Set<number> }>();
  readonly #settings: PlanSettings;
  readonly #tokensOf: ReturnType<typeof requestReader>;

  constructor(settings: PlanSettings) {
    this.#settings = settings;
    const { evaluation, imageTokens } = settings;
    this.#tokensOf = requestReader({ tokenize: evaluation.tokenize, imageTokens });
  }

  get isJudged(): boolean {
    return this.#settings.evaluation.scorer.judge !== undefined;
  }

  /** Whether it is to be sent. */
  count(planned: PlannedRequest, answer: CountedAnswer): boolean {
    const { recorded, cached, sent, evaluation } = this.#settings;
    const { key } = planned;
    if (recorded.knows(key) || evaluation.trials?.knows(key)) this.row++;
    else if (cached?.get(key) !== undefined) this.cache++;
    else if (addKey(sent, key)) {
      this.send++;
      this.#measure(planned, answer);
      return true;
    }
    return false;
  }

  /** What judges are asked, the first one first. */
  get judgePlans(): JudgePlan[] {
    const { judge } = this.#settings.evaluation.scorer;
    if (!judge) return [];
    this.#verdictsOf(judge.name);
    return Array.from(this.#verdicts, ([model, { requests, reused, input, output }]) => ({
      model,
      requests,
      reused,
      ...(model === judge.name && this.#refused.size > 0 && { refused: this.#refusals }),
      ...(!Number.isNaN(input) && { inputTokens: Math.round(input) }),
      ...(!Number.isNaN(output) && { outputTokens: output }),
    })).sort((one, other) => Number(other.model === judge.name) - Number(one.model === judge.name));
  }

  #verdictsOf(judge: string): VerdictCounts {
    const known = this.#verdicts.get(judge) ?? { requests: 0, reused: 0, input: 0, output: 0 };
    this.#verdicts.set(judge, known);
    return known;
  }

  get #refusals(): JudgeRefusal[] {
    return Array.from(this.#refused, ([reason, { first, ids }]) => ({
      reason,
      rows: ids.size,
      first,
    }));
  }

  #refuseVerdict({ id }: PlannedRequest, { message }: DataError): void {
    const isOther = !this.#refused.has(message) && this.#refused.size >= maxReasons;
    const reason = isOther ? otherReasons : message;
    const known = this.#refused.get(reason) ?? {
      first: rowName(id, this.#settings.evaluation),
      ids: new Set(),
    };
    this.#refused.set(reason, known);
    known.ids.add(id);
  }

  /** Maximum tokens per answer; not a number where there is no limit. */
  limitOf({ request }: PlannedRequest): number {
    if (!('prompt' in request)) return 0;
    return answerLimit(this.#settings.evaluation.model.identity, request) ?? Number.NaN;
  }

  /** What a judge is asked depends on the answer; before it is there, only how often is known, and how long it may be. */
  async countVerdicts(
    planned: PlannedRequest,
    { answered, replayed, standIn }: JudgedAnswer,
  ): Promise<void> {
    const { row, gold, asked, dialogue } = planned;
    const { evaluation, verdictsOf, cached } = this.#settings;
    const { judge } = evaluation.scorer;
    if (!judge) return;
    const thinking = evaluation.modelConfig?.thinking;
    const facts = factsBefore(asked);
    const known =
      answered?.answer === undefined
        ? replayed && readReply(asked, { ...replayed, totalMs: 0 }, thinking)
        : recordedReply(answered, asked, thinking);
    if (!known) {
      const requests = judge.requestsFor({ row, gold, dialogue });
      const reply = { text: standIn };
      const input = inputOf({ reply, gold, row, dialogue, thinking, facts });
      const prompts = await judgeRequests(evaluation, input);
      if (prompts instanceof DataError) return this.#refuseVerdict(planned, prompts);
      for (const request of prompts.slice(0, requests)) this.#countVerdict(request, planned);
      // An answer that nothing is found in is not shown, and a real one would be.
      if (prompts.length < requests) {
        const limit = answerLimit(evaluation.judgeConfigs?.[0] ?? {}, {}) ?? Number.NaN;
        const counts = this.#verdictsOf(judge.name);
        counts.requests += requests - prompts.length;
        counts.input = Number.NaN;
        counts.output += (requests - prompts.length) * limit;
      }
      return;
    }
    const input = inputOf({ reply: known, gold, row, dialogue, thinking, facts });
    const prompts = await judgeRequests(evaluation, input);
    if (prompts instanceof DataError) return this.#refuseVerdict(planned, prompts);
    for (const request of prompts) {
      const { key } = request;
      const verdicts = await verdictsOf?.(request.judge);
      const isThere = verdicts?.kept.get(key) !== undefined || cached?.get(key) !== undefined;
      if (isThere) this.#verdictsOf(request.judge).reused++;
      else if (!verdicts || addKey(verdicts.sent, key)) this.#countVerdict(request, planned);
    }
  }

  /** Answers that are not there are counted at the most that they may have, wherever they stand. */
  #countVerdict({ judge, model, prompt }: JudgeRequest, planned: PlannedRequest): void {
    const unknown = standInsIn(prompt).length;
    const answers = unknown === 0 ? 0 : unknown * this.limitOf(planned);
    const counts = this.#verdictsOf(judge);
    counts.requests++;
    counts.input += countTokens(prompt, model.countTokens) + answers;
    counts.output += answerLimit(model.identity, {}) ?? Number.NaN;
  }

  #measure(planned: PlannedRequest, { text, replayed, limits }: CountedAnswer): void {
    const { request, part } = planned;
    const { evaluation, onPrompt } = this.#settings;
    const { countTokens: count, tokenize } = evaluation;
    const prompts: readonly Prompt[] =
      'prompt' in request
        ? [request.prompt]
        : request.texts.map(({ text }) => ({ type: 'text', text }));
    for (const prompt of prompts) {
      const unknown = part?.followsAnswers ? standInsIn(prompt) : [];
      for (const one of unknown) {
        this.sizes.earlier += limits[Number(one.match(/\d+/)?.[0]) - 1] ?? Number.NaN;
      }
      const known = unknown.length === 0 ? prompt : withoutStandIns(prompt);
      const sent = this.#tokensOf(known, text?.replace(standIns, ''));
      this.media += countMedia(prompt);
      this.sizes.characters += charactersOf(known);
      const counted = count && !tokenize ? countTokens(known, count) : sent.tokens.length;
      this.sizes.input += counted;
      this.sizes.shared += Math.min(onPrompt({ ...sent, planned }), counted);
    }
    if (replayed) {
      const said: Prompt = { type: 'text', text: replayed.text };
      this.sizes.output += Math.ceil(countTokens(said, count));
    } else if ('prompt' in request) this.sizes.output += this.limitOf(planned);
  }
}

/** What stands in a prompt for answers that are not there. */
function standInsIn(prompt: Prompt): readonly string[] {
  const told =
    prompt.type === 'text'
      ? prompt.text
      : prompt.messages.map(({ content }) => contentText(content)).join('\n');
  return told.match(standIns) ?? [];
}

function withoutStandIns(prompt: Prompt): Prompt {
  const strip = (text: string) => text.replace(standIns, '');
  if (prompt.type === 'text') {
    const pieces = prompt.pieces?.map((piece) =>
      typeof piece === 'string' ? strip(piece) : piece,
    );
    return { ...prompt, text: strip(prompt.text), ...(pieces && { pieces }) };
  }
  const messages = prompt.messages.map((message) => ({
    ...message,
    content:
      typeof message.content === 'string'
        ? strip(message.content)
        : message.content.map((part) =>
            part.type === 'text' ? { ...part, text: strip(part.text) } : part,
          ),
  }));
  return { ...prompt, messages };
}

function countMedia(prompt: Prompt): number {
  if (prompt.type === 'text') return 0;
  return prompt.messages.reduce((sum, { content }) => {
    if (typeof content === 'string') return sum;
    return sum + content.filter((part) => part.type !== 'text').length;
  }, 0);
}

/** Whether the key is new. */
function addKey(keys: KeyOffsets, key: string): boolean {
  if (keys.get(key) !== undefined) return false;
  keys.set(key, 0);
  return true;
}
