import { displayPath } from '../base/display-path.ts';
import { UsageError } from '../base/usage-error.ts';
import { suiteDatasetsOf } from '../evaluation/suite-datasets.ts';
import { openRun, type StoredRun } from '../run/store/open-run.ts';
import { suiteTypeOf } from '../run/store/run-file-parts.ts';

/** Opens a run whose scores follow from its record alone. */
export async function openScorableRun(
  folder: string,
  { hasConfig }: { readonly hasConfig: boolean },
): Promise<StoredRun> {
  const run = await openRun(folder);
  const { file } = run;
  if (file.command !== 'lm-eval') {
    for (const { abbr } of hasConfig ? [] : file.datasets) {
      if (!(await suiteDatasetsOf(suiteTypeOf(file, abbr)))) continue;
      throw new UsageError('score.needs_config', `${abbr} is scored by the rules of its suite`, {
        hint: `Add the config: \`typecase score ${displayPath(run.path)} ${configOf(run)}\`.`,
      });
    }
    return run;
  }
  throw new UsageError('score.other_command', `${displayPath(run.path)} is a run of lm-eval`, {
    hint: 'That command scores by its own rules. Use `typecase compare` or `typecase leaderboard` on it.',
  });
}

/** The config as it was named when the run was started. */
function configOf({ file: { config, settings } }: StoredRun): string {
  return config === undefined ? 'config.yaml' : (settings.source ?? config);
}
