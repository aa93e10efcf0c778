import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { type ConfigOverrides, overrideConfig } from '../config/override-config.ts';
import { withLocation } from '../config/with-location.ts';
import { DataError } from '../errors.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import { formatValue } from '../prompt/values.ts';
import { KeyOffsets } from '../run/store/key-offsets.ts';
import { RecordedAnswers } from '../run/store/recorded-answers.ts';
import { planTask, type SentPrompt, type TaskPlan } from '../study/plan/plan-evaluation.ts';
import { comparePartOrders, type PartOrders } from '../study/prefix-cache/part-orders.ts';
import type { CachedRequest, PrefixCacheSettings } from '../study/prefix-cache/prefix-cache.ts';
import { type PrefixCurves, prefixCurves } from '../study/prefix-cache/prefix-curves.ts';
import { type PartedPrompt, promptParts } from '../study/prefix-cache/prompt-parts.ts';
import { TokenWriter } from '../study/prefix-cache/request-tokens.ts';
import { checkOptions } from './check-options.ts';
import type { Selection } from './evaluate.ts';
import { prefixStudyNames } from './option-names.ts';

export interface PrefixStudyOptions
  extends Selection,
    Pick<ConfigOverrides, 'maxOutLen' | 'compat'>,
    PrefixCacheSettings {
  /** Tokens that an image, or another medium, is taken to have; 576 by default. */
  readonly imageTokens?: number | undefined;
  /** The column whose rows are asked together in the order `grouped`; that of `cluster_by` by default. */
  readonly groupBy?: string | undefined;
}

/** What a server's prefix cache would save on the requests to a model. */
export interface PrefixStudy extends PrefixCurves {
  /** The `abbr` of the model. */
  readonly model: string;
  readonly datasets: readonly StudiedDataset[];
  /** Whether tokens were counted with the model's tokenizer. */
  readonly exactTokens: boolean;
  /** Images and other media, taken to have so many tokens each. */
  readonly media: number;
  readonly imageTokens: number;
  /** Whether requests ask how likely texts are. vLLM computes these whole. */
  readonly likelihoods: boolean;
  /** Requests that came after as many tokens as are studied, and were left out. */
  readonly leftOut: number;
  /** Whether later turns would show earlier answers, which are not counted. */
  readonly withoutAnswers: boolean;
}

export interface StudiedDataset {
  /** The `abbr` of the dataset. */
  readonly dataset: string;
  /** What other orders of the template's parts would share; left out where it has only one part. */
  readonly partOrders?: PartOrders | undefined;
}

/** As an image has for LLaVA 1.5. */
export const defaultImageTokens = 576;
/** 32 MiB of tokens; with blocks of one token, a cache of 256 MiB. */
const mostTokens = 2 ** 23;
const mostParted = 1000;

/**
 * Estimates what the prefix cache of a server would save on a run, for caches of several sizes and requests
 * in several orders, one study for each model. Nothing is sent.
 *
 * @example
 * const [study] = await studyPrefixCache(await loadConfig('examples/sums.yaml'), { block: 1 });
 * study.savings; // { requests: 10, tokens: 222, saved: 161, tooLong: 0 }
 */
export async function studyPrefixCache(
  config: Config | ConfigInput,
  options: PrefixStudyOptions = {},
): Promise<PrefixStudy[]> {
  checkOptions<PrefixStudyOptions>(options, prefixStudyNames);
  const checked = overrideConfig(await toConfig(config), options);
  try {
    return await studyConfig(checked, options);
  } catch (error) {
    throw withLocation(checked.written, error);
  }
}

async function studyConfig(config: Config, options: PrefixStudyOptions): Promise<PrefixStudy[]> {
  const evaluations = await openEvaluations(config, { ...options, purpose: 'plan' });
  try {
    const models = new Map<Evaluation['model'], ModelStudy>();
    for (const evaluation of evaluations) {
      const study = models.get(evaluation.model) ?? new ModelStudy(options);
      models.set(evaluation.model, study);
      await study.add(evaluation);
    }
    return [...models.values()].map((study) => study.finish());
  } finally {
    await evaluations.close();
  }
}

interface OpenCase {
  readonly requests: CachedRequest[];
  readonly place: number;
  readonly group: string | undefined;
}

/** Collects what a model would be sent, task after task. */
class ModelStudy {
  readonly #options: PrefixStudyOptions;
  readonly #imageTokens: number;
  readonly #cases: OpenCase[] = [];
  readonly #datasets: StudiedDataset[] = [];
  readonly #plans: TaskPlan[] = [];
  readonly #sent = new KeyOffsets();
  #exactTokens = true;
  #tokens = 0;
  #leftOut = 0;

  constructor(options: PrefixStudyOptions) {
    this.#options = options;
    this.#imageTokens = options.imageTokens ?? defaultImageTokens;
  }

  async add(evaluation: Evaluation): Promise<void> {
    // rows of later datasets come after those of earlier ones
    const start = this.#datasets.length * 2 ** 32;
    let before: SentPrompt['planned'] | undefined;
    const plan = await planTask({
      evaluation,
      recorded: RecordedAnswers.none(),
      cached: undefined,
      sent: this.#sent,
      imageTokens: this.#imageTokens,
      onPrompt: (sent) => {
        const { planned } = sent;
        const place = start + planned.id;
        const isLater = planned.part?.followsAnswers && this.#cases.at(-1)?.place === place;
        const follows = planned === before || isLater;
        before = planned;
        const group = this.#groupOf(evaluation, planned);
        this.#take(sent, follows ? undefined : { place, group });
        return 0;
      },
    });
    this.#exactTokens &&= evaluation.tokenize !== undefined;
    this.#plans.push(plan);
    const partOrders = await this.#partOrders(evaluation);
    this.#datasets.push({ dataset: plan.dataset, ...(partOrders && { partOrders }) });
  }

  /** Keeps a request as a case of its own, or as one that follows those before. */
  #take({ tokens, answer }: SentPrompt, own: Omit<OpenCase, 'requests'> | undefined): void {
    this.#tokens += tokens.length + (answer?.length ?? 0);
    if (this.#tokens > mostTokens) {
      this.#leftOut++;
      return;
    }
    const request = { tokens: tokens.slice(), answer: answer?.slice() };
    const last = this.#cases.at(-1);
    if (own || !last) this.#cases.push({ place: 0, group: undefined, ...own, requests: [request] });
    else last.requests.push(request);
  }

  finish(): PrefixStudy {
    const { block, size, inFlight } = this.#options;
    return {
      model: this.#plans[0]?.model ?? '',
      datasets: this.#datasets,
      exactTokens: this.#exactTokens,
      media: this.#plans.reduce((sum, { media = 0 }) => sum + media, 0),
      imageTokens: this.#imageTokens,
      likelihoods: this.#plans.some(({ likelihoods }) => likelihoods),
      leftOut: this.#leftOut,
      withoutAnswers: this.#plans.some(
        ({ earlierAnswers, unlimitedAnswers }) => earlierAnswers !== undefined || unlimitedAnswers,
      ),
      ...prefixCurves(this.#cases, { block, size, inFlight }),
    };
  }

  #groupOf({ task }: Evaluation, { row }: SentPrompt['planned']): string | undefined {
    const column = this.#options.groupBy ?? task.clusterBy;
    if (column === undefined) return undefined;
    const value = row[column];
    if (value !== undefined) return `${task.name}/${formatValue(value)}`;
    throw new DataError('data.unknown_column', `${task.name} has no column \`${column}\``, {
      hint: `Columns: ${Object.keys(row).join(', ')}.`,
    });
  }

  async #partOrders(evaluation: Evaluation): Promise<PartOrders | undefined> {
    const { tokenize, rows, prepare } = evaluation;
    const writer = new TokenWriter({ tokenize, imageTokens: this.#imageTokens });
    const prompts: PartedPrompt[] = [];
    for await (const batch of rows.batches()) {
      await prepare?.(batch);
      for (const row of batch) {
        const prompt = await tracedPrompt(evaluation, row);
        if (prompt) prompts.push(promptParts(prompt, writer));
      }
      if (prompts.length >= mostParted) break;
    }
    const { block, size } = this.#options;
    return comparePartOrders(prompts.slice(0, mostParted), { block, size });
  }
}

/** The first prompt of a row; nothing for a row that cannot be asked. */
async function tracedPrompt(evaluation: Evaluation, row: Parameters<Evaluation['trace']>[0]) {
  try {
    const { requests } = await evaluation.trace(row);
    return requests[0]?.texts[0]?.prompt;
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}
