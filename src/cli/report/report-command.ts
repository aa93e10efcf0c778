import { Command, Option } from 'commander';
import { displayPath } from '../../base/display-path.ts';
import { countOf, formatCount } from '../../base/format.ts';
import { type ReportOptions, writeReport } from '../../server/viewer/export/write-report.ts';
import { countValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal } from '../../terminal/terminal.ts';

const everyRows = 100;

/** `typecase report`: runs as the viewer shows them, as one file or as a site. */
export async function runReport(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeReport(), args);
  if (!parsed) return 0;
  const [folders] = parsed.processedArgs as [readonly string[]];
  const options = parsed.opts<Omit<ReportOptions, 'onRow'>>();
  const isRewritten = process.stderr.isTTY && process.env.TERM !== 'dumb';
  let rows = 0;
  const { file, bytes, ...written } = await writeReport(folders, {
    ...options,
    onRow: () => {
      rows += 1;
      if (isRewritten && rows % everyRows === 0)
        process.stderr.write(`\r${formatCount(rows)} rows`);
    },
  });
  if (isRewritten && rows >= everyRows) process.stderr.write('\r\x1b[K');
  const { colors } = describeTerminal(process.stdout);
  const held =
    written.rows === written.of
      ? `all ${countOf(written.of, 'row')}`
      : `${formatCount(written.rows)} of ${countOf(written.of, 'row')}, wrong and failed rows first`;
  const size = `${formatCount(Math.ceil(bytes / 1000))} kB`;
  process.stdout.write(`Report: ${displayPath(file)} ${colors.dim(`${size}, ${held}`)}\n`);
  return 0;
}

export function describeReport(): Command {
  return addExamples(
    new Command('typecase report')
      .description('Writes runs as the viewer shows them, to one page or a static site.')
      .argument('<folders...>', 'run folders, or folders that contain them')
      .option(
        '-o, --file <file>',
        'page to write (default: report.html, in the run folder if there is only one)',
      )
      .addOption(
        new Option(
          '--site <folder>',
          'write a site with all rows to this folder, for any web server',
        ).conflicts('file'),
      )
      .addOption(
        new Option('--max-bytes <number>', 'maximum bytes of rows in the page (default: 1500000)')
          .argParser(countValue)
          .conflicts('site'),
      )
      .option('--at <address>', 'viewer page to open first, such as "/run?run=tour&show=all"'),
    [
      ['one page to send by mail', 'typecase report runs/eval -o eval.html'],
      ['a static site with all rows', 'typecase report runs --site public'],
    ],
  );
}
