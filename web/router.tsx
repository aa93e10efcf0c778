import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Where the page is: every state has an address. */
export interface Place {
  readonly path: string;
  readonly params: URLSearchParams;
}

const listeners = new Set<() => void>();

function here(): Place {
  return { path: location.pathname, params: new URLSearchParams(location.search) };
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
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
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

export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
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
