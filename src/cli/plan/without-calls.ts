import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenedRun } from '../run/open-run.ts';

/**
 * The run with models that can be opened without asking anything: no key is read, and a model
 * without a name has the one that it had in the folder of the run.
 */
export async function withoutCalls(opened: OpenedRun, folder: string): Promise<OpenedRun> {
  const names = await recordedNames(folder);
  return {
    ...opened,
    mayAsk: false,
    models: opened.models.map((model) => ({
      ...model,
      model: model.model ?? model.path ?? names.get(model.abbr) ?? 'default',
      apiKeyEnv: undefined,
    })),
  };
}

interface RecordedRun {
  readonly models?: readonly {
    readonly name: string;
    readonly identity?: { readonly model?: unknown };
  }[];
}

async function recordedNames(folder: string): Promise<Map<string, string>> {
  // A folder without a readable record is a new one.
  const { models = [] } = await readFile(join(folder, 'run.json'), 'utf8')
    .then((text): RecordedRun => JSON.parse(text))
    .catch((): RecordedRun => ({}));
  return new Map(
    models.flatMap(({ name, identity }) =>
      typeof identity?.model === 'string' ? [[name, identity.model]] : [],
    ),
  );
}
