import { Worker, type WorkerOptions } from 'node:worker_threads';

interface WorkerCode {
  /** The file that it is in the package, beside all others. */
  readonly built: string;
  /** What that file is made of. */
  readonly source: URL;
}

/** In the package a worker is a file. Its source has to be compiled first. */
export function startWorker({ built, source }: WorkerCode, options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL(`./${built}`, import.meta.url), options);
  }
  const code = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${source.href}'); });`;
  return new Worker(code, { ...options, eval: true });
}
