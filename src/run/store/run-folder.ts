import { hash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from './lock.ts';
import { checkRunFormat, runFileName } from './run-file.ts';
import { writeWhole, writing } from './write-whole.ts';

/** The files that sum a run up. */
export const resultFiles = [
  'report.html',
  'junit.xml',
  'summary.md',
  'summary.csv',
  'summary.json',
] as const;

/** What people wrote about rows. */
export const notesFileName = 'notes.jsonl';

/** The name of the run in queues. */
export const queueFileName = '.queue';

/** The batches that were sent. */
export const batchFileName = 'batches.jsonl';

/** How a run in progress is getting on, for those who look at it. */
export const progressFileName = 'progress.json';

/** The files of a run. */
export interface RunFolder {
  readonly path: string;
  readonly logFile: (model: string, dataset: string) => string;
  readonly indexFile: (model: string, dataset: string) => string;
  readonly write: (name: string, text: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Removes what sums an earlier run up, so that it does not pass for the result of this one. */
  readonly removeResults: () => Promise<void>;
  readonly unlock: () => Promise<void>;
}

/** Opens the folder of a run for writing; one process at a time. */
export async function openRunFolder(path: string): Promise<RunFolder> {
  const unlock = await writing(path, async () => {
    await mkdir(path, { recursive: true });
    return lockFolder(path);
  });
  try {
    await checkRunFormat(path);
  } catch (error) {
    await unlock();
    throw error;
  }
  const remove = (name: string) => rm(join(path, name), { force: true });
  return {
    ...runFiles(path),
    write: (name, text) => writeWhole(join(path, name), text),
    remove,
    removeResults: async () => {
      for (const name of resultFiles) await remove(name);
    },
    unlock,
  };
}

export function runFiles(path: string): Pick<RunFolder, 'path' | 'logFile' | 'indexFile'> {
  const file = (model: string, dataset: string) =>
    join(path, modelFolder(model), fileName(dataset));
  return {
    path,
    logFile: (model, dataset) => `${file(model, dataset)}.jsonl`,
    indexFile: (model, dataset) => `${file(model, dataset)}.index`,
  };
}

/** The files of one evaluation. */
export function rowFiles(
  path: string,
  model: string,
  dataset: string,
): { readonly logFile: string; readonly indexFile: string } {
  const { logFile, indexFile } = runFiles(path);
  return { logFile: logFile(model, dataset), indexFile: indexFile(model, dataset) };
}

/** Names of files that may stand beside the folders of models. */
const ownNames = new RegExp(
  `^(?:\\.lock|${[queueFileName, batchFileName, runFileName, notesFileName, progressFileName, ...resultFiles].map((name) => name.replace('.', '\\.')).join('|')})(?:\\.|$)`,
);

/** The folder of a model in that of a run. */
export function modelFolder(model: string): string {
  const name = fileName(model);
  return ownNames.test(name) ? `${escaped(name.charAt(0))}${name.slice(1)}` : name;
}

/** Systems take names of up to 255 bytes. The rest is for endings. */
const maxNameBytes = 240;
const keptNameBytes = 200;

/** A name that is a file name on every system, and different for different names. */
export function fileName(name: string): string {
  const file = name.replace(
    /[^\p{L}\p{N}._-]|^\.+$/gu,
    ([first = '', ...rest]) => `${escaped(first)}${rest.join('')}`,
  );
  if (Buffer.byteLength(file) <= maxNameBytes) return file;
  // No short name has this mark: it would be escaped.
  return `${firstBytes(file, keptNameBytes)}~${hash('sha256', name, 'hex').slice(0, 16)}`;
}

function escaped(character: string): string {
  return `%${character.codePointAt(0)?.toString(16)}`;
}

/** As many whole characters as have so many bytes. */
function firstBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
