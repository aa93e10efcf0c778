import { basename, extname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { rescoreNames } from '../../api/option-names.ts';
import { rescore } from '../../api/rescore.ts';
import type { GateOptions } from '../../api/with-gates.ts';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import { pickOptions } from '../../config/known-options.ts';
import { loadConfig } from '../../config/load-config.ts';
import { defaultRunFolder } from '../../config/run-defaults.ts';
import { isForeign } from '../../import/results/open-argument.ts';
import { openResults } from '../../import/results/open-results.ts';
import { terminalTable } from '../../report/terminal-table.ts';
import { problemWarnings } from '../../run/store/record-problem.ts';
import type { RunSummary } from '../../run/summary.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { reportGates } from '../../terminal/run/report-gates.ts';
import { addGateOptions } from '../../terminal/run/run-options.ts';
import { tellScoring, tellWarnings } from '../../terminal/run/warnings.ts';
import { describeTerminal, fitTerminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

/** `typecase score`: new scores for the answers of a run. */
export async function runScore(args: readonly string[]): Promise<number> {
  const options = parseScoreOptions(args);
  if (!options) return 0;
  const config = options.config === undefined ? undefined : await loadConfig(options.config);
  const { folder, summary, problems, diagnostics } = await rescore(await folderOf(options.folder), {
    ...pickOptions(options, rescoreNames),
    config,
    onScoring: tellScoring,
  });
  process.stderr.write(problemWarnings(problems, '`typecase run` asks about these rows again.'));
  tellWarnings(diagnostics);
  return report(summary, { ...options, folder });
}

/** Results of another harness are scored again in a run of their own. */
async function folderOf(path: string): Promise<string> {
  if (!isForeign(path)) return path;
  const out = resolve(defaultRunFolder({}, { name: basename(resolve(path), extname(path)) }));
  const opened = await openResults(path, out);
  const [only] = opened;
  if (only && opened.length === 1) return only.folder;
  const names = opened.map((one) => displayPath(one.folder)).join(', ');
  throw new UsageError(
    'results.several_models',
    `${displayPath(path)} has results of ${opened.length} models`,
    { hint: `They are now open as runs. Score each one separately, in ${names}.` },
  );
}

function report(summary: RunSummary, options: ScoreOptions): number {
  const { width, hasColors } = describeTerminal(process.stdout);
  const shown = { width, color: hasColors, folder: displayPath(options.folder) };
  const table = fitTerminal(terminalTable(summary, shown), process.stdout);
  if (options.json) writeJson('score', { ...summary, folder: options.folder });
  else
    process.stdout.write(
      `${table}\nReport: ${showControls(displayPath(join(options.folder, 'report.html')))}\n`,
    );
  return reportGates(summary, { toGoOn: '`typecase run`' });
}

interface ScoreOptions extends GateOptions {
  /** Folder of a run. */
  readonly folder: string;
  readonly config?: string;
  readonly evaluator?: string;
  readonly json: boolean;
}

/** Reads the arguments of `typecase score`, or prints its help and gives undefined. */
function parseScoreOptions(args: readonly string[]): ScoreOptions | undefined {
  const parsed = parseArguments(describeScore(), args);
  if (!parsed) return undefined;
  const [folder, config] = parsed.processedArgs;
  const defaults = { json: false };
  return { ...defaults, ...parsed.opts(), folder, ...(config !== undefined && { config }) };
}

export function describeScore(): Command {
  const command = new Command('typecase score')
    .description(
      'Rescores the saved answers of a run without asking the models. Judges are asked only for verdicts that were not saved.',
    )
    .argument('<folder>', 'run folder, or results of another harness')
    .argument('[config]', 'config whose eval_cfg and data replace the recorded ones')
    .option('--evaluator <type>', 'evaluator for all datasets');
  return addExamples(
    addGateOptions(command).optionsGroup('Output:').option('--json', 'print JSON'),
    [
      ['try another evaluator', 'typecase score runs/eval --evaluator number'],
      ['with the changed eval_cfg of the config', 'typecase score runs/eval eval.yaml'],
    ],
  );
}
