import { Command } from 'commander';
import { explainCache } from '../../api/explain-cache.ts';
import { countOf } from '../../base/format.ts';
import { UsageError, unknownCommand } from '../../base/usage-error.ts';
import { configOfFlags } from '../../config/flags.ts';
import type { EvaluationExplanation, RowExplanation } from '../../study/cache/explain-rows.ts';
import { collectRows } from '../../terminal/option-values.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import {
  addRunOptions,
  addTaskOptions,
  type RunOptions,
  selectionOf,
  withSource,
} from '../../terminal/run/run-options.ts';
import { describeTerminal, type Terminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

/** `typecase cache explain`: why a request is reused, or not. */
export async function runCache([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '-h' || name === '--help') {
    process.stdout.write('Usage: typecase cache explain <config or data> [options]\n');
    if (name !== undefined) return 0;
    throw new UsageError(
      'usage.missing_argument',
      '`typecase cache` has one subcommand: `explain`',
      {
        hint: 'See `typecase cache explain --help`.',
      },
    );
  }
  if (name !== 'explain') throw unknownCommand(`cache ${name}`, ['cache explain']);
  const options = parseExplainOptions(args);
  if (!options) return 0;
  const { row, ...run } = await withSource(options);
  const config = await configOfFlags(run);
  const ids = row ? new Set(row) : run.ids;
  const explained = await explainCache(config, { ...selectionOf(run), ...(ids && { ids }) });
  if (run.json) writeJson('cache', { evaluations: explained }, 2);
  else {
    const terminal = describeTerminal(process.stdout);
    const lines = explained.flatMap((one) => renderExplanation(one, terminal));
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return 0;
}

interface ExplainOptions extends RunOptions {
  readonly row?: readonly number[];
}

/** Reads the arguments of `typecase cache explain`, or prints its help and gives undefined. */
function parseExplainOptions(args: readonly string[]): ExplainOptions | undefined {
  const parsed = parseArguments(describeExplain(), args);
  if (!parsed) return undefined;
  const defaults = { json: false };
  return { ...defaults, ...parsed.opts(), source: parsed.processedArgs[0] };
}

/** It takes all that `typecase run` takes, so that one command line serves both. */
export function describeExplain(): Command {
  return addExamples(
    addRunOptions(addTaskOptions(new Command('typecase cache explain')))
      .description(
        'Explains, row by row, whether a run would reuse an answer or send a request. Sends nothing.',
      )
      .optionsGroup('Input:')
      .option('--row <number>', 'row number in the data, from 0; repeatable', collectRows),
    [
      ['why does a rerun send requests?', 'typecase cache explain eval.yaml'],
      ['one row of one dataset', 'typecase cache explain eval.yaml --dataset sums --row 3'],
    ],
  );
}

const places = {
  record: 'answered in this run',
  row: 'answered by an identical request of another row',
  cache: 'answered in the cache',
} as const;

const shownIds = 8;

function renderExplanation(
  { model, dataset, keyParts, rows }: EvaluationExplanation,
  { colors }: Terminal,
): string[] {
  const parts = Object.entries(keyParts.model).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const answered = (['record', 'row', 'cache'] as const).flatMap((place) => {
    const found = rows.filter(({ answer }) => answer === place);
    return found.length > 0 ? [`  ${listRows(found)} ${places[place]}`] : [];
  });
  const only = rows.length === 1 ? [`  key ${rows[0]?.key}`] : [];
  return [
    colors.bold(showControls(`${model} on ${dataset}`)),
    colors.dim(`  keys: ${keyParts.harness}, what is sent, and ${showControls(parts.join(', '))}`),
    ...only,
    ...answered,
    ...(['left', 'none'] as const).flatMap((answer) =>
      groupReasons(rows.filter((row) => row.answer === answer)).flatMap(({ found, reasons }) => [
        colors.yellow(`  ${listRows(found)} ${answer === 'left' ? 'not asked' : 'to be sent'}`),
        ...reasons.map((reason) => `    ${showControls(reason)}`),
      ]),
    ),
    '',
  ];
}

function groupReasons(rows: readonly RowExplanation[]) {
  const groups = new Map<string, { found: RowExplanation[]; reasons: readonly string[] }>();
  for (const row of rows) {
    const key = row.reasons.join('\n');
    const group = groups.get(key) ?? { found: [], reasons: row.reasons };
    group.found.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function listRows(rows: readonly RowExplanation[]): string {
  const ids = rows.slice(0, shownIds).map(({ id }) => id);
  const rest = rows.length > ids.length ? ' …' : '';
  return `${countOf(rows.length, 'row')} (${ids.join(', ')}${rest})`;
}
