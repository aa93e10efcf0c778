import { randomUUID } from 'node:crypto';
import type { Config, DatasetConfig, ModelConfig } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { toConfig } from '../config/load-config.ts';
import { withLocation } from '../config/with-location.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { ofModel } from '../errors.ts';
import type { Model } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import type { Evaluation } from './evaluation.ts';
import { openJudges } from './judges.ts';
import type { RowsScorer } from './look-at-rows.ts';
import { choosesExamples, needsLikelihood, openEvaluation } from './open-evaluation.ts';
import { encoderOf, openModel, type Purpose, withKwargs } from './open-model.ts';
import { openTaskRows, type TaskRows } from './open-rows.ts';
import type { Opening, OpenOptions } from './opening.ts';
import type { OpeningProblems } from './opening-problems.ts';
import { compatOf } from './setup-of-config.ts';
import { suiteDatasetsOf } from './suite-datasets.ts';

/** Evaluations that share models and judges; `close` lets go of them all. */
export interface Evaluations extends ReadonlyArray<Evaluation>, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * Turns a config into its evaluations, each model on each dataset: the only place where config,
 * model, data and scoring meet. Nothing is sent but what it takes to find out how a server is asked.
 *
 * @example
 * const evaluations = await openEvaluations(await loadConfig('examples/sums.yaml'));
 * const [evaluation] = evaluations;
 * for await (const rows of evaluation.rows.batches()) {
 *   const { requests } = await evaluation.plan(rows[0]);
 *   requests[0].encoded; // '{"model":"…","prompt":"…","max_tokens":16}'
 * }
 * await evaluations.close();
 */
export async function openEvaluations(
  given: Config | ConfigInput,
  options: OpenOptions = {},
): Promise<Evaluations> {
  const config = await toConfig(given);
  const opener = new EvaluationOpener(config, options);
  try {
    const evaluations = await opener.open();
    const close = () => opener.close();
    return Object.assign(evaluations, { close, [Symbol.asyncDispose]: close });
  } catch (error) {
    await opener.close().catch(() => undefined);
    throw withLocation(config.written, error);
  }
}

/** Datasets whose files stay open until they are read; of many, the first ones. */
const maxHeads = 4;

class EvaluationOpener {
  readonly #config: Config;
  readonly #options: OpenOptions;
  readonly #purpose: Purpose;
  /** Models whose rules take the same rows share them. */
  readonly #rows = new Map<string, Promise<TaskRows>>();
  readonly #closers: (() => Promise<void> | undefined)[] = [];

  constructor(config: Config, options: OpenOptions) {
    this.#config = config;
    this.#options = options;
    this.#purpose = options.purpose ?? 'run';
  }

  async open(): Promise<Evaluation[]> {
    const config = this.#config;
    const options = this.#options;
    const { known, askJudge, meter = (unmetered) => unmetered, signal } = options;
    const datasets = await chosen(config.datasets, options.datasets, 'dataset');
    const purpose = askJudge ? 'run' : this.#purpose;
    const judges = await openJudges(config, { purpose, known, meter, askJudge });
    this.#closers.push(judges.close);
    const opening: Opening = {
      ...{ config, options, purpose: this.#purpose, judges },
      id: randomUUID(),
      selectionOf: (dataset) => this.#selection(dataset),
      rowsOf: (dataset, model, scorer) => this.#rowsOf(dataset, model, scorer),
    };
    const evaluations: Evaluation[] = [];
    let problems: OpeningProblems | undefined;
    for (const modelConfig of await this.#models()) {
      signal?.throwIfAborted();
      const encode = modelConfig && (await encoderOf(config, modelConfig));
      const opened = await this.#openModel(datasets, { modelConfig, encode });
      const model = modelConfig ? meter(opened, modelConfig, encode) : opened;
      this.#closers.push(() => model.close());
      for (const dataset of datasets) {
        signal?.throwIfAborted();
        await openEvaluation({ modelConfig, model, dataset, encode }, opening).then(
          (evaluation) => evaluations.push(evaluation),
          async (error: unknown) => {
            const { OpeningProblems } = await import('./opening-problems.ts');
            problems ??= new OpeningProblems(config.written);
            problems.add(error);
          },
        );
      }
    }
    problems?.check();
    return evaluations;
  }

  async close(): Promise<void> {
    for (const rows of this.#rows.values()) {
      await rows.then(({ stream }) => stream.close?.()).catch(() => undefined);
    }
    this.#rows.clear();
    const closed = await Promise.allSettled(this.#closers.splice(0).map((close) => close()));
    const failed = closed.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Without a model prompts can be looked at, and nothing else. */
  async #models(): Promise<readonly (ModelConfig | undefined)[]> {
    const { models } = this.#config;
    const named = this.#options.models;
    if (this.#purpose === 'view' && models.length === 0 && !named) return [undefined];
    const asked = models.filter(({ abbr, judge }) => !judge || named?.includes(abbr));
    return chosen(asked, named, 'model');
  }

  /** A model that can be asked for all that the datasets need. */
  async #openModel(
    datasets: readonly DatasetConfig[],
    {
      modelConfig,
      encode,
    }: { readonly modelConfig: ModelConfig | undefined; readonly encode: Encode | undefined },
  ): Promise<Model> {
    const config = this.#config;
    const { known, signal } = this.#options;
    const asksLikelihood = await someNeedsLikelihood(datasets, modelConfig);
    if (asksLikelihood) {
      const { refuseMediaTexts } = await import('./media/refuse-media-texts.ts');
      refuseMediaTexts(datasets, compatOf(config, modelConfig));
    }
    return openModel(config, withKwargs(modelConfig), {
      purpose: this.#purpose,
      needsLikelihood: asksLikelihood,
      choosesExamples: datasets.some(choosesExamples),
      encode,
      identify: this.#purpose === 'plan' || known !== undefined,
      known: modelConfig && known?.get(modelConfig.abbr),
      signal,
    }).catch(async (error: unknown) => {
      const dataset = datasets.find(needsLikelihood);
      const named = ofModel(error, modelConfig);
      if (!dataset) throw named;
      const { withOffer } = await import('./opening-refusals.ts');
      const samples = async () => (await this.#rowsOf(dataset, modelConfig, undefined)).samples;
      throw await withOffer(named, { config, dataset, modelConfig, samples });
    });
  }

  #selection({ abbr }: DatasetConfig): Pick<RowSelection, 'ids' | 'limit' | 'where'> {
    const { limit, ids, where } = this.#options;
    return {
      ...(limit !== undefined && { limit }),
      ...(ids && { ids: new Set(ids instanceof Map ? ids.get(abbr) : (ids as Iterable<number>)) }),
      ...(where !== undefined && { where }),
    };
  }

  #rowsOf(
    dataset: DatasetConfig,
    model: ModelConfig | undefined,
    scorer: RowsScorer,
  ): Promise<TaskRows> {
    const compat = compatOf(this.#config, model);
    const key = `${compat} ${dataset.abbr}`;
    const selection = this.#selection(dataset);
    const hash = this.#purpose === 'run';
    const keepsHead = this.#rows.size < maxHeads;
    const options = { compat, selection, scorer, hash, keepsHead };
    const rows = this.#rows.get(key) ?? openTaskRows(this.#config, dataset, options);
    this.#rows.set(key, rows);
    return rows;
  }
}

/** The entries that are named; all of them where none is. */
async function chosen<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  names: readonly string[] | undefined,
  kind: 'model' | 'dataset',
): Promise<readonly Entry[]> {
  if (!names && entries.length > 0) return entries;
  return (await import('./choose-named.ts')).chooseNamed(entries, names, kind);
}

async function someNeedsLikelihood(
  datasets: readonly DatasetConfig[],
  model: ModelConfig | undefined,
): Promise<boolean> {
  for (const dataset of datasets) {
    const suite = await suiteDatasetsOf(dataset.type);
    if (suite ? suite.takesLoglikelihoods(dataset, model) : needsLikelihood(dataset)) return true;
  }
  return false;
}
