import { DataError } from '../../errors.ts';
import type { RowScore } from '../../score/scorer.ts';
import type { ScoringNotice, ScoringTask } from './messages.ts';
import { pack } from './packed.ts';
import { ScoringProcess } from './start-process.ts';

export interface ScoringLimits {
  readonly seconds: number;
  readonly megabytes: number;
}

const usualLimits: ScoringLimits = { seconds: 20, megabytes: 512 };

/** How long the process is kept for more answers. */
const idleMs = 2000;

let started: ScoringProcess | undefined;
let idle: NodeJS.Timeout | undefined;
let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Scores an answer in a process of its own, which can be ended whatever it does, and whose memory is
 * its own: by the signal at once, and by limits of time and memory, which are errors. One answer is
 * scored at a time.
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
      if (waiting === 0) rest();
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
  clearTimeout(idle);
  started ??= new ScoringProcess(limits.megabytes);
  const asked = started;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<RowScore>((resolve, reject) => {
      timer = setTimeout(() => reject(takesTooLong(limits)), limits.seconds * 1000);
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort);
      asked.ask(pack(task)).then(
        (notice) => resolve((notice as ScoringNotice).score),
        (error) => reject(asked.isOutOfMemory ? takesTooMuch(limits) : error),
      );
    });
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

function rest(): void {
  started?.unref();
  idle = setTimeout(end, idleMs).unref();
}

function end(): void {
  started?.end();
  started = undefined;
}

function takesTooMuch({ megabytes }: ScoringLimits): DataError {
  const message = `scoring needs more than ${megabytes} MB of memory`;
  return new DataError('score.too_large', message, { hint });
}

function takesTooLong({ seconds }: ScoringLimits): DataError {
  return new DataError('score.too_slow', `scoring takes more than ${seconds} seconds`, { hint });
}

const hint = 'Cut answers with max_out_len or a post-processor, or choose another metric.';
