import { basename, extname } from 'node:path';
import { entriesOf, isMapping, type Mapping } from '../../prompt/mapping.ts';
import { findTask } from '../../tasks/find-task.ts';
import type { VersionedTask } from '../../tasks/task-file.ts';

/** A dataset as a config writes it, and the task that it names. */
export interface DatasetEntry {
  readonly name: string;
  readonly own: Readonly<Record<string, unknown>>;
  readonly task?: VersionedTask | undefined;
}

export async function readEntry(entry: Mapping, folder: string): Promise<DatasetEntry> {
  const own = plainOf(entry);
  const dialect = own.dialect === undefined ? undefined : String(own.dialect);
  const task =
    own.task === undefined ? undefined : await findTask(String(own.task), { folder, dialect });
  const path = typeof own.path === 'string' ? basename(own.path, extname(own.path)) : undefined;
  const name = own.abbr ?? task?.abbr ?? task?.task ?? path ?? 'data';
  return { name: String(name), own, ...(task && { task }) };
}

/** A mapping with its keys as text; nothing becomes an empty one. */
export function plainOf(value: unknown): Record<string, unknown> {
  return isMapping(value)
    ? Object.fromEntries(entriesOf(value).map(([key, item]) => [String(key), item]))
    : {};
}

/** A setting of `reader_cfg`: that of the entry, or of its task. */
export function readerSetting({ own, task }: DatasetEntry, key: string): unknown {
  return plainOf(own.reader_cfg)[key] ?? task?.dataset?.readerCfg[key];
}

/** A setting of `eval_cfg`, likewise. */
export function evalSetting({ own, task }: DatasetEntry, key: string): unknown {
  return plainOf(own.eval_cfg)[key] ?? task?.dataset?.evalCfg?.[key];
}
