import { useEffect, useRef, useState } from 'preact/hooks';
import type { RowsPage } from '../src/server/viewer/api.ts';
import { addressOf, getJson, retryMs } from './client.ts';

const blockSize = 60;
const maxBlocks = 40;
const pollMs = 400;
/** While there is nothing to see yet. */
const firstMs = 100;
const liveMs = 2000;

export type ListedRow = RowsPage['rows'][number];

export interface Rows {
  /** What the last answer said beside its rows. */
  readonly page?: RowsPage;
  readonly error?: Error;
  readonly rowAt: (index: number) => ListedRow | undefined;
  readonly onRange: (from: number, to: number) => void;
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The rows that a query finds, of which only some pages are held at a time; read again where scores change. */
export function useRows(query: Query | undefined, isLive: boolean, scores: string): Rows {
  const key = query && addressOf('/api/rows', query);
  const held = useRef<{ key?: string; blocks: Map<number, readonly ListedRow[]> }>({
    blocks: new Map(),
  });
  const range = useRef<readonly [number, number]>([0, blockSize]);
  const [state, setState] = useState<{ key?: string; page?: RowsPage; error?: Error }>({});
  const load = useRef<(isAgain: boolean) => void>(() => undefined);
  useEffect(() => {
    if (key === undefined || !query) return;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waiting = new Set<number>();
    if (held.current.key !== key) range.current = [0, blockSize];
    held.current = { key, blocks: new Map() };
    const fetchBlock = async (block: number) => {
      if (waiting.has(block)) return;
      waiting.add(block);
      try {
        const from = block * blockSize;
        const address = addressOf('/api/rows', {
          ...query,
          from: String(from),
          count: String(blockSize),
        });
        const page = await getJson<RowsPage>(address, control.signal);
        const { blocks } = held.current;
        blocks.delete(block);
        blocks.set(block, page.rows);
        for (const old of blocks.keys()) {
          if (blocks.size <= maxBlocks) break;
          blocks.delete(old);
        }
        setState({ key, page });
        const isReading = page.progress < 1 || page.isSearching || page.data.isReading;
        if ((isReading || isLive) && timer === undefined) {
          timer = setTimeout(
            () => {
              timer = undefined;
              load.current(true);
            },
            isReading ? (page.matching === 0 ? firstMs : pollMs) : liveMs,
          );
        }
      } catch (error) {
        if (control.signal.aborted) return;
        setState((before) => ({
          key,
          error: error as Error,
          ...(isLive && before.key === key && before.page && { page: before.page }),
        }));
        if (isLive) {
          timer ??= setTimeout(() => {
            timer = undefined;
            load.current(true);
          }, retryMs);
        }
      } finally {
        waiting.delete(block);
      }
    };
    load.current = (isAgain) => {
      const [from, to] = range.current;
      const last = Math.max(from, to - 1);
      for (
        let block = Math.floor(from / blockSize);
        block <= Math.floor(last / blockSize);
        block++
      ) {
        if (isAgain || !held.current.blocks.has(block)) fetchBlock(block);
      }
    };
    load.current(true);
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [key, isLive, scores]);
  const isCurrent = state.key === key;
  return {
    ...(isCurrent && state.page && { page: state.page }),
    ...(isCurrent && state.error && { error: state.error }),
    rowAt: (index) =>
      held.current.key === key
        ? held.current.blocks.get(Math.floor(index / blockSize))?.[index % blockSize]
        : undefined,
    onRange: (from, to) => {
      range.current = [from, to];
      load.current(false);
    },
  };
}
