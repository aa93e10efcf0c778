import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { standAlonePage } from '../../../api/stand-alone-page.ts';
import { displayPath } from '../../../base/display-path.ts';
import { isFileMissing } from '../../../base/files.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { writeWhole, writing } from '../../../run/store/write-whole.ts';
import { ServedRuns } from '../served-runs.ts';
import { type ExportOptions, exportRuns } from './export-runs.ts';
import { SiteShelf } from './shelf.ts';

export interface ReportOptions extends Omit<ExportOptions, 'opensAll'> {
  /** The file to write; `report.html` in the folder of a single run, or else where you are. */
  readonly file?: string | undefined;
  /** A folder to make a site in, in place of one file. */
  readonly site?: string | undefined;
}

/** What was written, and how many rows it holds of how many. */
export interface WrittenReport {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  readonly of: number;
}

/**
 * Writes runs as the viewer shows them: as one page that works without a server, or as a site that
 * any web server can show.
 *
 * @example
 * await writeReport(['runs/tour'], { file: 'tour.html' });
 * // { file: 'tour.html', bytes: 415233, rows: 40, of: 40 }
 */
export async function writeReport(
  folders: readonly string[],
  { file, site, ...options }: ReportOptions = {},
): Promise<WrittenReport> {
  const served = new ServedRuns(folders);
  const target =
    site === undefined ? await fileOf(served, file) : join(resolve(site), 'index.html');
  if (site !== undefined) await clearSite(resolve(site));
  const shelf = site === undefined ? undefined : new SiteShelf(resolve(site));
  const { snapshot, text } = await exportRuns(served, { ...options, opensAll: true }, shelf);
  const page = await standAlonePage(snapshot, text);
  await writeWhole(target, page);
  const { evaluations } = snapshot;
  return {
    file: target,
    bytes: Buffer.byteLength(page),
    rows: evaluations.flatMap(({ pieces }) => pieces).reduce((sum, rows) => sum + rows, 0),
    of: evaluations.reduce((sum, { total }) => sum + total, 0),
  };
}

async function fileOf(served: ServedRuns, file: string | undefined): Promise<string> {
  if (file !== undefined) return resolve(file);
  const found = await served.list();
  return resolve(found.length === 1 ? (found[0]?.path ?? '.') : '.', 'report.html');
}

/** A folder that is new, empty, or an earlier site; nothing else is written over. */
async function clearSite(folder: string): Promise<void> {
  await writing(folder, () => mkdir(folder, { recursive: true }));
  const names = await readdir(folder);
  if (names.length === 0) return;
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch((error) => {
    if (isFileMissing(error)) return '';
    throw error;
  });
  if (!page.includes('id="snapshot"')) {
    throw new UsageError('report.not_empty', `${displayPath(folder)} contains other files`, {
      hint: 'Use a new or empty folder, or one with an earlier site.',
    });
  }
  await rm(join(folder, 'data'), { recursive: true, force: true });
}
