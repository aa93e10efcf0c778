export { describeAnswers, describeEvents } from '../report/describe-events.ts';
export { describeGates } from '../report/describe-gates.ts';
export { exitCodeOf } from '../report/gate.ts';
export { githubSummary } from '../report/github-summary.ts';
export { junitXml } from '../report/junit-xml.ts';
export type { ReportRow, TaskRows } from '../report/report-rows.ts';
export { summaryCsv } from '../report/summary-csv.ts';
export { summaryMarkdown } from '../report/summary-markdown.ts';
export { sweepCsv } from '../report/sweep/sweep-csv.ts';
export { sweepMarkdown } from '../report/sweep/sweep-markdown.ts';
export { sweepTerminal } from '../report/sweep/sweep-terminal.ts';
export { type TerminalOptions, terminalTable } from '../report/terminal-table.ts';
export type {
  CostSummary,
  GateResult,
  GroupResult,
  MetricResult,
  RunSummary,
  TaskResult,
} from '../run/summary.ts';
export type { SweepSummary } from '../study/sweep/sweep-summary.ts';
