import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * A turn of the event loop that nobody else has who waits here. What may take a while in each of many
 * answers that came in together then holds up interrupts for one of them only.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
