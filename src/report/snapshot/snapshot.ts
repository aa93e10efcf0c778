import type { RowFilter } from './row-query.ts';

/** All that a page without a server holds. */
export interface Snapshot {
  readonly version: string;
  /** What the page is called until it is drawn. */
  readonly title: string;
  /** Where it opens. */
  readonly start: string;
  /** What a server would say, by address. */
  readonly replies: Readonly<Record<string, unknown>>;
  readonly evaluations: readonly HeldEvaluation[];
  /** Columns and rows of evaluations by their names; a site has each as a file. */
  readonly pieces: Readonly<Record<string, unknown>>;
  /** Images and sounds by their hashes, as addresses. */
  readonly media: Readonly<Record<string, string>>;
  readonly isSite?: true;
}

/** What is held of the rows of an evaluation. */
export interface HeldEvaluation {
  readonly run: string;
  readonly model: string;
  readonly dataset: string;
  readonly data: {
    readonly columns: readonly string[];
    readonly inputs: readonly string[];
    readonly problem?: string;
  };
  /** Rows that changed were taken before those that are wrong. */
  readonly changedFirst?: true;
  /** Of all rows, held or not. */
  readonly total: number;
  readonly counts: Readonly<Partial<Record<RowFilter, number>>>;
  readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
  /** Left out where the rows that are held are counted. */
  readonly checks?: readonly { readonly check: string; readonly rows: number }[];
  readonly damaged: number;
  /** Images and sounds of rows that are held. */
  readonly mediaLeftOut: number;
  /** The reasons that columns number, and the checks that rows did not pass. */
  readonly names: readonly string[];
  readonly failedChecks: readonly (readonly string[])[];
  /** How many rows each piece has. */
  readonly pieces: readonly number[];
}

/** A row: what its page and its line in a list show. */
export interface HeldRow {
  readonly details: { readonly id: number; readonly record?: unknown; readonly note?: unknown };
  readonly prompt: {
    readonly command: string;
    readonly row?: Readonly<Record<string, unknown>> | undefined;
  };
  /** What a list shows of its data, where the data is not there. */
  readonly columns?: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** An address with its parameters, of a page or of what the server says; those without a value are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A row by its evaluation and its number. */
export interface NamedRow {
  readonly model: string;
  readonly dataset: string;
  readonly id: number;
}

/** The command that shows a row of a run on a terminal. */
export function showCommand(folder: string, { model, dataset, id }: NamedRow): string {
  const names = `--model ${quote(model)} --dataset ${quote(dataset)}`;
  return `typecase show ${quote(folder)} --row ${id} ${names} --origins`;
}

/** A word of a command line, for a shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function columnsName(evaluation: number): string {
  return `${evaluation}/columns`;
}

export function rowsName(evaluation: number, piece: number): string {
  return `${evaluation}/rows-${piece}`;
}

/**
 * A page with what it shows: the template that was built, the data as JSON that no text can end, and
 * a text for readers without scripts.
 */
export function embedSnapshot(template: string, snapshot: Snapshot, text: string): string {
  const { title, isSite } = snapshot;
  const own = isSite ? " 'self'" : '';
  const parts: Readonly<Record<string, string>> = {
    title: escaped(title),
    text: escaped(text),
    media: `img-src data:${own}; media-src data:${own}${isSite ? `; connect-src${own}` : ''}`,
    snapshot: JSON.stringify(snapshot).replaceAll('<', '\\u003c'),
  };
  return template.replace(/%(title|text|media|snapshot)%/g, (_, name: string) => parts[name] ?? '');
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
