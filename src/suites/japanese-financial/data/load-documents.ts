import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash } from '../../../base/content-hash.ts';
import { packageFolder } from '../../../base/package-folder.ts';
import { DataError } from '../../../errors.ts';
import type { Task } from '../templates/task-names.ts';
import { readDocuments, type TaskDocument } from './documents.ts';
import { chabsaFiles, rowsOfAuditSheet, rowsOfChabsa, rowsOfJson } from './upstream-rows.ts';

/** The documents of a task, and where they come from. */
export interface TaskData {
  readonly file: string;
  readonly documents: readonly TaskDocument[];
  /** Equal for equal documents in equal order. */
  readonly hash: string;
  /** Whether it is the small set that comes with Typecase. */
  readonly isSynthetic: boolean;
}

const original = 'https://github.com/pfnet-research/japanese-lm-fin-harness';

/** Names that data goes by, in the order in which they are looked for, and where to get it. */
const sources: Readonly<Record<Task, { files: readonly string[]; from: string }>> = {
  chabsa: {
    files: [
      ...['chABSA.json', 'chabsa.json', 'chabsa/data.json', 'chABSA-dataset', 'chABSA-dataset.zip'],
      ...['chabsa/chABSA-dataset', 'chabsa/chABSA-dataset.zip'],
    ],
    from: 'chABSA-dataset.zip from https://github.com/chakki-works/chABSA-dataset (CC BY 4.0)',
  },
  cma_basics: examFiles('cma_basics'),
  cpa_audit: {
    files: [
      ...['cpa_audit.json', 'cpa_audit/data.json', 'CPA_AUDIT.xlsx', 'cpa/CPA_AUDIT.xlsx'],
      ...['cpa_audit/CPA_AUDIT.xlsx', 'jlm_fin_eval/datasets/cpa/CPA_AUDIT.xlsx'],
    ],
    from: `jlm_fin_eval/datasets/cpa/CPA_AUDIT.xlsx from ${original}`,
  },
  fp2: examFiles('fp2'),
  security_sales_1: examFiles('security_sales_1'),
};

function examFiles(task: string) {
  const upstream = `jlm_fin_eval/datasets/${task}/data.json`;
  return {
    files: [`${task}.json`, `${task}/data.json`, upstream],
    from: `${upstream} from ${original}`,
  };
}

/** Reads the documents of a task from a folder, or the small set that comes with Typecase. */
export async function loadDocuments(task: Task, folder?: string): Promise<TaskData> {
  const file = await findData(task, folder ?? packageFolder('tasks', 'japanese-financial', 'data'));
  const documents = readDocuments(await readRows(file), { task, file });
  if (documents.length === 0) {
    throw new DataError('task.no_data', `${file} contains no documents`, { hint: getting(task) });
  }
  const hash = contentHash(documents).slice(0, 12);
  return { file, documents, hash, isSynthetic: folder === undefined };
}

async function findData(task: Task, folder: string): Promise<string> {
  const { files } = sources[task];
  for (const name of files) {
    const path = join(folder, name);
    if (await stat(path).catch(() => undefined)) return path;
  }
  throw new DataError('task.no_data', `no data of \`${task}\` found in ${folder}`, {
    hint: `${getting(task)} Expected file names: ${files.join(', ')}.`,
  });
}

function getting(task: Task): string {
  return `Get ${sources[task].from}.`;
}

async function readRows(file: string): Promise<readonly unknown[]> {
  if ((await stat(file)).isDirectory()) {
    const names = (await readdir(file)).filter((name) => /^[^.].*\.json$/.test(name));
    return rowsOfChabsa(
      await Promise.all(
        names.map(async (name) => ({ name, text: await readFile(join(file, name), 'utf8') })),
      ),
    );
  }
  const content = await readFile(file);
  if (file.endsWith('.zip')) return rowsOfChabsa(chabsaFiles(content, file));
  if (file.endsWith('.xlsx')) return rowsOfAuditSheet(content, file);
  return rowsOfJson({ name: file, text: content.toString('utf8') });
}
