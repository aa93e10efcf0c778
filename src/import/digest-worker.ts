import { parentPort, workerData } from 'node:worker_threads';
import type { DigestOrder } from './digest-tree.ts';
import { digester } from './digests.ts';
import { PythonLoader } from './python/load-python.ts';

/** Describes the files that it is told, a batch at a time. */
async function serve(): Promise<void> {
  const { root } = workerData as DigestOrder;
  const digest = digester(await PythonLoader.open(root));
  parentPort?.on('message', (files: readonly string[]) => {
    parentPort?.postMessage(files.map(digest));
  });
  parentPort?.postMessage('ready');
}

await serve();
