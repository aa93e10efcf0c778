import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Config, ModelConfig } from '../config/config.ts';
import { localFolder } from '../config/local-folder.ts';
import { findLocalModel } from '../evaluation/find-local-model.ts';
import { openModel, withKwargs } from '../evaluation/open-model.ts';
import type { Model } from '../model/model.ts';
import type { ModelWork } from '../run/execute.ts';
import { groupTurns } from '../run/stored-evaluation.ts';

/** Copies of larger weights would cost more memory than they save time. */
const maxBytes = 64 * 2 ** 20;

/** Further copies of models. */
export interface ModelCopies {
  readonly of: (model: Model) => readonly Model[];
  readonly close: () => Promise<void>;
}

/**
 * Opens further copies of the local models that are small, up to one for each core: a small model
 * alone does not keep several cores busy.
 */
export async function openCopies(config: Config, work: readonly ModelWork[]): Promise<ModelCopies> {
  const copies = new Map<Model, Model[]>();
  const close = async () => {
    for (const copy of [...copies.values()].flat()) await copy.close();
  };
  try {
    for (const { model, evaluations } of work) {
      const own: Model[] = [];
      copies.set(model, own);
      const modelConfig = evaluations[0]?.evaluation.modelConfig;
      const isSmall =
        modelConfig?.type === 'Local' && (await bytesOf(config, modelConfig)) <= maxBytes;
      if (!isSmall) continue;
      const count = Math.min(availableParallelism(), turnsOf(evaluations).length);
      while (own.length < count - 1) own.push(await openCopy(config, modelConfig));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { of: (model) => copies.get(model) ?? [], close };
}

function openCopy(config: Config, model: ModelConfig): Promise<Model> {
  return openModel(config, withKwargs(model), {
    purpose: 'run',
    needsLikelihood: false,
    choosesExamples: false,
    encode: undefined,
  });
}

async function bytesOf(config: Config, model: ModelConfig): Promise<number> {
  const { readModelFolder } = await import('../model/local/model-folder.ts');
  const path = await findLocalModel(localFolder(config, model));
  return (await stat((await readModelFolder({ path })).weights)).size;
}

/** Divides the work of a model among it and its copies; evaluations that take turns stay together. */
export function divideWork(
  { model, evaluations }: ModelWork,
  copies: readonly Model[],
): ModelWork[] {
  const groups = turnsOf(evaluations);
  const all = [model, ...copies];
  const size = Math.ceil(groups.length / all.length);
  return all
    .map((one, index) => ({
      model: one,
      evaluations: groups.slice(index * size, (index + 1) * size).flat(),
    }))
    .filter((work) => work.evaluations.length > 0);
}

function turnsOf(evaluations: ModelWork['evaluations']) {
  return groupTurns(evaluations, (stored) => stored);
}
