import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { contentHash } from '../../base/content-hash.ts';
import { ConfigError } from '../../errors.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { TaskSource } from '../../tasks/sources.ts';
import type { VersionedTask } from '../../tasks/task-file.ts';
import { datasetType } from './index.ts';
import { shownTemplate, spellDataset } from './spell-dataset.ts';
import { readTaskYaml, type TaskYaml } from './tasks/read-task-yaml.ts';
import { parseTask } from './tasks/task-config.ts';

/** Tasks of lm-evaluation-harness as `task:` names them, by the paths of their YAML files. */
export const taskSource: TaskSource = {
  names: [],
  async find(name, { folder }) {
    const file = resolve(folder, name);
    if (!/\.ya?ml$/.test(name) || !existsSync(file)) return undefined;
    const value = await readIfOurs(file);
    if (!value) return undefined;
    if (value.group !== undefined) throw isGroup(name);
    return versionedTask(value, file);
  },
};

/** Keys that say that a file is a task of the harness, and no task file of ours. */
const telling = ['output_type', 'doc_to_text', 'doc_to_target', 'dataset_path', 'include', 'group'];

async function readIfOurs(file: string): Promise<TaskYaml | undefined> {
  const { readTextFile } = await import('../../base/files.ts');
  const text = await readTextFile(file);
  const pattern = new RegExp(`^(?:${telling.join('|')})\\s*:`, 'm');
  if (!pattern.test(text) || /^versions\s*:/m.test(text)) return undefined;
  return (await readTaskYaml(file)).value;
}

function versionedTask(yaml: TaskYaml, file: string): VersionedTask {
  const task = parseTask(yaml, file);
  const { path, reader_cfg, infer_cfg, lm_eval } = spellDataset(yaml, {
    file,
    folder: dirname(file),
  });
  return {
    task: task.name,
    summary: undefined,
    type: datasetType,
    versions: [
      {
        task: task.name,
        version: task.version,
        hash: contentHash(toPlain(yaml)),
        reference: [],
        promptTemplate: { template: shownTemplate(yaml) },
        iceTemplate: undefined,
        outputColumn: undefined,
        example: undefined,
      },
    ],
    dataset: {
      path,
      readerCfg: reader_cfg,
      inferCfg: infer_cfg,
      evalCfg: undefined,
      lmEval: lm_eval,
    },
  };
}

function isGroup(name: string): ConfigError {
  return new ConfigError('lm_eval.is_group', `${name} is a group of tasks`, {
    hint: 'List its tasks one by one; `typecase lm-eval --tasks` accepts groups.',
  });
}
