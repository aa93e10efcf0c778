import { join } from 'node:path';
import { rescore } from '../../api/rescore.ts';
import { displayPath } from '../../base/display-path.ts';
import { loadConfig } from '../../config/load-config.ts';
import { tasksUnder } from '../../report/gate.ts';
import { terminalTable } from '../../report/terminal-table.ts';
import { problemWarnings } from '../../run/store/record-problem.ts';
import type { RunSummary } from '../../run/summary.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { parseScoreOptions, type ScoreOptions } from './score-options.ts';

const gateFailed = 1;
const notFinished = 3;

/** `typecase score`: new scores for the answers of a run. */
export async function runScore(args: readonly string[]): Promise<number> {
  const options = parseScoreOptions(args);
  if (!options) return 0;
  const config = options.config === undefined ? undefined : await loadConfig(options.config);
  const { folder, summary, problems } = await rescore(options.folder, { ...options, config });
  process.stderr.write(problemWarnings(problems, '`typecase run` asks these rows again.'));
  return report(summary, { ...options, folder });
}

function report(summary: RunSummary, options: ScoreOptions): number {
  const { width, hasColors } = describeTerminal(process.stdout);
  const table = terminalTable(summary, { width, color: hasColors });
  process.stdout.write(
    options.json
      ? `${JSON.stringify(summary)}\n`
      : `${table}\nReport: ${displayPath(join(options.folder, 'report.html'))}\n`,
  );
  if (!summary.complete) {
    process.stderr.write('The run is not complete; `typecase run` asks the rest.\n');
    return notFinished;
  }
  const missed = options.failUnder === undefined ? [] : tasksUnder(summary, options.failUnder);
  return missed.length > 0 ? gateFailed : 0;
}
