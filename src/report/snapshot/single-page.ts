import type { Comparison } from '../../study/compare/comparison.ts';
import type { Leaderboard } from '../../study/leaderboard/leaderboard.ts';
import type { SweepSummary } from '../../study/sweep/sweep-summary.ts';
import { cutTexts, keptEnds } from './cut-texts.ts';
import type { Snapshot } from './snapshot.ts';
import { addressOf } from './snapshot.ts';
import type { StudyPage } from './study-page.ts';

/** Pages that show one thing, and no rows of a run. */
function single(page: Pick<Snapshot, 'version' | 'title' | 'start' | 'replies'>): Snapshot {
  return { ...page, evaluations: [], pieces: {}, media: {} };
}

export function snapshotOfSweep(sweep: SweepSummary): Snapshot {
  const { name, version, complete } = sweep;
  const run = {
    id: name,
    folder: name,
    state: complete ? 'done' : 'incomplete',
    file: {},
    evaluations: [],
    sweep: cutTexts(sweep, keptEnds).value,
    canResume: false,
  };
  return single({
    version,
    title: name,
    start: addressOf('/sweep', { run: name }),
    replies: { [addressOf('/api/run', { run: name })]: run },
  });
}

/** `names`: what the runs are called in addresses. */
export function snapshotOfComparison(
  comparison: Comparison,
  {
    version,
    names,
  }: { readonly version: string; readonly names: { readonly a: string; readonly b: string } },
): Snapshot {
  return single({
    version,
    title: `${names.a} and ${names.b}`,
    start: addressOf('/compare', { ...names }),
    replies: { [addressOf('/api/compare', { ...names })]: cutTexts(comparison, keptEnds).value },
  });
}

export function snapshotOfLeaderboard(board: Leaderboard, version: string): Snapshot {
  return single({
    version,
    title: 'Leaderboard',
    start: '/leaderboard',
    replies: { '/api/leaderboard': board },
  });
}

export function snapshotOfStudy(study: StudyPage, version: string): Snapshot {
  return single({ version, title: study.title, start: '/study', replies: { '/api/study': study } });
}
