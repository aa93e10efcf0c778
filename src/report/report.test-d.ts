import { expectTypeOf } from 'vitest';
import type { RunSummary, TaskResult } from '../run/summary.ts';
import type { Measurement } from '../stats/estimate.ts';
import type { SweepSummary } from '../study/sweep/sweep-summary.ts';
import { exitCodeOf } from './gate.ts';
import { githubSummary } from './github-summary.ts';
import { junitXml } from './junit-xml.ts';
import type { ReportRow, TaskRows } from './report-rows.ts';
import { summaryCsv } from './summary-csv.ts';
import { sweepMarkdown } from './sweep/sweep-markdown.ts';
import { sweepTerminal } from './sweep/sweep-terminal.ts';
import { terminalTable } from './terminal-table.ts';

for (const write of [summaryCsv, githubSummary, junitXml]) {
  expectTypeOf(write).parameter(0).toExtend<RunSummary>();
  expectTypeOf(write).returns.toBeString();
}
expectTypeOf(junitXml).parameter(1).toEqualTypeOf<readonly TaskRows[] | undefined>();
expectTypeOf(exitCodeOf).returns.toEqualTypeOf<0 | 1 | 3>();
expectTypeOf<TaskResult['score']>().toEqualTypeOf<Measurement | undefined>();
expectTypeOf(sweepMarkdown).parameters.toEqualTypeOf<[summary: SweepSummary]>();
expectTypeOf(sweepTerminal).parameter(1).toEqualTypeOf<{
  readonly width: number;
  readonly color: boolean;
}>();

declare const summary: RunSummary;
// @ts-expect-error a table has a width
terminalTable(summary, { color: true });

const rows: ReportRow[] = [{ id: 1, outcome: 'scored', score: 1, prompt: 'Q', answer: 'A' }];
junitXml(summary, [{ model: 'm', dataset: 'd', rows }]);
// @ts-expect-error outcomes are of three kinds
const row: ReportRow = { id: 1, outcome: 'skipped', prompt: '', answer: '' };
expectTypeOf(row.id).toEqualTypeOf<string | number>();
