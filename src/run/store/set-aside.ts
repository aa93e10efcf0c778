import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isFileMissing } from '../../base/files.ts';
import { RunFileError } from '../../errors.ts';
import { earlierFolder, namesIn, unfinished } from './earlier-folder.ts';
import type { IdSet } from './id-set.ts';
import { AppendLog } from './log-file.ts';
import { readRows } from './read-rows.ts';
import type { RowFiles } from './row-places.ts';
import type { RowRecord } from './row-record.ts';
import { readRunFile, writeRunFile } from './run-file.ts';
import { writeWhole, writing } from './write-whole.ts';

/** Answers that are not to count any more. */
export interface AsideItem extends RowFiles {
  /** Only those of these rows; left out: all. */
  readonly ids?: IdSet | undefined;
}

export interface AsideParts {
  readonly items: readonly AsideItem[];
  /** Folders of what models said beside their answers. */
  readonly folders: readonly string[];
}

/**
 * Makes ready to move answers to `earlier/N` in the folder of a run, where they are a run of their
 * own: the record and the summary of the run are copied there. Gives what moves the answers; until
 * that is through, `isSettingAside` is true.
 */
export async function openAside(folder: string): Promise<(parts: AsideParts) => Promise<void>> {
  const target = nextFolder(folder);
  const draft = `${target}${unfinished}`;
  await writing(draft, async () => {
    await mkdir(draft, { recursive: true });
    await copyRun(folder, draft);
  });
  return ({ items, folders }) =>
    writing(draft, async () => {
      for (const item of items) await moveLog(item, { folder, draft });
      for (const one of folders) await move(one, join(draft, relative(folder, one)));
      await rename(draft, target);
    });
}

/** The one that was begun, or the one after the last. */
function nextFolder(folder: string): string {
  const names = namesIn(folder);
  const begun = names.find((name) => name.endsWith(unfinished));
  const last = Math.max(0, ...names.map((name) => Number.parseInt(name, 10)));
  return join(folder, earlierFolder, String(begun ? Number.parseInt(begun, 10) : last + 1));
}

async function copyRun(folder: string, draft: string): Promise<void> {
  try {
    const { folderFromRun, ...file } = await readRunFile(folder);
    const start = folderFromRun === undefined ? undefined : resolve(folder, folderFromRun);
    await writeRunFile(
      { write: (name, text) => writeWhole(join(draft, name), text) },
      { ...file, ...(start !== undefined && { folderFromRun: relative(draft, start) }) },
    );
    await copyFile(join(folder, 'summary.json'), join(draft, 'summary.json'));
  } catch (error) {
    if (!(error instanceof RunFileError) && !isFileMissing(error)) throw error;
  }
}

async function moveLog(
  { logFile, indexFile, ids }: AsideItem,
  { folder, draft }: { readonly folder: string; readonly draft: string },
): Promise<void> {
  const aside = (file: string) => join(draft, relative(folder, file));
  if (!ids) {
    await move(indexFile, aside(indexFile));
    await move(logFile, aside(logFile));
  } else if (existsSync(logFile)) {
    const rest = await withoutRows(logFile, ids);
    await rm(indexFile, { force: true });
    await copyOnce(logFile, aside(logFile));
    await rename(rest, logFile);
  }
}

/** Writes a log without the lines of some rows, beside it. */
async function withoutRows(logFile: string, ids: IdSet): Promise<string> {
  const rest = `${logFile}.part`;
  const log = await AppendLog.open<RowRecord>(rest, 0);
  try {
    for await (const batch of readRows(logFile)) {
      for (const { record } of batch) if (!ids.has(record.id)) log.append(record);
    }
  } finally {
    await log.close();
  }
  return rest;
}

/** What was copied before the lines of its rows were gone stays. */
async function copyOnce(file: string, aside: string): Promise<void> {
  if (existsSync(aside)) return;
  await mkdir(dirname(aside), { recursive: true });
  await copyFile(file, `${aside}${unfinished}`, constants.COPYFILE_FICLONE);
  await rename(`${aside}${unfinished}`, aside);
}

async function move(file: string, aside: string): Promise<void> {
  if (!existsSync(file)) return;
  await mkdir(dirname(aside), { recursive: true });
  await rename(file, aside);
}
