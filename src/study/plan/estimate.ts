import type { Price } from '../../config/config.ts';
import type { Pace } from '../../evaluation/evaluation.ts';
import type { JudgePlan, TaskPlan } from './plan-evaluation.ts';

/** What is known or assumed of a server. */
export interface PlanAssumptions {
  /** Seconds that a request needs; 2 by default. */
  readonly latency?: number | undefined;
}

/** All tasks of a run, what they come to, and what they may take. */
export interface RunPlan {
  readonly folder: string;
  readonly tasks: readonly TaskPlan[];
  readonly total: PlanTotal;
  /** Whether all tokens were counted with the models' tokenizers. */
  readonly exactTokens: boolean;
  readonly time: TimeEstimate;
  readonly price?: PriceEstimate;
}

export type PlanTotal = Omit<
  TaskPlan,
  | 'model'
  | 'dataset'
  | 'judge'
  | 'otherJudges'
  | 'estimatedLengths'
  | 'notALabel'
  | 'exampleTrials'
  | 'refused'
  | 'media'
  | 'likelihoods'
  | 'turns'
>;

export interface TimeEstimate {
  readonly seconds: number;
  readonly latency: number;
  readonly isAssumed: boolean;
}

export interface PriceEstimate {
  /** Left out where no price was given. Earlier answers of dialogues are counted at their most. */
  readonly input?: number;
  /** Whether that is the most, as for earlier answers with a limit, or the least, as for those without; left out where it is known. */
  readonly inputBound?: 'most' | 'least';
  /** The most that answers can cost; left out where they have no limit. */
  readonly output?: number;
  /** Models without a price; left out when there are none. */
  readonly unpriced?: readonly string[];
  /** Judges that are still to be asked, beside the rest; left out when there are none. */
  readonly judges?: readonly PricedJudge[];
}

/** A judge, and the most that it may cost. */
export interface PricedJudge extends JudgePlan {
  /** Left out where it has no price, or nobody knows how long prompts or replies are. */
  readonly cost?: number;
}

const defaultLatency = 2;

/** What judges are asked in all tasks together. */
export function judgesOf(tasks: readonly TaskPlan[]): JudgePlan[] {
  const all = tasks.flatMap(({ judge, otherJudges = [] }) => [
    ...(judge ? [judge] : []),
    ...otherJudges,
  ]);
  return [...new Set(all.map(({ model }) => model))].map((model) => {
    const own = all.filter((judge) => judge.model === model);
    const sum = (read: (judge: JudgePlan) => number | undefined) =>
      own.reduce((total, judge) => total + (read(judge) ?? Number.NaN), 0);
    const inputTokens = sum((judge) => judge.inputTokens);
    const outputTokens = sum((judge) => judge.outputTokens);
    return {
      model,
      requests: sum((judge) => judge.requests),
      reused: sum((judge) => judge.reused),
      ...(!Number.isNaN(inputTokens) && { inputTokens }),
      ...(!Number.isNaN(outputTokens) && { outputTokens }),
    };
  });
}

export type JudgePrices = ReadonlyMap<string, Price>;

function pricedJudge(judge: JudgePlan, prices: JudgePrices): PricedJudge {
  const price = prices.get(judge.model);
  if (!price) return judge;
  const { inputTokens = Number.NaN, outputTokens = Number.NaN } = judge;
  const sent = price.in === undefined ? 0 : inputTokens * price.in;
  const said = price.out === undefined ? 0 : outputTokens * price.out;
  const cost = (sent + said) / 1_000_000;
  return Number.isNaN(cost) ? judge : { ...judge, cost };
}

/** What some tasks come to together. */
export function totalOf(tasks: readonly TaskPlan[]): PlanTotal {
  const sum = (read: (task: TaskPlan) => number) =>
    tasks.reduce((total, task) => total + read(task), 0);
  const left = sum((task) => task.left ?? 0);
  const outputTokens = sum((task) => task.outputTokens ?? Number.NaN);
  const earlierAnswers = sum((task) => task.earlierAnswers ?? 0);
  return {
    rows: sum((task) => task.rows),
    distinct: sum((task) => task.distinct),
    reused: {
      log: sum((task) => task.reused.log),
      row: sum((task) => task.reused.row),
      cache: sum((task) => task.reused.cache),
    },
    ...(left > 0 && { left }),
    send: sum((task) => task.send),
    characters: sum((task) => task.characters),
    inputTokens: sum((task) => task.inputTokens),
    ...(earlierAnswers > 0 && { earlierAnswers }),
    ...(tasks.some((task) => task.unlimitedAnswers) && { unlimitedAnswers: true }),
    sharedTokens: sum((task) => task.sharedTokens),
    dropped: sum((task) => task.dropped),
    tooLong: sum((task) => task.tooLong),
    ...(!Number.isNaN(outputTokens) && { outputTokens }),
  };
}

/** A model with the tasks that were planned for it. */
export interface PlannedModel extends Pick<Pace, 'maxConcurrency' | 'requestsPerSecond'> {
  readonly name: string;
  readonly tasks: readonly TaskPlan[];
  readonly price?: Price | undefined;
  /** Answers are recorded: there is nothing to wait for, or to pay. */
  readonly isRecorded?: boolean | undefined;
}

/** Models run side by side, so that the slowest decides. */
export function estimateTime(
  models: readonly PlannedModel[],
  given: PlanAssumptions,
): TimeEstimate {
  const { latency = defaultLatency } = given;
  const asked = models.filter(({ isRecorded }) => !isRecorded);
  const seconds = asked.map(({ tasks, maxConcurrency, requestsPerSecond }) => {
    const { send } = totalOf(tasks);
    const paced = requestsPerSecond === undefined ? 0 : send / requestsPerSecond;
    return Math.max(paced, stepsOf(tasks, maxConcurrency) * latency);
  });
  return { seconds: Math.max(0, ...seconds), latency, isAssumed: given.latency === undefined };
}

/** How many answers have to be waited for, one after the other: turns of a dialogue follow each other. */
function stepsOf(tasks: readonly TaskPlan[], maxConcurrency: number): number {
  const { send } = totalOf(tasks.filter(({ turns }) => turns === undefined));
  return tasks.reduce(
    (steps, { send, turns }) =>
      turns === undefined ? steps : steps + Math.ceil(send / turns / maxConcurrency) * turns,
    Math.ceil(send / maxConcurrency),
  );
}

/** What tokens of models cost by the prices that are known; nothing if none is. */
export function estimatePrice(
  models: readonly PlannedModel[],
  judgePrices: JudgePrices = new Map(),
): PriceEstimate | undefined {
  const priced = models.filter(({ price }) => price);
  if (priced.length === 0 && judgePrices.size === 0) return undefined;
  const sent = priced
    .filter(({ price }) => price?.in !== undefined)
    .map(({ tasks }) => totalOf(tasks));
  const input = sumOf(priced, ({ tasks, price }) => {
    const { inputTokens, earlierAnswers = 0, unlimitedAnswers } = totalOf(tasks);
    return [inputTokens + (unlimitedAnswers ? 0 : earlierAnswers), price?.in];
  });
  const inputBound = boundOf(sent);
  const output = sumOf(priced, ({ tasks, price }) => [totalOf(tasks).outputTokens, price?.out]);
  const unpriced = models
    .filter(({ price, isRecorded }) => !price && !isRecorded)
    .map(({ name }) => name);
  const judges = judgesOf(models.flatMap(({ tasks }) => tasks))
    .filter(({ requests }) => requests > 0)
    .map((judge) => pricedJudge(judge, judgePrices));
  return {
    ...(input !== undefined && { input, ...(inputBound && { inputBound }) }),
    ...(output !== undefined && { output }),
    ...(unpriced.length > 0 && { unpriced }),
    ...(judges.length > 0 && { judges }),
  };
}

function boundOf(totals: readonly PlanTotal[]): PriceEstimate['inputBound'] {
  if (totals.some(({ unlimitedAnswers }) => unlimitedAnswers)) return 'least';
  return totals.some(({ earlierAnswers }) => earlierAnswers) ? 'most' : undefined;
}

type TokensAndPrice = readonly [tokens: number | undefined, price: number | undefined];

/** What models cost that have such a price; nothing if none has, or if tokens have no limit. */
function sumOf(
  models: readonly PlannedModel[],
  read: (model: PlannedModel) => TokensAndPrice,
): number | undefined {
  const costs = models
    .map(read)
    .flatMap(([tokens = Number.NaN, price]) => (price === undefined ? [] : [tokens * price]));
  const total = costs.reduce((sum, cost) => sum + cost, 0) / 1_000_000;
  return costs.length === 0 || Number.isNaN(total) ? undefined : total;
}
