import { expectTypeOf } from 'vitest';
import type { Estimate } from '../stats/index.ts';
import {
  type GateOptions,
  githubSummary,
  junitXml,
  type ReportRow,
  type RunSummary,
  reportHtml,
  type SweepSummary,
  summaryCsv,
  sweepMarkdown,
  sweepTerminal,
  type TaskResult,
  tasksUnder,
  terminalTable,
} from './index.ts';

for (const write of [summaryCsv, githubSummary, junitXml, reportHtml]) {
  expectTypeOf(write).parameter(0).toExtend<RunSummary>();
  expectTypeOf(write).returns.toBeString();
}
expectTypeOf(junitXml).parameter(1).toEqualTypeOf<GateOptions | undefined>();
expectTypeOf(tasksUnder).returns.toEqualTypeOf<readonly TaskResult[]>();
expectTypeOf<TaskResult['score']>().toEqualTypeOf<Estimate | undefined>();
expectTypeOf(sweepMarkdown).parameters.toEqualTypeOf<[summary: SweepSummary]>();
expectTypeOf(sweepTerminal).parameter(1).toEqualTypeOf<{
  readonly width: number;
  readonly color: boolean;
}>();

declare const summary: RunSummary;
// @ts-expect-error a table has a width
terminalTable(summary, { color: true });

function* rows(): Generator<ReportRow> {
  yield { id: 1, outcome: 'scored', score: 1, prompt: 'Q', answer: 'A' };
}
reportHtml(summary, [{ model: 'm', dataset: 'd', rows: rows() }], { rowLimit: 10 });
// @ts-expect-error outcomes are of three kinds
const row: ReportRow = { id: 1, outcome: 'skipped', prompt: '', answer: '' };
expectTypeOf(row.id).toEqualTypeOf<string | number>();
