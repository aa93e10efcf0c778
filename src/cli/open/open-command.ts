import { basename, extname, resolve } from 'node:path';
import { Command } from 'commander';
import { displayPath } from '../../base/display-path.ts';
import { defaultRunFolder } from '../../config/run-defaults.ts';
import { type ComparedEvaluation, openResults } from '../../import/results/open-results.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { alignColumns } from '../../terminal/text/align-columns.ts';

/** `typecase open`: results of another harness as a run. */
export async function runOpen(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeOpen(), args);
  if (!parsed) return 0;
  const [path = ''] = parsed.processedArgs as string[];
  const { out } = parsed.opts<{ readonly out?: string }>();
  const name = basename(resolve(path), extname(path));
  const opened = await openResults(path, resolve(out ?? defaultRunFolder({}, { name })));
  const lines = opened.flatMap(({ evaluations }) => evaluations.map(lineOf));
  const titles = ['model', 'dataset', 'metric', 'recorded', 'here', 'scored by'];
  process.stdout.write(`${alignColumns([titles, ...lines], titles.length).join('\n')}\n\n`);
  for (const { folder } of opened) process.stdout.write(`Run: ${displayPath(folder)}\n`);
  const different = opened.flatMap(({ evaluations }) => evaluations.filter(differs));
  for (const { dataset, recorded, here } of different) {
    process.stderr.write(
      `${dataset}: the results file says ${shown(recorded)}, but its rows give ${shown(here)}.\n`,
    );
  }
  return different.length === 0 ? 0 : 3;
}

export function describeOpen(): Command {
  return addExamples(
    new Command('typecase open')
      .description(
        'Opens results of OpenCompass, AISBench, lm-evaluation-harness, Inspect or promptfoo as a run, and rescores their rows.',
      )
      .argument('<path>', 'folder or file that the harness wrote')
      .option('--out <folder>', 'run folder (default: runs/<name>)'),
    [
      ['results of lm-evaluation-harness', 'typecase open results/my-model --out runs/theirs'],
      ['then look at them', 'typecase serve runs'],
    ],
  );
}

function lineOf(evaluation: ComparedEvaluation): string[] {
  const { model, dataset, metric, recorded, here, scoring } = evaluation;
  const by =
    scoring.type === 'task'
      ? 'the task'
      : scoring.type === 'evaluator'
        ? scoring.evaluator
        : 'recorded scores';
  return [model, dataset, metric, shown(recorded), shown(here), by];
}

function shown(value: number | undefined): string {
  return value === undefined ? '–' : String(Number(value.toFixed(4)));
}

/** Results are written with two decimals of a percentage at least. */
const tolerance = 1e-4;

function differs({ recorded, here }: ComparedEvaluation): boolean {
  return recorded !== undefined && !(here !== undefined && Math.abs(recorded - here) <= tolerance);
}
