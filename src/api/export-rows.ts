import { createWriteStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../base/usage-error.ts';
import { formatValue } from '../prompt/values.ts';
import { csvLine } from '../report/csv-line.ts';
import { isNotRight, verdictOf } from '../run/row-sample.ts';
import { openRun, type StoredRow } from '../run/store/open-run.ts';
import { writing } from '../run/store/write-whole.ts';
import { checkOptions } from './check-options.ts';
import { exportNames } from './option-names.ts';

export const exportFormats = ['jsonl', 'csv', 'parquet'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  /** By the ending of the file by default. */
  readonly format?: ExportFormat | undefined;
  /** One model, one dataset of the run. */
  readonly model?: string | undefined;
  readonly dataset?: string | undefined;
  /** Only rows that failed, have no score or are wrong. */
  readonly onlyFailed?: boolean | undefined;
}

/** A row as other programs read it: texts and numbers. */
export type ExportedRow = Readonly<Record<ExportColumn, string | number | null>>;

type ExportColumn = (typeof exportColumns)[number][0];

/** The columns in their order, and how Parquet keeps them. */
const exportColumns = [
  ['model', 'STRING'],
  ['dataset', 'STRING'],
  ['id', 'INT32'],
  ['outcome', 'STRING'],
  ['score', 'DOUBLE'],
  ['answer', 'STRING'],
  ['extracted', 'STRING'],
  ['gold', 'STRING'],
  ['reason', 'STRING'],
  ['detail', 'STRING'],
  ['kind', 'STRING'],
  ['finish', 'STRING'],
  ['checks', 'STRING'],
  ['metrics', 'STRING'],
  ['reasoning', 'STRING'],
  ['tokens_in', 'INT32'],
  ['tokens_out', 'INT32'],
  ['ms', 'DOUBLE'],
] as const;

/**
 * Writes the rows of a run to a file for other programs: what `typecase export` does.
 *
 * @example
 * await exportRows('runs/sums', 'sums.parquet'); // 200
 */
export async function exportRows(
  folder: string,
  file: string,
  options: ExportOptions = {},
): Promise<number> {
  checkOptions<ExportOptions>(options, exportNames);
  const format = options.format ?? formatOf(file);
  let count = 0;
  async function* counted() {
    for await (const row of exportedRows(folder, options)) {
      count += 1;
      yield row;
    }
  }
  await writing(file, async () => {
    if (format === 'parquet') await writeParquet(file, counted());
    else await pipeline(Readable.from(linesOf(counted(), format)), createWriteStream(file));
  });
  return count;
}

/** The lines of an export, for a file or an output. */
export async function* linesOf(
  rows: AsyncIterable<ExportedRow>,
  format: 'jsonl' | 'csv',
): AsyncGenerator<string> {
  const names = exportColumns.map(([name]) => name);
  if (format === 'csv') yield csvLine(names);
  for await (const row of rows) {
    yield format === 'csv'
      ? csvLine(names.map((name) => row[name] ?? undefined))
      : `${JSON.stringify(row)}\n`;
  }
}

/** The rows of a run, one evaluation after the other. */
export async function* exportedRows(
  folder: string,
  { model, dataset, onlyFailed = false }: ExportOptions,
): AsyncGenerator<ExportedRow> {
  const run = await openRun(folder);
  const results = run.summary?.results ?? [];
  const selection = {
    ...(model !== undefined && { model }),
    ...(dataset !== undefined && { dataset }),
  };
  for await (const row of run.rows(selection)) {
    const result = results.find((one) => one.model === row.model && one.dataset === row.dataset);
    const verdict = verdictOf(row, result ?? {});
    if (!onlyFailed || isNotRight({ verdict, checks: row.checks })) yield exportedRow(row);
  }
}

function exportedRow(row: StoredRow): ExportedRow {
  const { model, dataset, id, outcome, checks, metrics, tokens } = row;
  const text = (value: unknown) => (value === undefined ? null : formatValue(value));
  return {
    model,
    dataset,
    id,
    outcome,
    score: row.score ?? null,
    answer: row.answer ?? null,
    extracted: text(row.extracted),
    gold: text(row.gold),
    reason: row.reason ?? null,
    detail: row.detail ?? null,
    kind: row.kind ?? null,
    finish: row.finish ?? null,
    checks: checks ? JSON.stringify(checks) : null,
    metrics: metrics ? JSON.stringify(metrics) : null,
    reasoning: row.reasoning ?? null,
    tokens_in: tokens?.[0] ?? null,
    tokens_out: tokens?.[1] ?? null,
    ms: row.ms ?? null,
  };
}

async function writeParquet(file: string, rows: AsyncIterable<ExportedRow>): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer');
  const columns = exportColumns.map(([name, type]) => ({ name, type, nullable: true }));
  await parquetWriteRows({ writer: fileWriter(file), rows, columns });
}

function formatOf(file: string): ExportFormat {
  const format = exportFormats.find((one) => `.${one}` === extname(file).toLowerCase());
  if (format) return format;
  throw new UsageError('usage.bad_option', `${file} has no known format`, {
    hint: 'Use .jsonl, .csv or .parquet, or set `--format`.',
  });
}
