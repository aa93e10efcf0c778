/** How to give up promises that are waited for. */
const waiting = new Set<() => void>();

/** Called when nothing is left in the process that could settle a promise. */
function giveUp(): void {
  for (const end of waiting) setImmediate(end);
}

function stopWaiting(end: () => void): void {
  waiting.delete(end);
  if (waiting.size === 0) process.off('beforeExit', giveUp);
}

/** What a promise of somebody else's code gives, or an error where it can never settle. */
export function settled<Value>(
  promise: PromiseLike<Value>,
  neverSettles: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => {
      // Once given up, it must not keep the process alive.
      stopWaiting(end);
      reject(neverSettles());
    };
    if (waiting.size === 0) process.on('beforeExit', giveUp);
    waiting.add(end);
    Promise.resolve(promise)
      .finally(() => stopWaiting(end))
      .then(resolve, reject);
  });
}
