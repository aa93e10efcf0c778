import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { displayPath } from '../../../base/display-path.ts';
import { isFileMissing, readTextFile } from '../../../base/files.ts';
import { parseYaml } from '../../../config/yaml-source.ts';
import { ConfigError, TypecaseError } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import { indentQuoted } from './indent-quoted.ts';

/** What a YAML file of lm-evaluation-harness says, its includes put in. */
export type TaskYaml = Readonly<Record<string, unknown>>;

/** The tag of functions in Python, which stay texts such as `!function utils.process_docs`. */
export const functionTag = '!function';

/** As long as no task is; a file may be given as a task by mistake. */
const maxBytes = 2 ** 22;
const maxIncludes = 100;

export interface ReadTaskYaml {
  readonly value: TaskYaml;
  /** The file, and all that it includes. */
  readonly files: readonly string[];
}

/** Reads a task or a group with what it includes: later files win, and the file itself over all. */
export async function readTaskYaml(file: string): Promise<ReadTaskYaml> {
  const files: string[] = [];
  const value = await readOne(resolve(file), { files, from: undefined });
  return { value, files };
}

interface Reading {
  readonly files: string[];
  /** The file that includes this one. */
  readonly from: string | undefined;
}

async function readOne(file: string, { files, from }: Reading): Promise<TaskYaml> {
  if (files.includes(file)) throw includeProblem(file, from, 'it is already included');
  if (files.length >= maxIncludes) throw includeProblem(file, from, 'there are too many includes');
  files.push(file);
  const own = await readMapping(file, from);
  const { include, ...rest } = own;
  if (include === undefined) return own;
  const merged: Record<string, unknown> = {};
  for (const name of Array.isArray(include) ? include : [include]) {
    if (typeof name !== 'string') throw includeProblem(String(name), file, 'it is not a path');
    const path = isAbsolute(name) ? name : resolve(dirname(file), name);
    const { task_list: _, ...included } = await readOne(path, { files, from: file });
    Object.assign(merged, included);
  }
  return { ...merged, ...rest };
}

async function readMapping(file: string, from: string | undefined): Promise<TaskYaml> {
  const text = await readText(file, from);
  const value = pythonValue({ file, text });
  if (isMapping(value)) {
    return Object.fromEntries(entriesOf(value).map(([key, item]) => [String(key), item]));
  }
  throw new ConfigError('lm_eval.bad_task', `${displayPath(file)} does not contain a mapping`, {
    at: { file, line: 1, column: 1 },
    hint: 'A task has keys such as `task`, `dataset_path`, `doc_to_text` and `doc_to_target`.',
  });
}

/** What PyYAML makes of it, which lets texts in quotes go on at the first column. */
function pythonValue({ file, text }: { readonly file: string; readonly text: string }): unknown {
  const read = (written: string) =>
    parseYaml({ file, text: written }, { python: { tags: [functionTag] } }).value;
  try {
    return read(text);
  } catch (error) {
    const moved = indentQuoted(text);
    if (!TypecaseError.isInstance(error) || moved === text) throw error;
    try {
      return read(moved);
    } catch {
      throw error;
    }
  }
}

async function readText(file: string, from: string | undefined): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes) throw includeProblem(file, from, `it has ${size} bytes: it is not a task`);
    return (await readTextFile(file)).replace(/^\uFEFF/, '');
  } catch (error) {
    if (!isFileMissing(error)) throw error;
    throw includeProblem(file, from, 'there is no such file');
  }
}

function includeProblem(file: string, from: string | undefined, why: string): ConfigError {
  const by = from === undefined ? '' : `, which ${displayPath(from)} includes`;
  return new ConfigError('lm_eval.bad_include', `${displayPath(file)}${by}: ${why}`, {
    ...(from !== undefined && { at: { file: from, line: 1, column: 1 } }),
    hint: 'Paths in `include` are relative to the file they are in.',
  });
}
