import { link, realpath, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, parseDocument, YAMLMap } from 'yaml';
import { displayPath } from '../../../base/display-path.ts';
import { readTextFile } from '../../../base/files.ts';
import { UsageError } from '../../../base/usage-error.ts';
import type { Config, DatasetConfig, ModelConfig } from '../../../config/config.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { toPlain } from '../../../prompt/mapping.ts';
import { quote } from '../../../report/snapshot/snapshot.ts';
import { packValue } from '../pack-row.ts';
import type { Saved } from './api.ts';
import { changeAt, type Edit, editedConfig, withKeys, withoutKeys } from './edited-config.ts';
import { mergedNode } from './merge-yaml.ts';
import { ownNode } from './own-node.ts';
import { yamlOf } from './template-source.ts';
import { readTemplates, type TemplateText, templateKeys } from './template-text.ts';
import type { BenchConfig } from './workbench.ts';

export interface SaveSettings extends Edit {
  /** The name of the new file, without its ending. */
  readonly name: string;
  readonly as: 'config' | 'template';
  /** The model whose format is another one. */
  readonly model?: string | undefined;
  /** A row that shows what the templates make, for files of templates. */
  readonly example?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes edited templates into a new file in the folder of the config. */
export async function saveTemplates(
  { config, overrides, cells }: BenchConfig,
  settings: SaveSettings,
): Promise<Saved> {
  if (cells && settings.as === 'config') throw notOneConfig();
  const edited = editedConfig(config, settings, overrides);
  const dataset = edited.datasets.find(({ abbr }) => abbr === settings.dataset);
  if (!dataset)
    throw new UsageError('config.unknown_dataset', `dataset ${settings.dataset} not found`);
  return settings.as === 'config'
    ? saveConfig(config, { settings, dataset })
    : saveTemplateFile(config, { settings, dataset });
}

function notOneConfig(): UsageError {
  return new UsageError(
    'workbench.no_config_file',
    'The config of a sweep has many templates, not this one alone',
    { hint: 'Save them as a template file, and list it in `sweep.templates`.' },
  );
}

interface SaveParts {
  readonly settings: SaveSettings;
  /** As it is with what was edited. */
  readonly dataset: DatasetConfig;
}

/** The config with other templates; the rest of its text stays as it is. */
async function saveConfig(config: Config, { settings, dataset }: SaveParts): Promise<Saved> {
  const { file } = config;
  const ending = file === undefined ? '' : extname(file).toLowerCase();
  if (file === undefined || !['.yaml', '.yml', '.json'].includes(ending)) {
    throw new UsageError(
      'workbench.no_config_file',
      file === undefined
        ? 'No config file has these templates'
        : `A config in ${ending} is a program and cannot be rewritten here`,
      { hint: 'Save them as a template file: a config can refer to it.' },
    );
  }
  const { path, name } = await newFile(config.folder, settings.name, ending);
  const model = config.models.find(({ abbr }) => abbr === settings.model);
  const changes = { settings, dataset, model, isJson: ending === '.json' };
  const text = changedText(await readTextFile(file), changes);
  const expected = expectedValue(config, changes);
  await writeNew(path, text, async (draft) => {
    const { written, datasets } = await loadConfig(draft);
    const found = datasets.find(({ abbr }) => abbr === settings.dataset);
    // Of templates the order of keys counts as well: it may be that of labels.
    const isSame =
      isDeepStrictEqual(written.value, expected) &&
      packValue(templatesOf(found)) === packValue(templatesOf(dataset));
    if (isSame) return;
    throw new UsageError(
      'workbench.not_saved',
      'The new config would not match what was edited, so nothing was written',
      { hint: 'Save the templates as a separate file, and refer to it in the config.' },
    );
  });
  return { file: name, command: `typecase run ${quote(displayPath(path))}` };
}

interface ChangedText extends SaveParts {
  readonly model: ModelConfig | undefined;
  readonly isJson: boolean;
}

function changedText(text: string, { settings, dataset, model, isJson }: ChangedText): string {
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { merge: true });
  const { source } = dataset;
  const infer = [...source, 'infer_cfg'];
  if (settings.templates) {
    const edited = editedNodes(settings.templates);
    ownNode(document, infer);
    if (!isMap(document.getIn(infer, true))) document.setIn(infer, document.createNode({}));
    for (const key of templateKeys) {
      const at = [...infer, key];
      const node = edited.get(key, true);
      ownNode(document, at);
      if (isNode(node)) document.setIn(at, mergedNode(document.getIn(at, true), node));
      else document.deleteIn(at);
    }
    document.deleteIn([...source, 'version_hash']);
  }
  if (settings.format !== undefined && model) {
    for (const key of ['meta_template', 'chat_template']) ownNode(document, [...model.source, key]);
    document.setIn([...model.source, 'meta_template'], settings.format);
    document.deleteIn([...model.source, 'chat_template']);
  }
  return isJson
    ? `${JSON.stringify(document.toJS(), null, 2)}\n`
    : document.toString({ lineWidth: 0 });
}

function templatesOf(dataset: DatasetConfig | undefined): unknown {
  const { promptTemplate, iceTemplate } = dataset?.inferCfg ?? {};
  return [promptTemplate?.config ?? null, iceTemplate?.config ?? null];
}

/** Templates as nodes, with the comments of those who edited them. */
function editedNodes(text: TemplateText): YAMLMap {
  const source = text.form === 'yaml' ? text.text : yamlOf(readTemplates(text).templates);
  const { contents } = parseDocument(source, { merge: true });
  return isMap(contents) ? contents : new YAMLMap();
}

/** What the new file has to say: all that the config said, with what was edited. */
function expectedValue(config: Config, { settings, model }: ChangedText): unknown {
  const { dataset, templates, format } = settings;
  const { value } = editedConfig(config, { dataset, templates }).written;
  if (format === undefined || !model) return value;
  return changeAt(value, model.source, (one) =>
    withKeys(withoutKeys(one, ['chat_template']), { meta_template: format }),
  );
}

/** A file of templates as `sweep` and `list templates` take it, and datasets as their task. */
async function saveTemplateFile(config: Config, { settings, dataset }: SaveParts): Promise<Saved> {
  const { path, name } = await newFile(config.folder, settings.name, '.yaml');
  const { promptTemplate, iceTemplate } = dataset.inferCfg;
  const content = {
    task: settings.name,
    ...(dataset.readerCfg.outputColumn !== undefined && {
      output_column: dataset.readerCfg.outputColumn,
    }),
    ...(settings.example && { example: toPlain(settings.example) }),
    versions: {
      [settings.name]: {
        ...(promptTemplate && { prompt_template: promptTemplate.config }),
        ...(iceTemplate && { ice_template: iceTemplate.config }),
      },
    },
  };
  await writeNew(path, yamlOf(content), async () => undefined);
  return { file: name, command: `typecase list templates ${quote(displayPath(path))}` };
}

const allowedName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;

/** The path of a file that is not there yet, in the folder of the config and nowhere else. */
async function newFile(folder: string, name: string, ending: string) {
  if (!allowedName.test(name) || name.endsWith('.')) {
    throw new UsageError('workbench.bad_name', `\`${name}\` is not a valid file name`, {
      hint: 'Use letters, digits, spaces, dots and dashes, without folders or an extension.',
    });
  }
  const file = name.toLowerCase().endsWith(ending) ? name : `${name}${ending}`;
  const path = join(await realpath(folder), file);
  return { path, name: relative(process.cwd(), path) || file };
}

/** Writes a file that must not be there yet: in full, checked, or not at all. */
async function writeNew(
  path: string,
  text: string,
  check: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(path, '..', `.${process.pid}-${Date.now()}.draft${extname(path)}`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await check(draft);
    // Unlike a rename, this fails where something stands already.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError('workbench.exists', `${displayPath(path)} already exists`, {
      hint: 'Choose another name: files are never overwritten.',
    });
  } finally {
    await rm(draft, { force: true });
  }
}
