import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import { entriesOf, getKey, isMapping, type Mapping } from '../prompt/mapping.ts';
import type { LoadedConfig } from './loaded-config.ts';
import type { TaskPlace } from './task-places.ts';

/** A config whose datasets name tasks, with what those tasks say in place of their names. */
export async function withTasks<Loaded extends LoadedConfig>(loaded: Loaded): Promise<Loaded> {
  const { value, folder } = loaded;
  const expanded: [unknown, unknown][] = [];
  const places: TaskPlace[] = [];
  let isChanged = false;
  for (const [key, list] of entriesOf(value)) {
    const isList = /(^|_)datasets$/.test(String(key)) && Array.isArray(list);
    if (!isList || !list.some(namesTask)) {
      expanded.push([key, list]);
      continue;
    }
    isChanged = true;
    const entries: unknown[] = [];
    for (const [index, entry] of list.entries()) {
      const path = [String(key), index];
      if (!namesTask(entry)) {
        entries.push(entry);
        continue;
      }
      const { dataset, version, task } = await expandTask(entry, { folder, path });
      entries.push(dataset);
      const { file, dataset: ofTask } = task;
      places.push({ path, task: file, version: version.written, hasReader: ofTask !== undefined });
    }
    expanded.push([key, entries]);
  }
  if (!isChanged) return loaded;
  const { locationsWithTasks } = await import('./task-places.ts');
  return {
    ...loaded,
    ...locationsWithTasks(loaded, places),
    withoutTasks: loaded,
    value: value instanceof Map ? new Map(expanded) : Object.fromEntries(expanded),
  };
}

function namesTask(entry: unknown): entry is Mapping {
  return isMapping(entry) && getKey(entry, 'task') !== undefined;
}

/** What the entry says itself comes before what the task says. */
async function expandTask(
  entry: Mapping,
  { folder, path }: { readonly folder: string; readonly path: ConfigPath },
) {
  const { findTask, versionOf } = await import('../tasks/find-task.ts');
  const own = Object.fromEntries(entriesOf(entry));
  const dialect = own.dialect === undefined ? undefined : String(own.dialect);
  const task = await findTask(String(own.task), { folder, dialect });
  const version = versionOf(task, own.version === undefined ? undefined : String(own.version));
  const { dataset } = task;
  if (!dataset && own.path === undefined && own.rows === undefined) throw noRows(task.task, path);
  if (typeof own.version_hash === 'string') {
    const { checkSameVersion } = await import('../tasks/version-stamp.ts');
    checkSameVersion({ ...version, hash: own.version_hash, place: 'config' }, version);
  }
  const inferCfg = mergeParts(dataset?.inferCfg, {
    prompt_template: version.promptTemplate,
    ice_template: version.iceTemplate,
    inferencer: version.inferencer,
    retriever: version.retriever && { type: 'ZeroRetriever', ...version.retriever },
  });
  // A text of one's own is no version of the task.
  const hasOwnText = ['prompt_template', 'ice_template'].some(
    (key) => isMapping(own.infer_cfg) && getKey(own.infer_cfg, key) !== undefined,
  );
  const expanded = {
    abbr: own.version === undefined ? (task.abbr ?? task.task) : `${task.task}-${version.version}`,
    ...(own.rows === undefined && dataset && { path: dataset.path }),
    ...(dataset?.evalCfg && { eval_cfg: dataset.evalCfg }),
    ...(task.type !== undefined && { type: task.type }),
    ...own,
    ...(dataset?.lmEval && { lm_eval: merge(dataset.lmEval, own.lm_eval) }),
    task: task.task,
    version: version.version,
    version_hash: hasOwnText ? undefined : version.hash,
    reader_cfg: merge(dataset?.readerCfg, own.reader_cfg),
    infer_cfg: mergeParts(inferCfg, own.infer_cfg),
  };
  return { dataset: expanded, task, version };
}

const mergedParts = ['inferencer', 'retriever'];

/** Templates are taken over as a whole; of inferencers and retrievers each setting. */
function mergeParts(base: object | undefined, own: unknown): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of isMapping(own) ? entriesOf(own) : []) {
    const name = String(key);
    const before = merged[name];
    if (value === undefined) continue;
    merged[name] =
      mergedParts.includes(name) && isMapping(before) && isMapping(value)
        ? merge(Object.fromEntries(entriesOf(before)), value)
        : value;
  }
  return merged;
}

function merge(base: object | undefined, own: unknown): object {
  return { ...base, ...(isMapping(own) && Object.fromEntries(entriesOf(own))) };
}

function noRows(task: string, path: ConfigPath): ConfigError {
  return new ConfigError(
    'task.no_rows',
    `${formatPath(path)}: the task \`${task}\` names no data files`,
    { path, hint: 'Give the task `path: { train: …, test: … }`, or the dataset its own `path`.' },
  );
}
