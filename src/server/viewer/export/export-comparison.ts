import { version } from '../../../base/version.ts';
import { compareMarkdown } from '../../../report/compare/compare-markdown.ts';
import { cutTexts, keptEnds } from '../../../report/snapshot/cut-texts.ts';
import { usualBytes } from '../../../report/snapshot/sampled-run.ts';
import { snapshotOfComparison } from '../../../report/snapshot/single-page.ts';
import { bytesOf, shareRoom } from '../../../report/snapshot/within-budget.ts';
import type { EvaluationName } from '../../../run/store/open-run.ts';
import type { Comparison, Flip, TaskComparison } from '../../../study/compare/comparison.ts';
import type { OpenedRun } from '../opened-run.ts';
import { ServedRuns } from '../served-runs.ts';
import { type Export, heldIn, holdRuns, openedForExport } from './hold-runs.ts';
import { FileShelf, type Shelf } from './shelf.ts';

/** The changed rows take at most this share of the room, their pages the rest. */
const shareOfFlips = 0.5;

interface Sides<Value> {
  readonly a: Value;
  readonly b: Value;
}

interface ComparisonSettings {
  readonly names: Sides<string>;
  readonly sides: Sides<OpenedRun>;
  readonly shelf: Shelf;
  readonly maxBytes: number;
  /** Whether the changed rows are there whatever room they take. */
  readonly isWhole?: boolean | undefined;
  readonly onRow?: (() => void) | undefined;
}

/** The comparison of runs in two folders as a page of its own. */
export async function exportCompared(
  comparison: Comparison,
  folders: Sides<string>,
  { isWhole }: { readonly isWhole: boolean },
): Promise<Export> {
  const served = new ServedRuns([...new Set([folders.a, folders.b])]);
  const runs = openedForExport(served, true);
  try {
    const found = await served.list();
    const sideOf = async (folder: string) =>
      runs.get(found.find(({ path }) => path === folder)?.id ?? folder);
    return await exportComparison(comparison, {
      names: { a: comparison.a.folder, b: comparison.b.folder },
      sides: { a: await sideOf(folders.a), b: await sideOf(folders.b) },
      shelf: new FileShelf(usualBytes),
      maxBytes: usualBytes,
      isWhole,
    });
  } finally {
    await runs.close();
  }
}

/** Two runs held against each other, with the pages of their rows: those first that changed. */
export async function exportComparison(
  whole: Comparison,
  { names, sides, shelf, maxBytes, isWhole = shelf.isSite, onRow }: ComparisonSettings,
): Promise<Export> {
  const room = isWhole ? Number.MAX_SAFE_INTEGER : maxBytes * shareOfFlips;
  const comparison = await comparedWithin(whole, room);
  const flipBytes = bytesOf(comparison.tasks.map(({ flips }) => flips.shown));
  const places = comparison.tasks.flatMap(({ a, b, flips }) => [
    { run: names.a, name: a, ids: flips.shown.map((flip) => flip.a.id) },
    { run: names.b, name: b, ids: flips.shown.map((flip) => flip.b.id) },
  ]);
  const placesOf = (run: string, name: EvaluationName) =>
    places.filter((one) => one.run === run && isSame(one.name, name));
  const shown = [
    { id: names.a, opened: sides.a, folder: names.a },
    { id: names.b, opened: sides.b, folder: names.b },
  ];
  const held = await holdRuns(names.a === names.b ? shown.slice(0, 1) : shown, {
    isWanted: (run, name) => placesOf(run, name).length > 0,
    firstRows: (run, own) => own.flatMap((name) => placesOf(run, name)).flatMap(({ ids }) => ids),
    ...{ shelf, onRow },
    maxBytes: maxBytes - Math.min(flipBytes, maxBytes * shareOfFlips),
  });
  const page = snapshotOfComparison(comparison, { version, names });
  const snapshot = {
    ...page,
    ...heldIn(held, shelf),
    replies: { ...held.replies, ...page.replies },
  };
  return { snapshot, text: compareMarkdown(comparison) };
}

function isSame(one: EvaluationName, other: EvaluationName): boolean {
  return one.model === other.model && one.dataset === other.dataset;
}

/** A comparison whose long texts are cut, and whose changed rows fit into so many bytes; tasks share the room. */
export async function comparedWithin(
  comparison: Comparison,
  maxBytes: number,
): Promise<Comparison> {
  const short = cutTexts(comparison, keptEnds).value;
  const kept = new Map<TaskComparison, readonly Flip[]>();
  const lists = short.tasks.map((task) => ({ task, length: task.flips.shown.length }));
  await shareRoom(lists, maxBytes, async ({ task }, room) => {
    const { shown } = task.flips;
    let bytes = 0;
    const end = shown.findIndex((flip) => {
      const size = bytesOf(flip);
      if (bytes + size > room) return true;
      bytes += size;
      return false;
    });
    kept.set(task, end < 0 ? shown : shown.slice(0, end));
    return bytes;
  });
  return {
    ...short,
    tasks: short.tasks.map((task) => ({
      ...task,
      flips: { ...task.flips, shown: kept.get(task) ?? [] },
    })),
  };
}
