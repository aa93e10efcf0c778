import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import { openRun, type StoredRun } from '../../run/store/open-run.ts';
import { runFiles } from '../../run/store/run-folder.ts';

/** One of the two runs, with the tasks of it that are to be compared. */
export interface RunSide {
  /** The folder as it was named: pages may be passed on, and say no more of this machine. */
  readonly shown: string;
  readonly run: StoredRun;
  readonly tasks: readonly SideEvaluation[];
}

/** The log of one model on one dataset. */
export interface SideEvaluation {
  readonly model: string;
  readonly dataset: string;
  readonly logFile: string;
  readonly indexFile: string;
}

export interface SideSelection {
  /** A folder, perhaps with `:` and the model, the dataset, or both. */
  readonly argument: string;
  /** What it is called; left out: as its folder is named. */
  readonly shown?: string | undefined;
  readonly model?: string | undefined;
}

export async function openSide(selection: SideSelection): Promise<RunSide> {
  const { argument, model } = selection;
  const { shown: named, name } = splitArgument(argument);
  const { shown = named } = selection;
  const folder = resolve(named);
  const run = await openRun(folder);
  const all = answeredTasks(run);
  if (all.length === 0) {
    throw new UsageError('compare.no_answers', `${displayPath(folder)} has no answers`, {
      hint: 'Run `typecase run` first.',
    });
  }
  const ofModel = model === undefined ? all : all.filter((task) => task.model === model);
  if (model !== undefined && ofModel.length === 0) {
    const names = [...new Set(all.map((task) => task.model))];
    throw unknownName(model, { kind: 'model', names, folder });
  }
  const tasks = name === undefined ? ofModel : ofModel.filter((task) => isNamed(task, name));
  if (name === undefined || tasks.length > 0) return { shown, run, tasks };
  throw unknownName(name, { kind: 'task', names: ofModel.map(taskName), folder });
}

/** The folder that an argument names. */
export function folderOfSide(argument: string): string {
  return resolve(splitArgument(argument).shown);
}

export function taskName({ model, dataset }: Pick<SideEvaluation, 'model' | 'dataset'>): string {
  return `${model}/${dataset}`;
}

function isNamed(task: SideEvaluation, name: string): boolean {
  return [task.model, task.dataset, taskName(task)].includes(name);
}

/** Paths may hold colons; what is before the first that ends the name of a run is the folder. */
function splitArgument(argument: string): { readonly shown: string; readonly name?: string } {
  const isRun = (path: string) => existsSync(join(path, 'run.json'));
  if (isRun(argument)) return { shown: argument };
  for (let place = argument.indexOf(':'); place >= 0; place = argument.indexOf(':', place + 1)) {
    const shown = argument.slice(0, place);
    if (isRun(shown)) return { shown, name: argument.slice(place + 1) };
  }
  return { shown: argument };
}

function answeredTasks({ path, evaluations }: StoredRun): SideEvaluation[] {
  const { logFile, indexFile } = runFiles(path);
  return evaluations.map(({ model, dataset }) => ({
    model,
    dataset,
    logFile: logFile(model, dataset),
    indexFile: indexFile(model, dataset),
  }));
}

function unknownName(
  name: string,
  {
    kind,
    names,
    folder,
  }: { readonly kind: string; readonly names: readonly string[]; readonly folder: string },
): UsageError {
  return new UsageError('usage.unknown_name', `${displayPath(folder)} has no ${kind} \`${name}\``, {
    hint: hintForName(name, { names, kind: kind === 'model' ? 'Models' : 'Tasks' }),
  });
}
