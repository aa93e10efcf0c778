import { appendFile } from 'node:fs/promises';
import { formatValue } from '../../prompt/index.ts';
import {
  githubSummary,
  junitXml,
  type ReportRow,
  reportHtml,
  summaryCsv,
  summaryMarkdown,
} from '../../report/index.ts';
import type { RunOutcome } from '../../run/execute.ts';
import type { RunFolder } from '../../run/run-folder.ts';
import type { SampledRow } from '../../run/task-run.ts';

/** Writes the files that sum a run up. */
export async function writeResults(
  folder: RunFolder,
  { summary, samples }: RunOutcome,
  failUnder: number | undefined,
): Promise<void> {
  const gate = failUnder === undefined ? {} : { failUnder };
  const tasks = samples.map(({ model, dataset, rows }) => ({
    model,
    dataset,
    rows: rows.map(reportRow),
  }));
  await folder.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await folder.write('summary.csv', summaryCsv(summary));
  await folder.write('summary.md', summaryMarkdown(summary));
  await folder.write('junit.xml', junitXml(summary, gate));
  await folder.write('report.html', reportHtml(summary, tasks));
  const { GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, githubSummary(summary, gate));
}

function reportRow({ prompt, record }: SampledRow): ReportRow {
  const { id, outcome, score, answer = '', extracted, gold, reason } = record;
  return {
    id,
    outcome,
    prompt:
      prompt.type === 'text'
        ? prompt.text
        : prompt.messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n'),
    answer,
    ...(score !== undefined && { score }),
    ...(extracted !== undefined && { extracted: formatValue(extracted) }),
    ...(gold !== undefined && { gold: formatValue(gold) }),
    ...(reason !== undefined && { reason }),
  };
}
