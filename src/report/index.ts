export { isUnder, tasksUnder } from './gate.ts';
export { type GateOptions, githubSummary } from './github-summary.ts';
export { junitXml } from './junit-xml.ts';
export { type ReportOptions, reportHtml } from './report-html.ts';
export type { ReportRow, TaskRows } from './report-rows.ts';
export { summaryCsv } from './summary-csv.ts';
export { summaryMarkdown } from './summary-markdown.ts';
export { type TerminalOptions, terminalTable } from './terminal-table.ts';
