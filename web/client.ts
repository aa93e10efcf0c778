import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../src/server/viewer/api.ts';

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

type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export function addressOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

export async function getJson<Result>(address: string, signal?: AbortSignal): Promise<Result> {
  return readReply(await fetch(address, signal ? { signal } : {}));
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
    error?.message ?? `the server said ${reply.status}`,
    reply.status,
    error?.hint,
  );
}

export interface Loaded<Result> {
  readonly value?: Result;
  readonly error?: Error;
  readonly reload: () => void;
}

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
    const load = async () => {
      try {
        const value = await getJson<Result>(address, control.signal);
        setState({ address, value });
        const wait = asks.current?.(value);
        if (wait !== undefined) timer = setTimeout(load, wait);
      } catch (error) {
        if (!control.signal.aborted) setState({ address, error: error as Error });
      }
    };
    load();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [address, round]);
  const { value, error } = state.address === address ? state : {};
  return {
    ...(value !== undefined && { value }),
    ...(error && { error }),
    reload: () => setRound((one) => one + 1),
  };
}
