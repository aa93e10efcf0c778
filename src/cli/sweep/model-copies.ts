import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { localFolder } from '../../config/local-folder.ts';
import type { Model } from '../../model/index.ts';
import { groupTasks } from '../../run/group-tasks.ts';
import { findLocalModel } from '../find-local-model.ts';
import type { BuiltModel } from '../run/build-tasks.ts';
import { openModel } from '../run/open-model.ts';
import type { OpenedRun } from '../run/open-run.ts';
import type { RunOptions } from '../run/run-options.ts';

/** Copies of larger weights would cost more memory than they save time. */
const mostBytes = 64 * 2 ** 20;

/**
 * Further copies of the local models that are small, up to one for each core: a small model alone does
 * not keep several cores busy. In the order of the models of the run.
 */
export async function openCopies(
  opened: OpenedRun,
  models: readonly BuiltModel[],
  options: RunOptions,
): Promise<(readonly Model[])[]> {
  const copies: (readonly Model[])[] = [];
  for (const [place, { tasks, maxConcurrency }] of models.entries()) {
    const config = opened.models[place];
    const isSmall = config?.type === 'Local' && (await bytesOf(opened, config)) <= mostBytes;
    const wanted = isSmall ? Math.min(availableParallelism(), groupTasks(tasks).length) - 1 : 0;
    const own: Model[] = [];
    for (let copy = 0; config && copy < wanted; copy += 1) {
      own.push(await openModel(opened, config, { options, encode: undefined, maxConcurrency }));
    }
    copies.push(own);
  }
  return copies;
}

async function bytesOf({ config }: OpenedRun, model: OpenedRun['models'][number]): Promise<number> {
  const { readModelFolder } = await import('../../model/local/model-folder.ts');
  const path = await findLocalModel(localFolder(config, model));
  return (await stat((await readModelFolder({ path })).weights)).size;
}

/** Divides the tasks of a model among it and its copies; tasks that take turns stay together. */
export function divideTasks(model: BuiltModel, copies: readonly Model[]): BuiltModel[] {
  const groups = groupTasks(model.tasks);
  const all = [model.model, ...copies];
  const size = Math.ceil(groups.length / all.length);
  return all
    .map((one, place) => ({
      ...model,
      model: one,
      tasks: groups.slice(place * size, (place + 1) * size).flat(),
    }))
    .filter(({ tasks }) => tasks.length > 0);
}
