import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compareRuns } from '../../api/compare-runs.ts';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Config } from '../../config/config.ts';
import { pickOptions } from '../../config/known-options.ts';
import { defaultRunFolder } from '../../config/run-defaults.ts';
import { brokenGates, compareGateNames } from '../../report/compare/compare-gates.ts';
import { compareMarkdown } from '../../report/compare/compare-markdown.ts';
import type { BaselineResult } from '../../run/summary.ts';
import type { Comparison } from '../../study/compare/comparison.ts';
import { renderComparison } from '../../terminal/compare/render-comparison.ts';
import { renderFlips } from '../../terminal/compare/render-flips.ts';
import type { RunOptions } from '../../terminal/run/run-options.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

const shownFlips = 5;

/** What a run came to against another. */
interface AgainstBaseline {
  readonly result: BaselineResult;
  readonly comparison: Comparison;
}

/** Refuses a baseline that is no run, or the run itself, before anything is asked. */
export function requireBaseline({ baseline = '', out }: RunOptions, config: Config): void {
  const [folder = ''] = /^[^:]+(?::\\[^:]*)?/.exec(baseline) ?? [];
  if (!existsSync(folder)) {
    throw new UsageError('usage.bad_option', `No run to compare with in ${baseline}`, {
      hint: 'Give --baseline the folder of an earlier run, such as one that CI keeps of the main branch.',
    });
  }
  if (resolve(folder) !== resolve(out ?? defaultRunFolder(config))) return;
  throw new UsageError('usage.bad_option', "The baseline is this run's own folder", {
    hint: 'Write to another folder with --out, or copy the baseline.',
  });
}

/** Compares a run with its baseline, and holds it to the gates that are given. */
export async function compareWithBaseline(
  folder: string,
  options: RunOptions,
): Promise<AgainstBaseline> {
  const { baseline = '' } = options;
  const comparison = await compareRuns(baseline, displayPath(folder), { flips: shownFlips });
  const gates = pickOptions(options, compareGateNames);
  const result = {
    folder: displayPath(baseline),
    gates: Object.keys(gates),
    broken: brokenGates(comparison, gates),
  };
  return { result, comparison };
}

/** Prints the comparison, and adds it to the summary of a job on GitHub. */
export async function reportComparison(
  { comparison, result }: AgainstBaseline,
  { json }: Pick<RunOptions, 'json'>,
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env;
  if (file) await appendFile(file, `\n${compareMarkdown(comparison)}`);
  if (json) return;
  const terminal = describeTerminal(process.stdout);
  const lines = [...renderComparison(comparison, terminal), ...renderFlips(comparison, terminal)];
  const title = `\nA is the baseline, ${showControls(result.folder)}; B is this run.`;
  process.stdout.write(`${[title, ...lines].join('\n').trimEnd()}\n`);
}
