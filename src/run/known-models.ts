import { RunFileError } from '../errors.ts';
import type { KnownModel } from '../evaluation/open-model.ts';
import type { LikelihoodDialect } from '../model/endpoint-loglikelihood/dialect.ts';
import { readRunFile } from './store/run-file.ts';

/** What the run in a folder found out about its models; nothing where there is no run. */
export async function knownModels(folder: string): Promise<ReadonlyMap<string, KnownModel>> {
  const file = await readRunFile(folder).catch((error: unknown) => {
    if (error instanceof RunFileError) return undefined;
    throw error;
  });
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
