import { displayPath } from '../../../base/display-path.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { version } from '../../../base/version.ts';
import { usualBytes } from '../../../report/snapshot/sampled-run.ts';
import { addressOf, type Snapshot } from '../../../report/snapshot/snapshot.ts';
import { RunLister } from '../list-runs.ts';
import { keyOf, type OpenedRun } from '../opened-run.ts';
import type { FoundRun, ServedRuns } from '../served-runs.ts';
import { comparedWithin, exportComparison } from './export-comparison.ts';
import { type Export, heldIn, holdRuns, openedForExport, type ShownRun } from './hold-runs.ts';
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

/** Runs as the viewer shows them, for a page without a server. */
export async function exportRuns(
  served: ServedRuns,
  { at, maxBytes = usualBytes, opensAll, onRow }: ExportOptions,
  shelf: Shelf = new FileShelf(maxBytes),
): Promise<Export> {
  const runs = openedForExport(served, opensAll);
  try {
    const { path, params } = placeOf(at);
    if (path === '/compare') {
      const names = { a: params.get('a') ?? '', b: params.get('b') ?? '' };
      const sides = { a: await runs.get(names.a), b: await runs.get(names.b) };
      const { comparePage } = await import('../compare-page.ts');
      const flips = params.get('flips');
      const side = async (opened: OpenedRun, key: string | null) => {
        const [only] = key === null ? [] : await runs.evaluations(opened, [key]);
        return { opened, only };
      };
      const comparison = await comparePage(
        await side(sides.a, params.get('ea')),
        await side(sides.b, params.get('eb')),
        flips === null ? undefined : Number(flips),
      );
      const { snapshot, text } = await exportComparison(comparison, {
        ...{ names, sides, shelf, maxBytes, onRow },
      });
      return { snapshot: { ...snapshot, start: at ?? snapshot.start }, text };
    }
    const found = await wantedRuns(served, params.get('run'));
    const shown: ShownRun[] = [];
    for (const { id } of found) shown.push({ id, opened: await runs.get(id) });
    const row = params.get('id');
    const held = await holdRuns(shown, {
      isWanted: (_, name) => isWanted(name, params),
      firstRows: () => (row === null ? [] : [Number(row)]),
      ...{ shelf, maxBytes, onRow },
    });
    const replies: Record<string, unknown> = { ...held.replies };
    if (found.length > 1) {
      replies['/api/runs'] = { ...(await new RunLister(served).list()), folders: ['this export'] };
    }
    if (found.length === 2) {
      const room = shelf.isSite ? Number.MAX_SAFE_INTEGER : maxBytes / 2;
      Object.assign(replies, await comparisonsOf(shown, room));
    }
    const [only] = found;
    const isOne = found.length === 1 && only !== undefined;
    const snapshot: Snapshot = {
      version,
      title: isOne ? only.id : `${found.length} runs`,
      start: at ?? (isOne ? startOf(only.id, replies) : '/'),
      ...heldIn(held, shelf),
      replies,
    };
    return { snapshot, text: held.texts.join('\n\n') };
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

/** Two runs held against each other, both ways; nothing if they have no task in common. */
async function comparisonsOf(
  [one, other]: readonly ShownRun[],
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  if (!one || !other) return {};
  const { comparePage } = await import('../compare-page.ts');
  const compared = async (a: ShownRun, b: ShownRun) => {
    const comparison = await comparePage(a, b);
    const address = addressOf('/api/compare', { a: a.id, b: b.id });
    return { [address]: await comparedWithin(comparison, maxBytes / 2) };
  };
  try {
    return { ...(await compared(one, other)), ...(await compared(other, one)) };
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}
