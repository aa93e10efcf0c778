import { displayPath, exportedPath } from '../../../base/display-path.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { version } from '../../../base/version.ts';
import { compareMarkdown } from '../../../report/compare/compare-markdown.ts';
import { cutTexts, keptEnds } from '../../../report/snapshot/cut-texts.ts';
import { usualBytes } from '../../../report/snapshot/sampled-run.ts';
import type { HeldEvaluation, Snapshot } from '../../../report/snapshot/snapshot.ts';
import { addressOf } from '../../../report/snapshot/snapshot.ts';
import { shareRoom } from '../../../report/snapshot/within-budget.ts';
import { summaryMarkdown } from '../../../report/summary-markdown.ts';
import type { Comparison } from '../../../study/compare/comparison.ts';
import { RunLister } from '../list-runs.ts';
import { agreementOf } from '../notes.ts';
import { keyOf } from '../opened-run.ts';
import { OpenedRuns } from '../opened-runs.ts';
import { runDetails } from '../run-details.ts';
import type { FoundRun, ServedRuns } from '../served-runs.ts';
import { exportEvaluations, type Together } from './export-evaluations.ts';
import { FileShelf, type Shelf } from './shelf.ts';

export interface ExportOptions {
  /** The address of a page of the viewer: the export opens there, and holds what belongs to it. */
  readonly at?: string | undefined;
  /** How many bytes of rows a file holds; a site holds all. */
  readonly maxBytes?: number | undefined;
  /** Configs are opened wherever runs say that they are. */
  readonly opensAll?: boolean | undefined;
  readonly onRow?: (() => void) | undefined;
}

export interface Export {
  readonly snapshot: Snapshot;
  /** For readers without scripts. */
  readonly text: string;
}

/** Runs as the viewer shows them, for a page without a server. */
export async function exportRuns(
  served: ServedRuns,
  { at, maxBytes = usualBytes, opensAll, onRow }: ExportOptions,
  shelf: Shelf = new FileShelf(maxBytes),
): Promise<Export> {
  const runs = new OpenedRuns(served, {
    maxRuns: Number.POSITIVE_INFINITY,
    maxOpened: Number.POSITIVE_INFINITY,
    opensAll,
  });
  try {
    const place = placeOf(at);
    if (place.path === '/compare') return await exportComparison(runs, place.params);
    const found = await wantedRuns(served, place.params.get('run'));
    const replies: Record<string, unknown> = {};
    const texts: string[] = [];
    const groups: (Omit<Together, 'first'> & { length: number })[] = [];
    const media: Record<string, string> = {};
    for (const { id } of found) {
      const opened = await runs.get(id);
      replies[addressOf('/api/run', { run: id })] = {
        ...(await runDetails(opened, id)),
        ...{ file: {}, folder: exportedPath(opened.run.path), canResume: false, live: undefined },
      };
      replies[addressOf('/api/notes', { run: id })] = await agreementOf(opened);
      if (opened.run.summary) texts.push(summaryMarkdown(opened.run.summary));
      const names = opened.run.evaluations.filter((name) => isWanted(name, place.params));
      for (const number of new Set(names.map((name) => opened.dataNumber(name)))) {
        const own = names.filter((name) => opened.dataNumber(name) === number);
        const rows = (opened.run.summary?.results ?? [])
          .filter(({ model, dataset }) =>
            own.some((one) => one.model === model && one.dataset === dataset),
          )
          .reduce((sum, result) => sum + result.rows.total, 0);
        const row = place.params.get('id');
        groups.push({
          ...{ run: id, opened, names: own, media, onRow, length: rows },
          ...(row !== null && { id: Number(row) }),
        });
      }
    }
    if (found.length > 1) {
      replies['/api/runs'] = { ...(await new RunLister(served).list()), folders: ['this export'] };
    }
    if (found.length === 2) await addComparison(runs, found, replies);
    const evaluations = await exportGroups(groups, {
      shelf,
      maxBytes: shelf.isSite ? Number.MAX_SAFE_INTEGER : maxBytes,
    });
    const [only] = found;
    const isOne = found.length === 1 && only !== undefined;
    const snapshot: Snapshot = {
      version,
      title: isOne ? only.id : `${found.length} runs`,
      start: at ?? (isOne ? startOf(only.id, replies) : '/'),
      replies,
      evaluations,
      pieces: shelf instanceof FileShelf ? shelf.pieces : {},
      media,
      ...(shelf.isSite && { isSite: true }),
    };
    return { snapshot, text: texts.join('\n\n') };
  } finally {
    await runs.close();
  }
}

/** A sweep opens on what to use. */
function startOf(run: string, replies: Readonly<Record<string, unknown>>): string {
  const details = replies[addressOf('/api/run', { run })] as { readonly sweep?: unknown };
  return addressOf(details.sweep ? '/sweep' : '/run', { run });
}

function placeOf(at = '/'): { readonly path: string; readonly params: URLSearchParams } {
  if (!at.startsWith('/')) {
    throw new UsageError('report.no_such_place', `${at} is not a page of the viewer`, {
      hint: "Copy what follows the port in the viewer's address, such as /run?run=tour.",
    });
  }
  const { pathname, searchParams } = new URL(at, 'http://viewer');
  return { path: pathname, params: searchParams };
}

async function wantedRuns(served: ServedRuns, run: string | null): Promise<readonly FoundRun[]> {
  if (run !== null) return [await served.find(run)];
  const found = await served.list();
  if (found.length > 0) return found;
  throw new UsageError(
    'report.no_runs',
    `No runs in ${served.folders.map(displayPath).join(', ')}`,
    {
      hint: 'Give folders written by `typecase run` (they contain a run.json).',
    },
  );
}

/** The evaluations that an address is about; all of them if it names none. */
function isWanted(
  name: { readonly model: string; readonly dataset: string },
  params: URLSearchParams,
): boolean {
  const keys = params.getAll('e');
  if (keys.length > 0) return keys.includes(keyOf(name));
  const model = params.get('model');
  return model === null || (name.model === model && name.dataset === params.get('dataset'));
}

async function exportGroups(
  groups: readonly (Omit<Together, 'first'> & { readonly length: number })[],
  { shelf, maxBytes }: { readonly shelf: Shelf; readonly maxBytes: number },
): Promise<HeldEvaluation[]> {
  let next = 0;
  const numbered = groups.map((group) => {
    const first = next;
    next += group.names.length;
    return { ...group, first };
  });
  const all: HeldEvaluation[] = [];
  await shareRoom(numbered, maxBytes, async (group, room) => {
    const { held, bytes } = await exportEvaluations(group, { shelf, room });
    for (const [place, one] of held.entries()) all[group.first + place] = one;
    return bytes;
  });
  return all;
}

async function addComparison(
  runs: OpenedRuns,
  found: readonly FoundRun[],
  replies: Record<string, unknown>,
): Promise<void> {
  const [one = '', other = ''] = found.map(({ id }) => id);
  try {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const { address, comparison } = await compared(runs, { a, b });
      replies[address] = comparison;
    }
  } catch (error) {
    // Runs of different tasks have nothing to compare.
    if (!(error instanceof UsageError)) throw error;
  }
}

async function compared(runs: OpenedRuns, names: { readonly a: string; readonly b: string }) {
  const { comparePage } = await import('../compare-page.ts');
  const comparison = await comparePage(await runs.get(names.a), await runs.get(names.b));
  return {
    address: addressOf('/api/compare', names),
    comparison: cutTexts(comparison, keptEnds).value as Comparison,
  };
}

async function exportComparison(runs: OpenedRuns, params: URLSearchParams): Promise<Export> {
  const names = { a: params.get('a') ?? '', b: params.get('b') ?? '' };
  const { address, comparison } = await compared(runs, names);
  const snapshot: Snapshot = {
    version,
    title: `${names.a} and ${names.b}`,
    start: addressOf('/compare', names),
    replies: { [address]: comparison },
    evaluations: [],
    pieces: {},
    media: {},
  };
  return { snapshot, text: compareMarkdown(comparison) };
}
