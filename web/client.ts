import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf } from '../src/report/snapshot/snapshot.ts';
import type { Failure, RowName } from '../src/server/viewer/api.ts';

export { addressOf };

/** What went wrong, in words for people. */
export class ApiFailure extends Error {
  readonly hint: string | undefined;
  readonly status: number;

  constructor(message: string, status: number, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** Where a page has what it shows from: a server, or itself. */
export interface Source {
  /** Nobody is there to write to, or to be asked for more. */
  readonly isAlone: boolean;
  /** Of the Typecase that made the page. */
  readonly version?: string;
  get(address: string, signal?: AbortSignal): Promise<unknown>;
  /** Where a page without a list of runs opens. */
  readonly start?: string;
  /** Whether a page is there to go to. */
  has(address: string): boolean;
  /** Where an image or a sound is; nothing if it was left out. */
  media(row: RowName, sha256: string): string | undefined;
}

export let source: Source = {
  isAlone: false,
  get: async (address, signal) => readReply(await fetch(address, signal ? { signal } : {})),
  has: () => true,
  media: (row, sha256) => addressOf('/api/media', { ...row, sha256 }),
};

export function setSource(next: Source): void {
  source = next;
}

export async function getJson<Result>(address: string, signal?: AbortSignal): Promise<Result> {
  return (await source.get(address, signal)) as Result;
}

export async function postJson<Result>(path: string, body: unknown): Promise<Result> {
  const token = document.querySelector<HTMLMetaElement>('meta[name=typecase-token]')?.content ?? '';
  return readReply(
    await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-typecase-token': token },
      body: JSON.stringify(body),
    }),
  );
}

async function readReply<Result>(reply: Response): Promise<Result> {
  const value: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return value as Result;
  const { error } = (value ?? {}) as Partial<Failure>;
  throw new ApiFailure(
    error?.message ?? `the server answered ${reply.status}`,
    reply.status,
    error?.hint,
  );
}

export interface Loaded<Result> {
  readonly value?: Result;
  readonly error?: Error;
  readonly reload: () => void;
}

/** How soon a server that did not answer is asked again. */
export const retryMs = 3000;

/** Loads an address, and again every so many milliseconds for as long as `again` says so. */
export function useLoaded<Result>(
  address: string | undefined,
  again?: (value: Result) => number | undefined,
): Loaded<Result> {
  const [state, setState] = useState<{ address?: string; value?: Result; error?: Error }>({});
  const [round, setRound] = useState(0);
  const asks = useRef(again);
  asks.current = again;
  useEffect(() => {
    if (address === undefined) return;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: Result | undefined;
    const load = async () => {
      try {
        const value = await getJson<Result>(address, control.signal);
        shown = value;
        setState({ address, value });
        const wait = asks.current?.(value);
        if (wait !== undefined) timer = setTimeout(load, wait);
      } catch (error) {
        if (control.signal.aborted) return;
        // What is followed stays in sight while its server cannot be reached, and is asked for again.
        const kept = shown !== undefined && asks.current?.(shown) !== undefined ? shown : undefined;
        setState({ address, ...(kept !== undefined && { value: kept }), error: error as Error });
        if (kept !== undefined) timer = setTimeout(load, retryMs);
      }
    };
    const look = () => {
      if (document.visibilityState !== 'visible' || !asks.current) return;
      clearTimeout(timer);
      load();
    };
    load();
    document.addEventListener('visibilitychange', look);
    return () => {
      control.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [address, round]);
  const { value, error } = state.address === address ? state : {};
  return {
    ...(value !== undefined && { value }),
    ...(error && { error }),
    reload: () => setRound((one) => one + 1),
  };
}
