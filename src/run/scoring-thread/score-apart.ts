import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../base/start-worker.ts';
import { DataError } from '../../errors.ts';
import type { RowScore } from '../../score/scorer.ts';
import type { ScoringNotice, ScoringTask } from './messages.ts';
import { pack } from './packed.ts';

export interface ScoringLimits {
  readonly seconds: number;
  readonly megabytes: number;
}

const usualLimits: ScoringLimits = { seconds: 20, megabytes: 512 };

/** How long the thread is kept for more answers. */
const idleMs = 2000;

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Scores an answer in a thread of its own, which may be ended: by the signal at once, and by limits of
 * time and memory, which are errors. One answer is scored at a time.
 */
export function scoreApart(
  task: ScoringTask,
  signal: AbortSignal,
  limits = usualLimits,
): Promise<RowScore> {
  waiting++;
  const scored = turn
    .then(() => scoreNext(task, { signal, limits }))
    .finally(() => {
      waiting--;
      if (waiting === 0) restThread();
    });
  turn = scored.catch(() => undefined);
  return scored;
}

interface Bounds {
  readonly signal: AbortSignal;
  readonly limits: ScoringLimits;
}

async function scoreNext(task: ScoringTask, { signal, limits }: Bounds): Promise<RowScore> {
  signal.throwIfAborted();
  const message = pack(task);
  const worker = wakeThread(limits);
  const end = new AbortController();
  try {
    return await new Promise<RowScore>((resolve, reject) => {
      const { signal: ended } = end;
      const timer = setTimeout(() => reject(takesTooLong(limits)), limits.seconds * 1000);
      ended.addEventListener('abort', () => clearTimeout(timer));
      signal.addEventListener('abort', () => reject(signal.reason), { signal: ended });
      const onMessage = ({ score }: ScoringNotice) => resolve(score);
      const onError = (error: NodeJS.ErrnoException) => reject(reasonOf(error, limits));
      const onExit = () => reject(new Error('the thread that scores ended'));
      worker.once('message', onMessage).once('error', onError).once('exit', onExit);
      ended.addEventListener('abort', () => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      });
      worker.postMessage(message);
    });
  } catch (error) {
    await endThread();
    throw error;
  } finally {
    end.abort();
  }
}

function wakeThread({ megabytes }: ScoringLimits): Worker {
  clearTimeout(idle);
  thread ??= startWorker(
    { built: 'scoring-worker.js', source: new URL('./worker.ts', import.meta.url) },
    { resourceLimits: { maxOldGenerationSizeMb: megabytes } },
  );
  thread.ref();
  return thread;
}

/** A thread that has nothing to do keeps no process alive, and ends soon. */
function restThread(): void {
  thread?.unref();
  idle = setTimeout(endThread, idleMs).unref();
}

async function endThread(): Promise<void> {
  const ended = thread;
  thread = undefined;
  await ended?.terminate();
}

function reasonOf(error: NodeJS.ErrnoException, { megabytes }: ScoringLimits): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new DataError('score.too_large', `scoring takes more than ${megabytes} MB of memory`, {
    hint,
  });
}

function takesTooLong({ seconds }: ScoringLimits): DataError {
  return new DataError('score.too_slow', `scoring takes more than ${seconds} seconds`, { hint });
}

const hint = 'Cut answers with max_out_len or a post-processor, or choose another metric.';
