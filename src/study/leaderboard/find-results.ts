import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import { displayPath } from '../../base/display-path.ts';
import { readTextFile } from '../../base/files.ts';
import { DataError, TypecaseError } from '../../errors.ts';
import { readRun } from './read-run.ts';
import type { ModelResult } from './task-score.ts';

/** What a result file says of a model; nothing if it is no result file of this kind. */
export type ReadResult = (value: unknown, file: string) => ModelResult | undefined;

/** Reads results from files, from folders of files, and from folders of runs. */
export async function findResults(
  paths: readonly string[],
  readResult: ReadResult,
): Promise<ModelResult[]> {
  const results: ModelResult[] = [];
  for (const path of paths) results.push(...(await readPath(path, readResult)));
  return results;
}

async function readPath(path: string, readResult: ReadResult): Promise<ModelResult[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    throw new DataError('leaderboard.not_found', `File not found: ${path}`, {
      hint: 'Give result files of `typecase lm-eval`, folders of them, or run folders.',
    });
  }
  if (!found.isDirectory()) return [await readFileAt(path, readResult)];
  if (await stat(join(path, 'summary.json')).catch(() => undefined)) return readRun(path);
  const files = (await glob('**/*.json', { cwd: path, absolute: true })).sort();
  const results = await Promise.all(
    files.map(async (file) => readResult(await readJson(file), displayPath(file))),
  );
  if (results.some((result) => result !== undefined))
    return results.flatMap((result) => result ?? []);
  throw new DataError('leaderboard.no_results', `No results in ${path}`, {
    hint: 'A folder must contain JSON result files or be a finished run.',
  });
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readTextFile(file));
  } catch (cause) {
    if (TypecaseError.isInstance(cause)) throw cause;
    throw new DataError('leaderboard.bad_result', `${displayPath(file)} is not JSON`, { cause });
  }
}

async function readFileAt(file: string, readResult: ReadResult): Promise<ModelResult> {
  const place = displayPath(file);
  const result = readResult(await readJson(file), place);
  if (result) return result;
  throw new DataError('leaderboard.bad_result', `No lm-eval results in ${place}`, {
    hint: 'It should have `results` and `config`, as lm-eval and `typecase lm-eval` write them.',
  });
}
