import { displayPath } from '../base/display-path.ts';
import { UsageError } from '../base/usage-error.ts';
import { openRun, type StoredRun } from '../run/store/open-run.ts';

/** Opens a run whose scores follow from its record alone. */
export async function openScorableRun(folder: string): Promise<StoredRun> {
  const run = await openRun(folder);
  if (run.file.command !== 'lm-eval') return run;
  throw new UsageError('score.other_command', `${displayPath(run.path)} is a run of lm-eval`, {
    hint: 'That command scores by its own rules; `typecase leaderboard` compares its results.',
  });
}
