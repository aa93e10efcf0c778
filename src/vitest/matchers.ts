import { expect } from 'vitest';
import type { RunResult } from '../api/evaluate.ts';
import { UsageError } from '../base/usage-error.ts';
import { describeGates } from '../report/describe-gates.ts';
import { exitCodeOf, holdToGate } from '../report/gate.ts';
import { describeEnd } from '../report/name-rows.ts';
import { isNotRight, verdictOf } from '../run/row-sample.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';

/** Which results are meant: all of them by default. */
export interface ResultSelection {
  readonly model?: string;
  readonly dataset?: string;
}

interface TypecaseMatchers {
  /**
   * The run is complete and its scores reach a share such as 0.8, where rows without a score count as
   * wrong. To be awaited.
   *
   * @example
   * await expect(await evaluate(config)).toScore(0.8);
   */
  toScore(atLeast: number, selection?: ResultSelection): Promise<void>;
  /** The run has gates and meets all of them, and no row failed. To be awaited. */
  toPassGates(): Promise<void>;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: it has to be declared as Vitest declares it
  interface Matchers<T = any> extends TypecaseMatchers {}
}

const namedRows = 10;

expect.extend({
  async toScore(
    given: RunResult | Promise<RunResult>,
    atLeast: number,
    selection: ResultSelection = {},
  ) {
    const run = await given;
    requireRun(run, 'toScore');
    requireScore(atLeast);
    const { summary } = run;
    const results = selectResults(summary, selection);
    const gates = results.flatMap((result) => holdToGate(result, { failUnder: atLeast }));
    return verdict(run, { ...summary, results, gates });
  },
  async toPassGates(given: RunResult | Promise<RunResult>) {
    const run = await given;
    requireRun(run, 'toPassGates');
    requireGates(run.summary);
    return verdict(run, run.summary);
  },
});

/** What cannot be meant fails, also after `.not`. */
function requireRun(run: unknown, matcher: string): void {
  const results = (run as Partial<RunResult> | null | undefined)?.summary?.results;
  if (Array.isArray(results)) return;
  throw new UsageError('usage.bad_option', `${matcher} is for the result of \`evaluate()\``, {
    hint: `Write \`await expect(await evaluate(config)).${matcher}(…)\`.`,
  });
}

/** Without a gate every score passes. */
function requireGates({ gates = [], baseline }: RunSummary): void {
  if (gates.length > 0 || (baseline?.gates.length ?? 0) > 0) return;
  const told = 'toPassGates is for a run with gates, and this one has none';
  throw new UsageError('usage.bad_option', told, {
    hint: 'Set `gate` in the config, or write `toScore(0.9)`.',
  });
}

function requireScore(atLeast: unknown): void {
  if (typeof atLeast === 'number' && atLeast >= 0 && atLeast <= 1) return;
  const hint = 'It must be a share from 0 to 1, such as 0.9 for 90%.';
  const told = `toScore is given ${typeof atLeast === 'string' ? `'${atLeast}'` : String(atLeast)}`;
  throw new UsageError('usage.bad_option', `${told}. ${hint}`, { hint });
}

const selectionKeys = ['model', 'dataset'] as const;

/** The results that are meant, of which there is at least one. */
function selectResults({ results }: RunSummary, selection: ResultSelection): TaskResult[] {
  const unknown = Object.keys(selection).find(
    (key) => !selectionKeys.some((known) => known === key),
  );
  if (unknown !== undefined) {
    const told = `toScore has no option \`${unknown}\`, only ${selectionKeys.join(' and ')}`;
    throw new UsageError('usage.unknown_name', told);
  }
  let selected = [...results];
  for (const kind of selectionKeys) {
    const name = selection[kind];
    const names = [...new Set(selected.map((result) => result[kind]))];
    if (name === undefined) continue;
    selected = selected.filter((result) => result[kind] === name);
    if (selected.length > 0) continue;
    const told = `The run has no ${kind} \`${name}\`, only ${names.join(', ')}`;
    throw new UsageError('usage.unknown_name', told);
  }
  return selected;
}

async function verdict(run: RunResult, summary: RunSummary) {
  const pass = summary.results.length > 0 && exitCodeOf(summary) === 0;
  const rows = pass ? [] : await rowsToBlame(run, summary.results);
  const lines = [
    ...describeGates(summary),
    ...(summary.complete ? [] : ['Not all rows are finished.']),
    ...rows,
    `Everything is in ${run.folder}`,
  ];
  return { pass, message: () => lines.join('\n') };
}

async function rowsToBlame(run: RunResult, results: readonly TaskResult[]): Promise<string[]> {
  const lines: string[] = [];
  for (const result of results) {
    const { model, dataset } = result;
    for await (const row of run.rows({ model, dataset })) {
      const end = { ...row, verdict: verdictOf(row, result) };
      if (!isNotRight(end)) continue;
      lines.push(`  ${model} on ${dataset}, row ${row.id}: ${describeEnd(end)}`);
      if (lines.length === namedRows) return lines;
    }
  }
  return lines;
}
