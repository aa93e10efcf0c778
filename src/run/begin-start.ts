import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type StartOptions, StartRecord } from './start-record.ts';
import { isSettingAside } from './store/earlier-folder.ts';
import type { RunFile } from './store/run-file.ts';
import type { RunFolder } from './store/run-folder.ts';
import type { AsideItem } from './store/set-aside.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';

export interface BeginOptions extends StartOptions {
  readonly evaluations: readonly StoredEvaluation[];
}

/**
 * Begins a start of a run: what sums up the one before is removed, and `run.json` says what is run.
 * If everything is to be asked again, the answers so far are set aside first. One that was ended
 * while it did so is made up for.
 */
export async function beginStart(
  folder: RunFolder,
  file: RunFile,
  { evaluations, ...options }: BeginOptions,
): Promise<StartRecord> {
  const isBegun = isSettingAside(folder.path);
  const fresh = options.fresh === true || isBegun;
  const folders = fresh ? keptFolders(folder.path, options) : [];
  const hasAnswers = folders.length > 0 || evaluations.some(({ logFile }) => existsSync(logFile));
  const aside = fresh && (hasAnswers || isBegun) ? await import('./store/set-aside.ts') : undefined;
  const moveAside = await aside?.openAside(folder.path);
  await folder.removeResults();
  const start = await StartRecord.begin(folder, file, { ...options, fresh });
  if (!moveAside) return start;
  const items: AsideItem[] = [];
  for (const { evaluation, logFile, indexFile } of evaluations) {
    const ids = options.isSelection ? await idsOf(evaluation) : undefined;
    items.push({ logFile, indexFile, ids });
  }
  await moveAside({ items, folders });
  return start;
}

/**
 * Where the folder of a run keeps what models and judges said beside the logs. Verdicts on other rows
 * than those that are asked again stay where they are.
 */
function keptFolders(folder: string, { isSelection }: StartOptions): string[] {
  const kept = ['loglikelihoods', ...(isSelection ? [] : ['verdicts'])];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => kept.map((part) => join(folder, name, part)))
    .filter((path) => existsSync(path));
}

async function idsOf({
  rows,
}: StoredEvaluation['evaluation']): Promise<NonNullable<AsideItem['ids']>> {
  const { IdSet } = await import('./store/id-set.ts');
  const ids = new IdSet();
  for await (const batch of rows.batches()) for (const { id } of batch) ids.add(Number(id));
  return ids;
}
