import { appendFile } from 'node:fs/promises';
import type { TaskRows } from '../../report/report-rows.ts';
import type { RunSummary } from '../../run/summary.ts';

/** Adds the scores and gates to the summary of a job on GitHub, which names a file for it. */
export async function addToJobSummary(
  summary: RunSummary,
  rows?: readonly TaskRows[],
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env;
  if (!file) return;
  const { githubSummary } = await import('../../report/github-summary.ts');
  await appendFile(file, githubSummary(summary, rows));
}
