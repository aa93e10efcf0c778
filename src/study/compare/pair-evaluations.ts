import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type RunSide, type SideEvaluation, taskName } from './run-side.ts';

/** A task of A and the task of B that it is held against. */
export interface EvaluationPair {
  readonly name: string;
  readonly a: SideEvaluation;
  readonly b: SideEvaluation;
}

export interface ChosenTasks {
  readonly pairs: readonly EvaluationPair[];
  /** Tasks that only one of the runs has. */
  readonly single: {
    readonly a: readonly SideEvaluation[];
    readonly b: readonly SideEvaluation[];
  };
}

/**
 * Finds what belongs together: the same model on the same dataset; or the same dataset, if each
 * run has one model; or the only task of each.
 */
export function chooseTasks(a: RunSide, b: RunSide): ChosenTasks {
  const found = a.tasks.flatMap((task) => {
    const other = partnerOf(task, { a, b });
    return other ? [{ a: task, b: other }] : [];
  });
  if (found.length === 0) throw noCommonTasks(a, b);
  if (found.every((pair) => pair.a.logFile === pair.b.logFile)) throw sameTasks(a);
  const models = new Set(found.map((pair) => `${pair.a.model}\0${pair.b.model}`)).size;
  const others = (side: 'a' | 'b', { tasks }: RunSide) =>
    tasks.filter((task) => !found.some((pair) => pair[side] === task));
  return {
    pairs: found.map((pair) => ({ ...pair, name: nameOf(pair, models > 1) })),
    single: { a: others('a', a), b: others('b', b) },
  };
}

interface Sides {
  readonly a: RunSide;
  readonly b: RunSide;
}

function partnerOf(task: SideEvaluation, { a, b }: Sides): SideEvaluation | undefined {
  if (a.tasks.length === 1 && b.tasks.length === 1) return b.tasks[0];
  const haveOneModel = [a, b].every(
    ({ tasks }) => new Set(tasks.map(({ model }) => model)).size === 1,
  );
  return b.tasks.find(
    (other) => other.dataset === task.dataset && (haveOneModel || other.model === task.model),
  );
}

function nameOf({ a, b }: Pick<EvaluationPair, 'a' | 'b'>, hasModels: boolean): string {
  const dataset = a.dataset === b.dataset ? a.dataset : `${a.dataset} / ${b.dataset}`;
  if (!hasModels) return dataset;
  return a.model === b.model ? `${a.model} on ${dataset}` : `${a.model} / ${b.model} on ${dataset}`;
}

function noCommonTasks(a: RunSide, b: RunSide): UsageError {
  const list = ({ run, tasks }: RunSide) =>
    `${displayPath(run.path)} has ${tasks.map(taskName).join(', ')}`;
  return new UsageError('compare.no_common_tasks', 'The runs have no task in common', {
    hint: `${list(a)}; ${list(b)}. Choose one of each: FOLDER:model/dataset.`,
  });
}

function sameTasks({ run, tasks }: RunSide): UsageError {
  const models = [...new Set(tasks.map(({ model }) => model))];
  return new UsageError('compare.same_run', 'A and B are the same', {
    hint:
      models.length > 1
        ? `Choose two models of ${displayPath(run.path)}: --models ${models.slice(0, 2).join(',')}.`
        : 'Give two runs.',
  });
}
