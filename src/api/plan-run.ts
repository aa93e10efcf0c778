import { resolve } from 'node:path';
import type { Config, Price } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { type ConfigOverrides, overrideConfig } from '../config/override-config.ts';
import { defaultRunFolder } from '../config/run-defaults.ts';
import { withLocation } from '../config/with-location.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import { cacheFolder, type ExecuteOptions } from '../run/execute-evaluations.ts';
import { knownModels } from '../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../run/loglikelihood-memory.ts';
import { readCachedKeys } from '../run/response-cache.ts';
import { KeyOffsets } from '../run/store/key-offsets.ts';
import { RecordedAnswers } from '../run/store/recorded-answers.ts';
import { rowFiles } from '../run/store/run-folder.ts';
import { verdictFolder } from '../run/verdict-memory.ts';
import {
  estimatePrice,
  estimateTime,
  type PlanAssumptions,
  type PlannedModel,
  type RunPlan,
  totalOf,
} from '../study/plan/estimate.ts';
import { planTask, type TaskPlan, type VerdictKeys } from '../study/plan/plan-evaluation.ts';
import {
  type CachedRequest,
  PrefixCache,
  plannedCacheTokens,
} from '../study/prefix-cache/prefix-cache.ts';
import { checkOptions } from './check-options.ts';
import type { Selection } from './evaluate.ts';
import { planNames } from './option-names.ts';

export interface PlanOptions
  extends Selection,
    ConfigOverrides,
    PlanAssumptions,
    Pick<ExecuteOptions, 'cache' | 'fresh' | 'retry'> {
  /** Folder of the run: what it holds is not asked again. */
  readonly out?: string | undefined;
  /** Hears of the evaluations before they are planned. */
  readonly onOpen?: ((evaluations: readonly Evaluation[]) => void) | undefined;
}

/**
 * Estimates what a run would send, and how long it may take: what `typecase plan` does. Nothing is sent.
 *
 * @example
 * const { total } = await planRun(await loadConfig('examples/sums.yaml'));
 * [total.rows, total.send]; // [6, 6]
 */
export async function planRun(
  config: Config | ConfigInput,
  options: PlanOptions = {},
): Promise<RunPlan> {
  checkOptions<PlanOptions>(options, planNames);
  const checked = overrideConfig(await toConfig(config), options);
  const folder = resolve(options.out ?? defaultRunFolder(checked));
  try {
    return await planIn(folder, checked, options);
  } catch (error) {
    throw withLocation(checked.written, error);
  }
}

async function planIn(folder: string, config: Config, options: PlanOptions): Promise<RunPlan> {
  const { fresh = false, retry } = options;
  const cachePath = fresh ? undefined : cacheFolder(folder, options.cache);
  const cached = cachePath === undefined ? undefined : await readCachedKeys(cachePath);
  let trials = 0;
  const evaluations = await openEvaluations(config, {
    ...options,
    purpose: 'plan',
    known: await knownModels(folder),
    rememberLoglikelihoods: recallLoglikelihoodsOf(fresh ? undefined : folder, () => trials++),
  });
  try {
    options.onOpen?.(evaluations);
    const planned = new Map<
      Evaluation['model'],
      PlannedModel & {
        readonly tasks: TaskPlan[];
        readonly sent: KeyOffsets;
        readonly prefixCache: PrefixCache;
      }
    >();
    const verdictsOf = verdictKeys(folder);
    for (const evaluation of evaluations) {
      const { model, modelName, modelConfig, task, pace } = evaluation;
      const { price } = modelConfig ?? {};
      const recorded = fresh
        ? RecordedAnswers.none()
        : await RecordedAnswers.open(rowFiles(folder, modelName, task.name), evaluation);
      const known = planned.get(model) ?? {
        ...pace,
        name: modelName,
        price,
        isRecorded: model.recordedAnswer !== undefined,
        tasks: [],
        sent: new KeyOffsets(),
        prefixCache: new PrefixCache({ size: plannedCacheTokens }),
      };
      const { sent, prefixCache } = known;
      const onPrompt = (request: CachedRequest) => prefixCache.send(request);
      const settings = {
        evaluation,
        recorded,
        retry,
        cached,
        sent,
        onPrompt,
        ...(!fresh && { verdictsOf }),
      };
      const before = trials;
      const plan = await planTask(settings).finally(() => recorded.close());
      const exampleTrials = trials - before;
      known.tasks.push({ ...plan, ...(exampleTrials > 0 && { exampleTrials }) });
      planned.set(model, known);
    }
    const models = [...planned.values()];
    const tasks = models.flatMap((model) => model.tasks);
    const total = totalOf(tasks);
    const judgePrices = new Map(
      evaluations.flatMap(({ judges = [] }) =>
        judges.flatMap(({ name, price }): [string, Price][] => (price ? [[name, price]] : [])),
      ),
    );
    const price = estimatePrice(models, judgePrices);
    return {
      folder,
      tasks,
      total,
      exactTokens: evaluations.every(({ countTokens }) => countTokens !== undefined),
      time: estimateTime(models, options),
      ...(price && { price }),
    };
  } finally {
    await evaluations.close();
  }
}

/** What judges have said already, each read once; tasks with the same judge share what they ask. */
function verdictKeys(folder: string): (judge: string) => Promise<VerdictKeys> {
  const judges = new Map<string, Promise<VerdictKeys>>();
  const read = async (name: string) => ({
    kept: await readCachedKeys(verdictFolder(folder, name)),
    sent: new KeyOffsets(),
  });
  return (judge) => {
    const known = judges.get(judge) ?? read(judge);
    judges.set(judge, known);
    return known;
  };
}
