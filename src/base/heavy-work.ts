import { DataError } from '../errors.ts';

/** Thrown by work that would hold up the thread that a run is led from. It is done in a process of its own. */
class HeavyWork extends Error {}

/** As many nanoseconds as nobody minds: starting another process takes longer. */
const littleWork = 5e7;

let left = Number.POSITIVE_INFINITY;

/**
 * Does work that is little, and throws if it turns out to be more: nothing else happens on the thread
 * meanwhile, interrupts and time limits not either. Only this decides what is heavy.
 */
export function doLittleWork<Result>(work: () => Result): Result {
  left = littleWork;
  try {
    return work();
  } finally {
    left = Number.POSITIVE_INFINITY;
  }
}

/** Says how many nanoseconds the next steps take, about. */
export function chargeWork(nanoseconds: number): void {
  left -= nanoseconds;
  if (left < 0) throw new HeavyWork('too much work for this thread');
}

/** Whether more than a little work would not be done here. */
export function isWorkLimited(): boolean {
  return left < Number.POSITIVE_INFINITY;
}

export function isHeavyWork(error: unknown): boolean {
  return error instanceof HeavyWork;
}

/** Whether an error says that a pattern took too long. */
export function isSlowPattern(error: unknown): error is DataError {
  return DataError.isInstance(error) && error.code === 'pattern.too_slow';
}
