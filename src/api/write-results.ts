import { promptText } from '../evaluation/asked.ts';
import { formatValue } from '../prompt/values.ts';
import { junitXml } from '../report/junit-xml.ts';
import { reportHtml } from '../report/report-html.ts';
import type { ReportRow } from '../report/report-rows.ts';
import { summaryCsv } from '../report/summary-csv.ts';
import { summaryMarkdown } from '../report/summary-markdown.ts';
import type { SampledRow } from '../run/evaluation-run.ts';
import type { RunOutcome } from '../run/execute.ts';
import { type RunFolder, resultFiles } from '../run/store/run-folder.ts';

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
  const files: Record<(typeof resultFiles)[number], string> = {
    'report.html': reportHtml(summary, tasks),
    'junit.xml': junitXml(summary, gate),
    'summary.md': summaryMarkdown(summary),
    'summary.csv': summaryCsv(summary),
    'summary.json': `${JSON.stringify(summary, null, 2)}\n`,
  };
  for (const name of resultFiles) await folder.write(name, files[name]);
}

function reportRow({ prompt, record }: SampledRow): ReportRow {
  const { id, outcome, score, answer = '', extracted, gold, reason } = record;
  return {
    id,
    outcome,
    prompt: shorten(promptText(prompt)),
    answer: shorten(answer),
    ...(score !== undefined && { score }),
    ...(extracted !== undefined && { extracted: shorten(formatValue(extracted)) }),
    ...(gold !== undefined && { gold: shorten(formatValue(gold)) }),
    ...(reason !== undefined && { reason }),
  };
}

const longestShown = 20_000;

/** A report has to open in a browser; the log holds everything. */
function shorten(text: string): string {
  if (text.length <= longestShown) return text;
  const left = (text.length - longestShown).toLocaleString('en');
  return `${text.slice(0, longestShown)}… (${left} more characters in the log)`;
}
