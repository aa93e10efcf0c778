import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError, RunFileError } from '../errors.ts';
import type { KnownModel } from '../evaluation/open-model.ts';
import type { LikelihoodDialect } from '../model/endpoint-loglikelihood/dialect.ts';
import { type RunFile, readRunFile } from './store/run-file.ts';

type KnownModels = ReadonlyMap<string, KnownModel>;

/**
 * Works with what the run in a folder found out about its models, so that servers are asked about
 * nothing before they are needed; and once more without it, if a server has changed since.
 */
export async function withKnownModels<Result>(
  folder: string,
  work: (known: KnownModels | undefined) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(folder, 'run.json'))) return work(undefined);
  const known = await knownModels(folder);
  try {
    return await work(known);
  } catch (error) {
    const isChanged = error instanceof ModelError && error.code === 'model.logprobs_changed';
    if (!isChanged) throw error;
    return work(new Map(Array.from(known, ([name, { model }]) => [name, { model }])));
  }
}

/** What the run in a folder found out about its models; nothing where there is no run. */
export async function knownModels(folder: string): Promise<KnownModels> {
  const file = await readRunFile(folder).catch((error: unknown) => {
    if (error instanceof RunFileError) return undefined;
    throw error;
  });
  return modelsKnownBy(file);
}

/** What the record of a run says of its models. */
export function modelsKnownBy(file: RunFile | undefined): ReadonlyMap<string, KnownModel> {
  return new Map(
    (file?.models ?? []).map(({ name, identity, facts }) => [
      name,
      {
        model: textOf(identity?.model),
        url: textOf(identity?.url),
        likelihood: facts?.likelihood as LikelihoodDialect | undefined,
      },
    ]),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
