import { Command } from 'commander';
import { showRow } from '../../api/show-row.ts';
import { displayPath } from '../../base/display-path.ts';
import { collectRows } from '../../terminal/option-values.ts';
import { writeJson } from '../../terminal/output.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { jsonRow } from '../../terminal/view/json-row.ts';
import { renderRow } from './render-row.ts';

/** `typecase show`: everything that a run holds of a row. */
export async function runShow(args: readonly string[]): Promise<number> {
  const options = parseShowOptions(args);
  if (!options) return 0;
  const { folder, row, json, model, dataset } = options;
  const selection = {
    ...(model !== undefined && { model }),
    ...(dataset !== undefined && { dataset }),
  };
  const shown = [];
  for (const id of row) shown.push(...(await showRow(folder, { row: id, ...selection })));
  if (json) {
    writeJson('show', { run: displayPath(folder), rows: shown.map(jsonRow) }, 2);
    return 0;
  }
  const terminal = describeTerminal(process.stdout);
  const rule = `\n${terminal.colors.dim('─'.repeat(terminal.width))}\n`;
  const texts = shown.map((one) => renderRow(one, { terminal, ...options }).join('\n'));
  process.stdout.write(`${texts.join(rule)}\n`);
  return 0;
}

interface ShowOptions {
  /** Folder of a run. */
  readonly folder: string;
  readonly row: readonly number[];
  readonly model?: string;
  readonly dataset?: string;
  readonly origins: boolean;
  readonly full: boolean;
  readonly json: boolean;
}

/** Reads the arguments of `typecase show`, or prints its help and gives undefined. */
function parseShowOptions(args: readonly string[]): ShowOptions | undefined {
  const parsed = parseArguments(describeShow(), args);
  if (!parsed) return undefined;
  const defaults = { row: [0], origins: false, full: false, json: false };
  return { ...defaults, ...parsed.opts(), folder: parsed.processedArgs[0] };
}

export function describeShow(): Command {
  return addExamples(
    new Command('typecase show')
      .description('Shows everything a run knows about a row.')
      .argument('<folder>', 'run folder')
      .option(
        '--row <number>',
        'row number in the data, as in the logs; repeatable (default: 0)',
        collectRows,
      )
      .option('--model <abbr>', 'only this model')
      .option('--dataset <abbr>', 'only this dataset')
      .option('--origins', 'mark where each part of the prompt comes from')
      .option('--full', 'show the whole request; shorten nothing')
      .option('--json', 'print JSON'),
    [
      ['one row: prompt, answer, score', 'typecase show runs/eval --row 17'],
      ['with origins', 'typecase show runs/eval --row 17 --origins'],
    ],
  );
}
