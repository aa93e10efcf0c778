import { setTimeout as sleep } from 'node:timers/promises';

const checkMs = 4;

/** How many answers are being put together, for which what is read in the background makes room. */
let busy = 0;

/** Does something while what is read in the background waits. */
export async function first<Result>(work: () => Promise<Result>): Promise<Result> {
  busy += 1;
  try {
    return await work();
  } finally {
    busy -= 1;
  }
}

/** Waits until no answer is being put together. */
export async function turn(): Promise<void> {
  while (busy > 0) await sleep(checkMs);
}
