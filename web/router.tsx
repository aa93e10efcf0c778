import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { source } from './client.ts';

/** Where the page is: every state has an address. */
export interface Place {
  readonly path: string;
  readonly params: URLSearchParams;
}

const listeners = new Set<() => void>();

/** A page that is a file has its places behind a `#`. */
let first: string | undefined;

export function startAt(address: string): void {
  first = address;
}

function here(): Place {
  if (first === undefined) {
    return { path: location.pathname, params: new URLSearchParams(location.search) };
  }
  const [path = '', query = ''] = (location.hash.slice(1) || first).split('?', 2);
  return { path, params: new URLSearchParams(query) };
}

/** Where the page is, as an address. */
export function placeNow(): string {
  return changed(here(), {});
}

function hrefOf(address: string): string {
  return first === undefined ? address : `#${address}`;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const update = () => setPlace(here());
    listeners.add(update);
    addEventListener('popstate', update);
    return () => {
      listeners.delete(update);
      removeEventListener('popstate', update);
    };
  }, []);
  return place;
}

export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', hrefOf(address));
  else history.pushState(null, '', hrefOf(address));
  for (const listener of listeners) listener();
}

/** The same place with other parameters; `undefined` takes one away. */
export function changed(
  { path, params }: Place,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    if (value === undefined || value === '') continue;
    for (const one of typeof value === 'string' ? [value] : value) next.append(name, one);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  readonly children?: ComponentChildren;
}

/** A way to another place; only its text where there is no such place. */
export function Link({ to, children, ...rest }: LinkProps) {
  if (!source.has(to)) return <span {...rest}>{children}</span>;
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
