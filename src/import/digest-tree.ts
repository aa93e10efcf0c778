import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compareText } from '../python/text.ts';
import { configFilesIn, type Digest, digester } from './digests.ts';
import { PythonLoader } from './python/load-python.ts';

export interface DigestOrder {
  readonly root: string;
}

/** So few files are described before a thread has started. */
const fewFiles = 60;
const maxWorkers = 4;
/** Files that read each other's bases stand beside each other. */
const batchSize = 24;

/** Describes all Python configs under some folders of a tree, in the order of their paths. */
export async function digestTree(root: string, folders: readonly string[]): Promise<Digest[]> {
  const files = [...new Set(folders.flatMap((folder) => filesAt(root, folder)))].sort(compareText);
  const count = Math.min(maxWorkers, availableParallelism());
  if (files.length <= fewFiles || count === 1) {
    return files.map(digester(await PythonLoader.open(root)));
  }
  const batches = batchesOf(files);
  const found = await Promise.all(Array.from({ length: count }, () => work(root, batches)));
  return found.flat().sort((left, right) => compareText(left.file, right.file));
}

function filesAt(root: string, folder: string): string[] {
  const isFile = statSync(join(root, folder)).isFile();
  return isFile ? [folder.replaceAll('\\', '/')] : configFilesIn(root, folder);
}

function batchesOf(files: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (const file of files) {
    const last = batches.at(-1);
    const isSameFolder = last !== undefined && dirname(last[0] ?? '') === dirname(file);
    if (last && (last.length < batchSize || isSameFolder)) last.push(file);
    else batches.push([file]);
  }
  return batches;
}

/** One thread takes batches as long as there are some. */
async function work(root: string, batches: string[][]): Promise<Digest[]> {
  const worker = startWorker({ root });
  const found: Digest[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (answer: 'ready' | Digest[]) => {
        if (answer !== 'ready') found.push(...answer);
        const batch = batches.shift();
        if (batch) worker.postMessage(batch);
        else resolve();
      });
    });
  } finally {
    await worker.terminate();
  }
  return found;
}

/** In the package the worker is a file beside this one. Its source has to be compiled first. */
function startWorker(workerData: DigestOrder): Worker {
  // Most of what is made lives no longer than a file: a large nursery is emptied less often.
  const resourceLimits = { maxYoungGenerationSizeMb: 96 };
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./digest-worker.js', import.meta.url), {
      workerData,
      resourceLimits,
    });
  }
  const { href } = new URL('./digest-worker.ts', import.meta.url);
  const code = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${href}'); });`;
  return new Worker(code, { eval: true, workerData, resourceLimits });
}
