import { exportedPath } from '../base/display-path.ts';
import { promptText } from '../evaluation/asked.ts';
import type { Message } from '../prompt/prompt.ts';
import { formatValue } from '../prompt/values.ts';
import { junitXml } from '../report/junit-xml.ts';
import type { ReportRow, TaskRows } from '../report/report-rows.ts';
import { snapshotOfRun } from '../report/snapshot/sampled-run.ts';
import { summaryCsv } from '../report/summary-csv.ts';
import { summaryMarkdown } from '../report/summary-markdown.ts';
import type { RunOutcome } from '../run/execute.ts';
import type { SampledRow } from '../run/row-sample.ts';
import { callLines } from '../run/store/row-record.ts';
import { readRunFile } from '../run/store/run-file.ts';
import { ruleOf } from '../run/store/run-file-parts.ts';
import { type RunFolder, resultFiles } from '../run/store/run-folder.ts';
import type { AskedVerdict } from '../score/scorer.ts';
import { standAlonePage } from './stand-alone-page.ts';

/** Writes the files that sum a run up, and gives the rows that they show. */
export async function writeResults(
  folder: RunFolder,
  { summary, samples }: Pick<RunOutcome, 'summary' | 'samples'>,
): Promise<readonly TaskRows[]> {
  const tasks = samples.map(({ rows, ...task }) => ({ ...task, rows: rows.map(reportRow) }));
  const file = await readRunFile(folder.path);
  const snapshot = await snapshotOfRun({
    ...{ summary, samples },
    folder: exportedPath(folder.path),
    ruleOf: (task) => ruleOf(file, task),
  });
  const markdown = summaryMarkdown(summary);
  const files: Record<(typeof resultFiles)[number], string> = {
    'report.html': await standAlonePage(snapshot, markdown),
    'junit.xml': junitXml(summary, tasks),
    'summary.md': markdown,
    'summary.csv': summaryCsv(summary),
    'summary.json': `${JSON.stringify(summary, null, 2)}\n`,
  };
  for (const name of resultFiles) await folder.write(name, files[name]);
  return tasks;
}

const unknownPrompt = '(not saved; rescore with the config to see prompts)';

function reportRow({ record, turns }: SampledRow): ReportRow {
  const { id, outcome, score, answer = '', reasoning, extracted, gold, compared } = record;
  const { reason, kind, detail, finish, checks } = record;
  const [first] = turns;
  return {
    id,
    outcome,
    prompt: first ? promptText(first.prompt) : unknownPrompt,
    answer,
    ...(turns.length > 1 && { turns: shownTurns(turns) }),
    ...judgeOf(record),
    ...(score !== undefined && { score }),
    ...(reasoning !== undefined && { reasoning }),
    ...(extracted !== undefined && { extracted: formatValue(extracted) }),
    ...(compared && { compared }),
    ...(gold !== undefined && { gold: formatValue(gold) }),
    ...(reason !== undefined && { reason }),
    ...(kind !== undefined && { kind }),
    ...(detail !== undefined && { detail }),
    ...(finish !== undefined && { finish }),
    ...(checks && { checks }),
    ...callsOf(record),
  };
}

/** Each call in a line, with what the tool gave. */
function callsOf(record: SampledRow['record']): Pick<ReportRow, 'calls'> {
  const lines = callLines(record);
  return lines.length > 0 ? { calls: lines.join('\n') } : {};
}

/** What judges were asked and said, in order. */
function judgeOf({ verdicts = [] }: SampledRow['record']): Pick<ReportRow, 'judge'> {
  const judge = verdicts.flatMap(({ sent, said = '' }) =>
    sent === undefined ? [] : [{ asked: sentText(sent), answer: said }],
  );
  return judge.length > 0 ? { judge } : {};
}

function sentText(sent: NonNullable<AskedVerdict['sent']>): string {
  if (typeof sent === 'string') return sent;
  return promptText({ type: 'messages', messages: sent as readonly Message[] });
}

/** Each turn without what the one before was asked and answered already. */
function shownTurns(turns: SampledRow['turns']): ReportRow['turns'] {
  const texts = turns.map(({ prompt }) => promptText(prompt));
  return turns.map(({ answer }, index) => {
    const text = texts[index] ?? '';
    const before = texts[index - 1];
    if (before === undefined || !text.startsWith(before)) return { asked: text, answer };
    const added = text.slice(before.length).trim();
    const reply = `[assistant]\n${turns[index - 1]?.answer}\n`;
    return { asked: added.startsWith(reply) ? added.slice(reply.length) : added, answer };
  });
}
