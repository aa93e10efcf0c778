import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import { holdsResults, mismatches, type OpenedResults, openResults } from './open-results.ts';

/** What a command was told to look at: a run, or results of another harness opened as one for as long as it takes. */
export interface OpenedArgument {
  /** The folder of the run, with `:` and what was named of it. */
  readonly argument: string;
  /** What it is called. */
  readonly shown: string;
  /** Where rows do not come to the number that is recorded. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens results of another harness; everything else is as it is. One model is chosen where there are several. */
export async function openArgument(argument: string, model?: string): Promise<OpenedArgument> {
  const { path, name } = splitArgument(argument);
  const asIs = { argument, shown: path, problems: [], close: async () => undefined };
  if (!isForeign(path)) return asIs;
  const root = mkdtempSync(join(tmpdir(), 'typecase-results-'));
  const close = () => rm(root, { recursive: true, force: true });
  try {
    const opened = await openResults(path, join(root, 'run'));
    const { folder, rest } = chooseModel(opened, { name, model, path });
    const suffix = rest === undefined ? '' : `:${rest}`;
    return { argument: `${folder}${suffix}`, shown: path, problems: mismatches(opened), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Folders of runs, some of which may be there for as long as they are looked at. */
export interface OpenedRuns {
  readonly folders: readonly string[];
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Paths as they are, but for results of other harnesses: the runs that these were opened as. Results of
 * lm-evaluation-harness may be read as they are.
 */
export async function openRuns(
  paths: readonly string[],
  isReadAsIs?: (path: string) => Promise<boolean>,
): Promise<OpenedRuns> {
  const root = mkdtempSync(join(tmpdir(), 'typecase-results-'));
  const close = () => rm(root, { recursive: true, force: true });
  const folders: string[] = [];
  const problems: string[] = [];
  try {
    for (const [index, path] of paths.entries()) {
      const isOther = isForeign(path, 'lm-evaluation-harness');
      if (!isOther && (!isForeign(path) || (await isReadAsIs?.(path)))) {
        folders.push(path);
        continue;
      }
      const name = basename(resolve(path), extname(path));
      const opened = await openResults(path, join(root, String(index), name));
      folders.push(...opened.map(({ folder }) => folder));
      problems.push(...mismatches(opened));
    }
    return { folders, problems, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a path holds results of another harness, and no runs. */
export function isForeign(path: string, except?: string): boolean {
  if (!existsSync(path)) return false;
  const stats = statSync(path);
  if (!stats.isFile() && !stats.isDirectory()) return false;
  return !holdsRuns(path, 2) && holdsResults(path, except);
}

function holdsRuns(path: string, depth: number): boolean {
  if (!statSync(path).isDirectory()) return false;
  if (existsSync(join(path, 'run.json'))) return true;
  if (depth === 0) return false;
  return readdirSync(path, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && holdsRuns(join(path, entry.name), depth - 1),
  );
}

function splitArgument(argument: string): { readonly path: string; readonly name?: string } {
  if (existsSync(argument)) return { path: argument };
  for (let place = argument.indexOf(':'); place >= 0; place = argument.indexOf(':', place + 1)) {
    const path = argument.slice(0, place);
    if (existsSync(path)) return { path, name: argument.slice(place + 1) };
  }
  return { path: argument };
}

interface Choice {
  readonly name: string | undefined;
  readonly model: string | undefined;
  readonly path: string;
}

function chooseModel(
  opened: readonly OpenedResults[],
  { name, model, path }: Choice,
): { readonly folder: string; readonly rest?: string | undefined } {
  const [only] = opened;
  if (only && opened.length === 1) return { folder: only.folder, rest: name };
  const wanted = model ?? name;
  const named = opened.filter(({ evaluations }) =>
    evaluations.some(
      (one) =>
        one.name === wanted || `${one.name}/${one.dataset}` === wanted || one.model === wanted,
    ),
  );
  const [found] = named;
  if (found && named.length === 1) return { folder: found.folder, rest: name };
  const names = opened.flatMap(({ evaluations }) => evaluations[0]?.name ?? []);
  throw new UsageError(
    'results.several_models',
    `${displayPath(path)} has results of ${opened.length} models`,
    {
      hint:
        wanted === undefined
          ? `Choose one of them: ${displayPath(path)}:${names[0] ?? 'MODEL'}. Models: ${names.join(', ')}.`
          : hintForName(wanted, { names, kind: 'Models' }),
    },
  );
}
