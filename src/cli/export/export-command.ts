import { Command, Option } from 'commander';
import {
  type ExportFormat,
  exportedRows,
  exportFormats,
  exportRows,
  linesOf,
} from '../../api/export-rows.ts';
import { displayPath } from '../../base/display-path.ts';
import { countOf } from '../../base/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';

interface ExportFlags {
  readonly out?: string;
  readonly format?: ExportFormat;
  readonly model?: string;
  readonly dataset?: string;
  readonly onlyFailed?: boolean;
}

/** `typecase export`: the rows of a run as JSONL, CSV or Parquet. */
export async function runExport(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeExport(), args);
  if (!parsed) return 0;
  const [folder] = parsed.processedArgs as [string];
  const { out, ...options } = parsed.opts<ExportFlags>();
  if (out !== undefined) {
    const count = await exportRows(folder, out, options);
    process.stderr.write(`${countOf(count, 'row')} in ${displayPath(out)}\n`);
    return 0;
  }
  const { format = 'jsonl' } = options;
  if (format === 'parquet') {
    throw new UsageError('usage.missing_argument', 'Parquet needs a file', {
      hint: 'Add `--out rows.parquet`.',
    });
  }
  for await (const line of linesOf(exportedRows(folder, options), format)) {
    if (process.stdout.write(line)) continue;
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  return 0;
}

export function describeExport(): Command {
  return addExamples(
    new Command('typecase export')
      .description('Writes the rows of a run for use in other programs.')
      .argument('<folder>', 'run folder')
      .option('--out <file>', '.jsonl, .csv or .parquet file (default: standard output)')
      .addOption(
        new Option('--format <format>', 'format, if the file name does not say it').choices(
          exportFormats,
        ),
      )
      .option('--model <abbr>', 'only this model')
      .option('--dataset <abbr>', 'only this dataset')
      .option('--only-failed', 'only rows that failed, have no score or are wrong'),
    [
      ['all rows as CSV', 'typecase export runs/eval --out rows.csv'],
      ['wrong and failed rows as JSONL', 'typecase export runs/eval --only-failed > wrong.jsonl'],
    ],
  );
}
