import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../base/files.ts';
import { nearestName } from '../base/nearest-name.ts';
import { tooDeep } from '../data/json-reader.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { TemplateConfig } from '../prompt/template.ts';
import type { Row } from '../prompt/values.ts';
import { fewValues } from '../schema/schema-problems.ts';
import { type TemplateVersion, templateHash } from './version-stamp.ts';

/** A task of one's own: named versions of its templates, and a row to show them by. */
export interface VersionedTask {
  readonly task: string;
  readonly summary: string | undefined;
  readonly versions: readonly OwnVersion[];
  /** The file that says what all its versions share; left out by suites and by folders of versions. */
  readonly file?: string | undefined;
  /** What its datasets are called, if not as the task. */
  readonly abbr?: string | undefined;
  /** The `type` of datasets that a suite opens by rules of its own. */
  readonly type?: string | undefined;
  /** Whether configs choose among several sets of rules that its texts are put together by. */
  readonly hasDialects?: boolean | undefined;
  /** What a dataset of a config has besides its templates; left out by tasks that are not run. */
  readonly dataset?: TaskDataset | undefined;
}

export interface TaskDataset {
  /** Files of rows by split, with whole paths. */
  readonly path: Readonly<Record<string, string>>;
  readonly readerCfg: Readonly<Record<string, unknown>>;
  readonly inferCfg: Readonly<Record<string, unknown>>;
  readonly evalCfg: Readonly<Record<string, unknown>> | undefined;
  /** How it is asked, of a task of lm-evaluation-harness. */
  readonly lmEval?: Readonly<Record<string, unknown>> | undefined;
}

export interface OwnVersion extends TemplateVersion {
  readonly promptTemplate: TemplateConfig | undefined;
  readonly iceTemplate: TemplateConfig | undefined;
  readonly outputColumn: string | undefined;
  readonly example: Row | undefined;
  readonly inferencer?: Readonly<Record<string, unknown>> | undefined;
  /** Where it is written; left out by suites. */
  readonly written?: WrittenVersion | undefined;
  /** What stands between examples and after them. */
  readonly retriever?: Readonly<Record<string, unknown>> | undefined;
}

/** The file of a version, and where it stands in it. */
export interface WrittenVersion {
  readonly file: string;
  readonly path: ConfigPath;
}

const mapping = z.record(z.string(), z.unknown(), { error: 'a mapping' });
const text = z.string({ error: 'a string' });

const versionShape = {
  reference: z.union([text, z.array(text)], { error: 'an address, or a list of them' }).optional(),
  models: text.optional(),
  remark: text.optional(),
  inferencer: mapping.optional(),
  retriever: mapping.optional(),
  prompt_template: mapping.optional(),
  ice_template: mapping.optional(),
  output_column: text.optional(),
  example: mapping.optional(),
};

const versionSchema = strict(versionShape).refine(
  (version) => version.prompt_template !== undefined || version.ice_template !== undefined,
  { error: 'a version with a `prompt_template`' },
);

const taskSchema = strict({
  task: text.optional(),
  summary: text.optional(),
  output_column: text.optional(),
  example: mapping.optional(),
  path: z.record(z.string(), text, { error: 'a mapping of splits to files' }).optional(),
  reader_cfg: mapping.optional(),
  infer_cfg: mapping.optional(),
  eval_cfg: mapping.optional(),
  versions: z.record(z.string(), versionSchema, { error: 'a mapping of names to versions' }),
});

type TaskContent = z.output<typeof taskSchema>;

/** Refuses other keys, with the ones that there are in the message. */
function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : 'a mapping',
  });
}

const extensions = ['.yaml', '.yml', '.json'];

/** Reads a task from a file with all its versions, or from a folder with one file for each. */
export async function readTaskFile(path: string): Promise<VersionedTask> {
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    throw new ConfigError('version.not_found', `File not found: ${path}`, {
      hint: 'Give a file with `versions`, or a folder with one file per version.',
    });
  }
  const isFolder = found.isDirectory();
  const { content, fileOf } = isFolder
    ? await readFolder(path)
    : { content: await readYaml(path), fileOf: () => undefined };
  const read = taskSchema.safeParse(content, fewValues);
  if (!read.success) throw problem(path, read.error);
  const task = read.data.task ?? nameOf(path);
  const versions = Object.entries(read.data.versions).map(([version, own]) =>
    ownVersion(read.data, {
      ...{ task, version, own },
      written: { file: fileOf(version) ?? path, path: isFolder ? [] : ['versions', version] },
    }),
  );
  const dataset = datasetOf(read.data, isFolder ? path : dirname(path));
  return {
    ...{ task, summary: read.data.summary, versions },
    ...(!isFolder && { file: path }),
    ...(dataset && { dataset }),
  };
}

function datasetOf(content: TaskContent, folder: string): TaskDataset | undefined {
  const { path, reader_cfg: readerCfg = {}, infer_cfg: inferCfg = {}, eval_cfg: evalCfg } = content;
  if (!path) return undefined;
  const files = Object.entries(path).map(([split, file]) => [split, resolve(folder, file)]);
  const outputColumn = content.output_column ?? null;
  return {
    path: Object.fromEntries(files),
    readerCfg: { output_column: outputColumn, ...readerCfg },
    inferCfg,
    evalCfg,
  };
}

/** A file `task.yaml` is named after its folder. */
function nameOf(path: string): string {
  const name = basename(path, extname(path));
  return name === 'task' ? basename(dirname(resolve(path))) : name;
}

async function readFolder(folder: string) {
  const files = (await readdir(folder)).filter((name) => extensions.includes(extname(name))).sort();
  const versions = await Promise.all(
    files.map(async (file) => [basename(file, extname(file)), await readYaml(join(folder, file))]),
  );
  return {
    content: { versions: Object.fromEntries(versions) },
    fileOf: (version: string) => {
      const file = files.find((name) => basename(name, extname(name)) === version);
      return file === undefined ? undefined : join(folder, file);
    },
  };
}

/** JSON is YAML too. Names such as 0.10 stay as they are written. */
async function readYaml(file: string): Promise<unknown> {
  try {
    const [{ parse }, { offsetOfDeepNesting }] = await Promise.all([
      import('yaml'),
      import('../data/yaml-nesting.ts'),
    ]);
    const text = await readTextFile(file);
    if (offsetOfDeepNesting(text) !== undefined) throw new Error(tooDeep);
    return parse(text, { stringKeys: true });
  } catch (cause) {
    throw new ConfigError(
      'version.bad_file',
      `${file} cannot be read: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

interface OwnParts {
  readonly task: string;
  readonly version: string;
  readonly own: TaskContent['versions'][string];
  readonly written: WrittenVersion;
}

function ownVersion(content: TaskContent, { task, version, own, written }: OwnParts): OwnVersion {
  const { prompt_template, ice_template, reference = [], models, remark } = own;
  return {
    ...{ task, version, models, remark, written },
    hash: templateHash({ prompt_template, ice_template }),
    reference: typeof reference === 'string' ? [reference] : reference,
    promptTemplate: prompt_template,
    iceTemplate: ice_template,
    inferencer: own.inferencer,
    retriever: own.retriever,
    outputColumn: own.output_column ?? content.output_column,
    example: own.example ?? content.example,
  };
}

function problem(file: string, { issues }: z.ZodError): ConfigError {
  const [issue] = issues;
  const place = formatPath((issue?.path ?? []).map((key) => (typeof key === 'symbol' ? '' : key)));
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const near = nearestName(key, issue.message.split(', '));
    return new ConfigError(
      'version.bad_file',
      `${file}: ${place === '' ? 'a task' : place} knows no \`${key}\``,
      { hint: `${near ? `Did you mean \`${near}\`? ` : ''}Keys: ${issue.message}.` },
    );
  }
  return new ConfigError(
    'version.bad_file',
    `${file}: ${place === '' ? 'the file' : place} should be ${issue?.message}`,
    { hint: 'A version has a `prompt_template`; see docs/reference/template-versions.md.' },
  );
}
