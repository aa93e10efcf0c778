import { exportedPath } from '../../../base/display-path.ts';
import {
  addressOf,
  type HeldEvaluation,
  type Snapshot,
} from '../../../report/snapshot/snapshot.ts';
import { shareRoom } from '../../../report/snapshot/within-budget.ts';
import { summaryMarkdown } from '../../../report/summary-markdown.ts';
import type { EvaluationName } from '../../../run/store/open-run.ts';
import { agreementOf } from '../agreement.ts';
import type { OpenedRun } from '../opened-run.ts';
import { OpenedRuns } from '../opened-runs.ts';
import { runDetails } from '../run-details.ts';
import type { ServedRuns } from '../served-runs.ts';
import { exportEvaluations, type Together } from './export-evaluations.ts';
import { FileShelf, type Shelf } from './shelf.ts';

export interface Export {
  readonly snapshot: Snapshot;
  /** For readers without scripts. */
  readonly text: string;
}

/** Everything stays open until the export is made. */
export function openedForExport(served: ServedRuns, opensAll: boolean | undefined): OpenedRuns {
  return new OpenedRuns(served, {
    maxRuns: Number.POSITIVE_INFINITY,
    maxOpened: Number.POSITIVE_INFINITY,
    isStill: true,
    opensAll,
  });
}

/** A run with the name that it has in a page. */
export interface ShownRun {
  readonly id: string;
  readonly opened: OpenedRun;
  /** Where it stands, if others are not to be told by its folder. */
  readonly folder?: string | undefined;
}

export interface HoldSettings {
  readonly isWanted: (run: string, name: EvaluationName) => boolean;
  /** Rows that are taken before all others. */
  readonly firstRows: (run: string, names: readonly EvaluationName[]) => readonly number[];
  readonly shelf: Shelf;
  readonly maxBytes: number;
  readonly onRow?: (() => void) | undefined;
}

/** What a page holds of runs and their rows. */
export interface HeldRuns {
  readonly replies: Readonly<Record<string, unknown>>;
  readonly evaluations: readonly HeldEvaluation[];
  readonly media: Readonly<Record<string, string>>;
  /** Their summaries. */
  readonly texts: readonly string[];
}

type Group = Omit<Together, 'first'> & { readonly length: number };

/** Puts runs and their rows on a shelf, as many as there is room for. */
export async function holdRuns(
  shown: readonly ShownRun[],
  { isWanted, firstRows, shelf, maxBytes, onRow }: HoldSettings,
): Promise<HeldRuns> {
  const replies: Record<string, unknown> = {};
  const media: Record<string, string> = {};
  const texts: string[] = [];
  const groups: Group[] = [];
  for (const { id, opened, folder = exportedPath(opened.run.path) } of shown) {
    replies[addressOf('/api/run', { run: id })] = {
      ...(await runDetails(opened, id)),
      ...{ file: {}, folder, canResume: false, live: undefined },
    };
    replies[addressOf('/api/notes', { run: id })] = await agreementOf(opened);
    if (opened.run.summary) texts.push(summaryMarkdown(opened.run.summary));
    const names = opened.run.evaluations.filter((name) => isWanted(id, name));
    for (const number of new Set(names.map((name) => opened.dataNumber(name)))) {
      const own = names.filter((name) => opened.dataNumber(name) === number);
      groups.push({
        ...{ run: id, folder, opened, names: own, media, onRow },
        firstRows: firstRows(id, own),
        length: rowsOf(opened, own),
      });
    }
  }
  const evaluations = await exportGroups(groups, {
    shelf,
    maxBytes: shelf.isSite ? Number.MAX_SAFE_INTEGER : maxBytes,
  });
  return { replies, evaluations, media, texts };
}

/** What is held, as a page has it. */
export function heldIn(
  { replies, evaluations, media }: HeldRuns,
  shelf: Shelf,
): Pick<Snapshot, 'replies' | 'evaluations' | 'pieces' | 'media' | 'isSite'> {
  return {
    ...{ replies, evaluations, media },
    pieces: shelf instanceof FileShelf ? shelf.pieces : {},
    ...(shelf.isSite && { isSite: true }),
  };
}

function rowsOf({ run: { summary } }: OpenedRun, names: readonly EvaluationName[]): number {
  return (summary?.results ?? [])
    .filter(({ model, dataset }) =>
      names.some((one) => one.model === model && one.dataset === dataset),
    )
    .reduce((sum, { rows }) => sum + rows.total, 0);
}

async function exportGroups(
  groups: readonly Group[],
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
