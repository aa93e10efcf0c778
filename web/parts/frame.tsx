import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiFailure, addressOf, source } from '../client.ts';
import { useKeys } from '../keys.ts';
import { Link, placeNow } from '../router.tsx';

export interface Crumb {
  readonly text: string;
  readonly to?: string | undefined;
}

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function storedTheme(): Theme {
  const stored = storage()?.getItem('theme');
  return themes.find((theme) => theme === stored) ?? 'auto';
}

/** Files that are shown within other pages may not keep anything. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

const shortcuts: readonly [keys: string, what: string][] = [
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['u', 'back to the list'],
  ['/', 'search'],
  ['w', 'show white space'],
  ['o', 'show origins'],
  ['g, b', 'grade the row right, wrong'],
  ['?', 'these keys'],
];

/** What stands around every page. */
export function Frame({
  crumbs,
  title,
  canExport = true,
  children,
}: {
  readonly crumbs: readonly Crumb[];
  readonly title: string;
  /** Whether the page can be given to others as a file. */
  readonly canExport?: boolean;
  readonly children: ComponentChildren;
}) {
  const [theme, setTheme] = useState(storedTheme);
  const [showsKeys, setShowsKeys] = useState(false);
  useEffect(() => {
    document.title = title === '' ? 'Typecase' : `${title} · Typecase`;
  }, [title]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    storage()?.setItem('theme', theme);
  }, [theme]);
  useKeys({ '?': () => setShowsKeys((shown) => !shown), Escape: () => setShowsKeys(false) });
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  return (
    <>
      <header class="top">
        <Link to={source.has('/') ? '/' : (source.start ?? '/')} class="wordmark">
          Typecase
        </Link>
        <nav aria-label="Where you are">
          {crumbs.filter(isShown).map(({ text, to }) => (
            <span class="crumb" key={text}>
              {to === undefined ? (
                <span aria-current="page">{text}</span>
              ) : (
                <Link to={to}>{text}</Link>
              )}
            </span>
          ))}
        </nav>
        <span class="grow" />
        {source.isAlone ? (
          <span class="soft small">{source.version}</span>
        ) : (
          <ExportLink isShown={canExport && crumbs.length > 0} />
        )}
        <button type="button" class="quiet" onClick={() => setShowsKeys(true)} aria-label="Keys">
          ?
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => setTheme(next)}
          aria-label={`Colours: ${theme}. Change to ${next}`}
        >
          {theme === 'auto' ? '◐' : theme === 'light' ? '○' : '●'}
        </button>
      </header>
      <main>{children}</main>
      {showsKeys && (
        <div class="sheet" role="dialog" aria-modal="true" aria-label="Keys">
          <h2>Keys</h2>
          <dl class="facts">
            {shortcuts.filter(isOfUse).map(([keys, what]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <button type="button" class="button" onClick={() => setShowsKeys(false)}>
            Close
          </button>
        </div>
      )}
    </>
  );
}

/** A page that stands alone takes no grades. */
function isOfUse([, what]: (typeof shortcuts)[number]): boolean {
  return !source.isAlone || !what.startsWith('grade');
}

/** The list of runs is not there where one was taken out of it. */
function isShown({ to }: Crumb): boolean {
  return to !== '/' || source.has('/');
}

/** What is on the page as a file for others. */
function ExportLink({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null;
  return (
    <a
      class="quiet export"
      href="/api/export"
      title="This view as one file"
      download
      onClick={(event) => {
        event.currentTarget.href = addressOf('/api/export', { at: placeNow() });
      }}
    >
      export
    </a>
  );
}

export function Problem({ error }: { readonly error: Error }) {
  const hint = error instanceof ApiFailure ? error.hint : undefined;
  return (
    <div class="warning" role="alert">
      <p>{error.message}.</p>
      {hint !== undefined && <p class="soft">{hint}</p>}
    </div>
  );
}

/** As the beginning of a sentence, unless it begins with a name such as that of a file. */
export function capital(text: string): string {
  if (!/^[a-z]+(?:\s|$)/.test(text)) return text;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="soft loading" role="status">
      Loading {what} …
    </p>
  );
}
