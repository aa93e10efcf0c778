import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from '../errors.ts';
import type { OpenOptions } from '../evaluation/open-evaluations.ts';

/**
 * Works with what the run in a folder found out about its models, so that servers are asked about
 * nothing before they are needed; and once more without it, if a server has changed since.
 */
export async function withKnownModels<Result>(
  folder: string,
  work: (known: OpenOptions['known']) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(folder, 'run.json'))) return work(undefined);
  const { knownModels } = await import('../run/known-models.ts');
  const known = await knownModels(folder);
  try {
    return await work(known);
  } catch (error) {
    const isChanged = error instanceof ModelError && error.code === 'model.logprobs_changed';
    if (!isChanged) throw error;
    const names = Array.from(known, ([name, { model }]) => [name, { model }] as const);
    return work(new Map(names));
  }
}
