import { basename, extname, join } from 'node:path';
import { unsafeRun } from '../base/format.ts';
import type { Config } from './config.ts';

/** What a model does in a run unless its config says otherwise. */
export const modelDefaults = { batchSize: 64, timeout: 600, retries: 5, stream: false } as const;

/** Folder of the runs, relative to where the command is started. */
export const defaultWorkDir = 'runs';

/**
 * Where a run goes that nobody named a folder for: beside the others, with the name of the config
 * file. A config without a file has the name given, or that of its first dataset.
 */
export function defaultRunFolder(
  { workDir = defaultWorkDir, file, name: own, datasets }: Partial<Config>,
  { name = own, suffix = '' }: { readonly name?: string; readonly suffix?: string } = {},
): string {
  const shown = file === undefined ? (name ?? datasets?.[0]?.abbr ?? 'run') : nameOfSource(file);
  return join(workDir, `${shown}${suffix}`.replace(forbiddenInNames, '-'));
}

/** What a file name may not hold, or end in, on one system or another. */
const forbiddenInNames = new RegExp(`[<>:"/\\\\|?*]|${unsafeRun.source}|[. ]+$`, 'gu');

/** The name of a file or address, without what may be secret in an address. */
export function nameOfSource(source: string): string {
  const path = /^https?:/i.test(source) && URL.canParse(source) ? new URL(source).pathname : source;
  return basename(path, extname(path));
}

/** About 25 days. A timer for longer would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;
