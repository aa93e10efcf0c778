import { withRetries } from '../../model/with-retries.ts';

export interface AskOptions<Item, Result> {
  readonly concurrency: number;
  ask(item: Item, signal: AbortSignal): Promise<Result>;
}

/**
 * Asks about items, several at once, and gives the results in their order. What may succeed later
 * is tried again; what may not ends the whole.
 */
export async function askAll<Item, Result>(
  items: Iterable<Item>,
  { concurrency, ask }: AskOptions<Item, Result>,
): Promise<Result[]> {
  const abort = new AbortController();
  const { signal } = abort;
  const results: Result[] = [];
  const queue = numbered(items);
  const work = async () => {
    for (const [index, item] of queue) {
      signal.throwIfAborted();
      results[index] = await withRetries(() => ask(item, signal), { signal });
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } catch (error) {
    abort.abort(error);
    throw error;
  }
  return results;
}

/** One iterator for all workers: each item goes to one of them. */
function* numbered<Item>(items: Iterable<Item>): Generator<[number, Item]> {
  let index = 0;
  for (const item of items) {
    yield [index, item];
    index += 1;
  }
}
