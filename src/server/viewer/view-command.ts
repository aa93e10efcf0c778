import { resolve } from 'node:path';
import { displayPath, exportedPath } from '../../base/display-path.ts';
import { namesConfig } from '../../config/flags.ts';
import { type NamedRow, quote } from '../../report/snapshot/snapshot.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import { optionsOf } from './control-run.ts';

/** Options that say what is asked; what else shapes requests, `--run` brings along. */
const sourceOptions = [
  ...['template', 'outputColumn', 'clusterBy', 'evaluator', 'shots', 'dataDir', 'dialect'],
  ...['model', 'modelName', 'apiKeyEnv', 'completions', 'metaTemplate'],
];

/** A row by its place among the rows of its dataset. */
interface PlacedRow extends NamedRow {
  readonly position: number;
}

interface Places {
  /** The folder of the run as others are told it; left out, where it stands on this machine. */
  readonly folder?: string | undefined;
  /** Where the run was started, and the command has to be. */
  readonly startedIn: string;
}

/** The command that shows what is sent for a row of a run; nothing where `view` cannot open it. */
export function viewCommand(
  { path, file: { command, settings } }: StoredRun,
  { model, dataset, position }: PlacedRow,
  { folder, startedIn }: Places,
): string | undefined {
  const { source } = settings;
  if (source === undefined || command !== 'run') return undefined;
  const kept = Object.entries(settings).filter(([name]) => sourceOptions.includes(name));
  const given = Object.fromEntries(kept);
  const isConfig = namesConfig({ ...given, source });
  // What options name may lie anywhere on this machine.
  if (folder !== undefined && !isConfig) return undefined;
  const options = isConfig ? ['--model', model, '--dataset', dataset] : optionsOf(given);
  const isHere = folder !== undefined || resolve(startedIn) === process.cwd();
  const run = folder ?? (isHere ? displayPath(path) : path);
  const shown = folder === undefined ? source : exportedPath(source);
  const words = ['view', shown, ...options, '--row', String(position), '--run', run];
  const start = isHere ? '' : `cd ${quote(startedIn)} && `;
  return `${start}typecase ${words.map(quote).join(' ')}`;
}
