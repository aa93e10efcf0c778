import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { type ConfigOverrides, overrideConfig } from '../config/override-config.ts';
import { defaultRunFolder } from '../config/run-defaults.ts';
import { withLocation } from '../config/with-location.ts';
import { RunFileError } from '../errors.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { harness } from '../evaluation/key.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import { cacheFolder, type ExecuteOptions } from '../run/execute-evaluations.ts';
import { modelsKnownBy } from '../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../run/loglikelihood-memory.ts';
import { readCachedRequests } from '../run/response-cache.ts';
import { RecordedAnswers } from '../run/store/recorded-answers.ts';
import { type RunFile, readRunFile } from '../run/store/run-file.ts';
import { rowFiles } from '../run/store/run-folder.ts';
import {
  type EvaluationExplanation,
  explainRow,
  type RowExplanation,
} from '../study/cache/explain-rows.ts';
import { openRecordedRequests } from '../study/cache/recorded-requests.ts';
import { askedRows } from '../study/rescore/scored-evaluations.ts';
import { checkOptions } from './check-options.ts';
import type { Selection } from './evaluate.ts';
import { evaluateNames } from './option-names.ts';

export interface ExplainCacheOptions
  extends Selection,
    ConfigOverrides,
    Pick<ExecuteOptions, 'cache' | 'retry'> {
  /** Folder of the run: what it holds is not asked again. */
  readonly out?: string | undefined;
}

/**
 * Explains why a run would send the requests of a row, or reuse saved answers: what `typecase cache explain`
 * does. Nothing is sent.
 *
 * @example
 * const [first] = await explainCache(await loadConfig('examples/sums.yaml'), { ids: [0] });
 * first?.rows[0]?.reasons; // ['the folder has no record of this row']
 */
export async function explainCache(
  config: Config | ConfigInput,
  options: ExplainCacheOptions = {},
): Promise<readonly EvaluationExplanation[]> {
  checkOptions<ExplainCacheOptions>(options, evaluateNames);
  const checked = overrideConfig(await toConfig(config), options);
  const folder = resolve(options.out ?? defaultRunFolder(checked));
  try {
    return await explainIn(folder, checked, options);
  } catch (error) {
    throw withLocation(checked.written, error);
  }
}

async function explainIn(
  folder: string,
  config: Config,
  options: ExplainCacheOptions,
): Promise<EvaluationExplanation[]> {
  const file = await readRunFile(folder).catch((error: unknown) => {
    if (error instanceof RunFileError) return undefined;
    throw error;
  });
  await using evaluations = await openEvaluations(config, {
    ...options,
    purpose: 'plan',
    known: modelsKnownBy(file),
    rememberLoglikelihoods: recallLoglikelihoodsOf(folder),
  });
  const explained: EvaluationExplanation[] = [];
  for (const evaluation of evaluations) {
    const { modelName: model, task, model: asked } = evaluation;
    const { cache, retry } = options;
    const rows = await explainRows(evaluation, { folder, file, config, cache, retry });
    const keyParts = { harness, model: asked.identity };
    explained.push({ model, dataset: task.name, keyParts, rows });
  }
  return explained;
}

interface Places {
  readonly folder: string;
  readonly file: RunFile | undefined;
  readonly config: Config;
  readonly cache: ExecuteOptions['cache'];
  readonly retry: ExecuteOptions['retry'];
}

async function explainRows(
  evaluation: Evaluation,
  { folder, file, config, cache, retry }: Places,
): Promise<RowExplanation[]> {
  const { modelName, task } = evaluation;
  const cachePath = cacheFolder(folder, cache);
  const recorded = await RecordedAnswers.open(rowFiles(folder, modelName, task.name), evaluation);
  const requests = await openRecordedRequests({ file, folder: config.folder, evaluation });
  try {
    const prompts = new Set<string>();
    for await (const { plan } of askedRows(evaluation)) {
      for (const { promptHash } of cachePath === undefined ? [] : plan.requests)
        prompts.add(promptHash);
    }
    const cached =
      cachePath === undefined ? undefined : await readCachedRequests(cachePath, prompts);
    const source = { evaluation, recorded, file, cached, requests, retry };
    const rows: RowExplanation[] = [];
    for await (const { plan } of askedRows(evaluation)) rows.push(await explainRow(plan, source));
    return rows;
  } finally {
    await requests.close();
    await recorded.close();
  }
}
