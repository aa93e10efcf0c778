import { formatAmount } from '../base/format.ts';
import type { ModelConfig, Price } from '../config/config.ts';
import { ConfigError, CostLimitError, ModelError } from '../errors.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Meter } from '../evaluation/judges.ts';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import { answerLimit, type GenerateRequest, type Model } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';
import { textOnly } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { costOf, priceOf } from './cost.ts';
import { earlierLogs } from './store/earlier-folder.ts';
import { KeyOffsets } from './store/key-offsets.ts';
import { readRows } from './store/read-rows.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';
import type { CostSummary, RunSummary } from './summary.ts';

/** What servers add to a prompt: roles around messages, and texts of their own. */
const tokensPerMessage = 8;
const tokensPerRequest = 64;

interface Waiting {
  readonly amount: number;
  readonly go: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Keeps what a run costs below a limit. A request starts only if all that is in flight may cost the
 * most it can and the limit still holds; until then it waits.
 */
export class Spending {
  readonly #limit: number;
  #spent = 0;
  /** Of that, what earlier starts spent. */
  #earlier = 0;
  #reserved = 0;
  #estimated = 0;
  #reached: CostLimitError | undefined;
  #waiting: Waiting[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What ended the run, once the limit has. */
  get reached(): CostLimitError | undefined {
    return this.#reached;
  }

  /** What was spent since earlier starts. */
  readonly counted = (): number => this.#spent - this.#earlier;

  /** The summary of a run with what was spent. */
  addTo(summary: RunSummary): RunSummary & { readonly cost: CostSummary } {
    const cost = {
      ...(summary.cost ?? { total: 0 }),
      limit: this.#limit,
      spent: this.#spent,
      ...(this.#reached && { isReached: true }),
      ...(this.#estimated > 0 && { estimated: this.#estimated }),
    };
    return { ...summary, cost };
  }

  /**
   * Counts what was paid before, for answers and for verdicts. Logs lack answers that equal earlier
   * ones; the record lacks what a start that was killed asked last: the one that says more counts.
   */
  async addEarlier(
    evaluations: readonly StoredEvaluation[],
    { paidBefore }: { readonly paidBefore: number },
  ): Promise<void> {
    let logged = 0;
    const verdicts = new Map<string | undefined, KeyOffsets>();
    for (const { evaluation, logFile } of evaluations) {
      const files = [...earlierLogs(logFile), logFile];
      const [first] = evaluation.judgeConfigs ?? [];
      const { answers, judged } = await loggedTokens(files, { verdicts, judge: first?.abbr });
      logged += costOf(answers, priceOf(evaluation.modelConfig)) ?? 0;
      for (const [name, tokens] of judged) {
        const judge = evaluation.judgeConfigs?.find(({ abbr }) => abbr === name);
        logged += costOf(tokens, priceOf(judge)) ?? 0;
      }
    }
    this.#earlier = Math.max(logged, paidBefore);
    this.#spent += this.#earlier;
  }

  /** Refuses a limit that could not be kept: a price or the length of answers is not known. */
  requirePrices(evaluations: readonly Evaluation[]): void {
    for (const { modelConfig, judgeConfigs = [], answerLimit: own } of evaluations) {
      if (modelConfig) requirePrice(modelConfig, own);
      for (const judge of judgeConfigs) requirePrice(judge, answerLimit(judge, {}));
    }
  }

  /** A model in place of this one that waits with a request until it can be paid for. */
  readonly meter: Meter = (model, config, encode) => {
    const price = priceOf(config);
    const { loglikelihoodModel } = model;
    const count = (text: string) => encode?.(text).length ?? Buffer.byteLength(text);
    const pay = <Result extends { readonly usage?: Usage | undefined }>(
      most: Usage,
      signal: AbortSignal,
      ask: () => Promise<Result>,
    ) => this.#pay({ most, price, signal }, ask);
    const measured: LoglikelihoodModel | undefined = loglikelihoodModel && {
      ...loglikelihoodModel,
      measure: (request, options) => {
        const texts = request.texts.map(({ text }) => count(text) + tokensPerRequest);
        const inputTokens = texts.reduce((sum, tokens) => sum + tokens, 0);
        const most = { inputTokens, outputTokens: texts.length };
        return pay(most, options.signal, () => loglikelihoodModel.measure(request, options));
      },
    };
    // What the model finds out later shows through.
    return Object.create(model, {
      generate: {
        value: (request: GenerateRequest, options: Parameters<Model['generate']>[1]) => {
          const most = {
            inputTokens: mostTokens(request.prompt, count),
            outputTokens: answerLimit(config, request) ?? 0,
          };
          return pay(most, options.signal, () => model.generate(request, options));
        },
      },
      ...(measured && { loglikelihoodModel: { value: measured } }),
    });
  };

  async #pay<Result extends { readonly usage?: Usage | undefined }>(
    {
      most,
      price,
      signal,
    }: { readonly most: Usage; readonly price: Price; readonly signal: AbortSignal },
    ask: () => Promise<Result>,
  ): Promise<Result> {
    const amount = usageCost(most, price);
    await this.#reserve(amount);
    let paid = 0;
    try {
      signal.throwIfAborted();
      paid = amount;
      const result = await ask();
      // What the server does not tell counts with the most that it can be.
      paid = usageCost({ ...most, ...told(result.usage) }, price);
      if (isUntold(result.usage)) this.#estimated++;
      return result;
    } catch (error) {
      if (isUnpaid(error)) paid = 0;
      throw error;
    } finally {
      this.#reserved -= amount;
      this.#spent += paid;
      this.#goOn();
    }
  }

  #reserve(amount: number): Promise<void> {
    return new Promise((go, refuse) => {
      this.#waiting.push({ amount, go, refuse });
      this.#goOn();
    });
  }

  #fits(amount: number): boolean {
    return !this.#reached && this.#spent + this.#reserved + amount <= this.#limit;
  }

  #goOn(): void {
    for (let [next] = this.#waiting; next && this.#fits(next.amount); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#reserved += next.amount;
      next.go();
    }
    const [next] = this.#waiting;
    // What is in flight may turn out to cost less than it could; after that nothing changes.
    if (!next || (this.#reserved > this.#limit * 1e-12 && !this.#reached)) return;
    this.#reached ??= limitReached({ limit: this.#limit, spent: this.#spent, next: next.amount });
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.#reached);
  }
}

function limitReached(amounts: Record<'limit' | 'spent' | 'next', number>): CostLimitError {
  const [limit, spent, next] = [amounts.limit, amounts.spent, amounts.next].map(formatAmount);
  return new CostLimitError(
    'run.cost_limit',
    `cost limit of ${limit} reached: ${spent} spent, and the next request may cost ${next}`,
    { hint: 'Run the same command with a higher `--max-cost` to resume.' },
  );
}

function told({ inputTokens, outputTokens }: Usage = {}): Usage {
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

function isUntold({ inputTokens, outputTokens }: Usage = {}): boolean {
  return inputTokens === undefined || outputTokens === undefined;
}

function usageCost({ inputTokens = 0, outputTokens = 0 }: Usage, price: Price): number {
  return costOf({ input: inputTokens, output: outputTokens }, price) ?? 0;
}

/** No text has more tokens than bytes. */
function mostTokens(prompt: Prompt, count: (text: string) => number): number {
  const pieces =
    prompt.type === 'text'
      ? (prompt.pieces ?? [prompt.text])
      : prompt.messages.map(({ content }) => textOnly(content));
  return pieces.reduce<number>(
    (sum, piece) =>
      sum + (typeof piece === 'string' ? count(piece) : piece.length) + tokensPerMessage,
    tokensPerRequest,
  );
}

/** A server that refuses a request, or cannot be reached, is not paid for it. */
function isUnpaid(error: unknown): boolean {
  if (!(error instanceof ModelError)) return false;
  const { status = 0, code } = error;
  return status >= 400 || unreached.has(code);
}

const unreached: ReadonlySet<string> = new Set([
  'model.connection_refused',
  'model.unknown_host',
  'model.certificate',
]);

interface LoggedVerdicts {
  /** What each judge was asked, as far as it has been counted. */
  readonly verdicts: Map<string | undefined, KeyOffsets>;
  /** The judge whose verdicts do not say its name. */
  readonly judge: string | undefined;
}

/** Tokens of all answers and verdicts that were asked for, also of those that no longer count. */
async function loggedTokens(
  logFiles: readonly string[],
  { verdicts: seen, judge }: LoggedVerdicts,
) {
  const answers = { input: 0, output: 0 };
  const judged = new Map<string | undefined, { input: number; output: number }>();
  const known = new KeyOffsets();
  for (const logFile of logFiles) {
    for await (const batch of readRows(logFile)) {
      for (const { record } of batch) {
        const { key, tokens, from, parts, ms = 0, verdicts = [] } = record;
        for (const verdict of verdicts) {
          const name = verdict.judge ?? judge;
          // Tasks share a verdict on the same answer.
          const keys = seen.get(name) ?? new KeyOffsets();
          seen.set(name, keys);
          if (!verdict.tokens || verdict.from || keys.get(verdict.key) !== undefined) continue;
          keys.set(verdict.key, 0);
          const sums = judged.get(name) ?? { input: 0, output: 0 };
          sums.input += verdict.tokens[0] ?? 0;
          sums.output += verdict.tokens[1] ?? 0;
          judged.set(name, sums);
        }
        // A row of several requests has the sum of what its parts have.
        if (!tokens || from || parts) continue;
        const [input, output] = [tokens[0] ?? 0, tokens[1] ?? 0];
        // An answer comes again with another score; a new answer takes another time.
        const mark = ms * 2 ** 20 + ((input * 31 + output) % 2 ** 20);
        if (known.get(key) === mark) continue;
        known.set(key, mark);
        answers.input += input;
        answers.output += output;
      }
    }
  }
  return { answers, judged };
}

function requirePrice(config: ModelConfig, limit: number | undefined): void {
  const { abbr, source } = config;
  const { in: priceIn, out: priceOut } = priceOf(config);
  if (priceIn === 0 && priceOut === 0) return;
  if (priceIn === undefined || priceOut === undefined) {
    throw new ConfigError('config.missing_key', `\`--max-cost\` needs the price of ${abbr}`, {
      path: source,
      hint: 'Add `price: { in: 0.15, out: 0.6 }` (per million tokens) to the model, or `--price-in` and `--price-out`.',
    });
  }
  if (limit === undefined) {
    throw new ConfigError(
      'config.missing_key',
      `\`--max-cost\` needs a limit for the answers of ${abbr}`,
      { path: source, hint: 'Add `max_out_len`, or `--max-out-len`.' },
    );
  }
}
