import { extname } from 'node:path';
import { Command } from 'commander';
import { prefixStudyNames } from '../../../api/option-names.ts';
import { type PrefixStudy, studyPrefixCache } from '../../../api/study-prefix-cache.ts';
import { countOf, formatCount } from '../../../base/format.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { configOfFlags } from '../../../config/flags.ts';
import { pickOptions } from '../../../config/known-options.ts';
import { sizeSvg } from '../../../report/prefix-cache/prefix-svg.ts';
import type { StudyBlock } from '../../../report/snapshot/study-page.ts';
import { writeWhole } from '../../../run/store/write-whole.ts';
import { addExamples, parseArguments } from '../../../terminal/parse-arguments.ts';
import { addTaskOptions, type RunOptions, selectionOf } from '../../../terminal/run/run-options.ts';
import { describeTerminal, type Terminal } from '../../../terminal/terminal.ts';
import { showControls } from '../../../terminal/text/show-controls.ts';
import { jsonPartOrders, jsonPrefixes } from './json-prefixes.ts';
import { pageOfStudy } from './page-of-study.ts';
import { partBlocks, prefixBlocks } from './prefix-blocks.ts';
import { partLines, prefixLines } from './prefix-lines.ts';
import { addPrefixOptions, type PrefixOptions, prefixSettingsOf } from './prefix-options.ts';

interface PrefixStudyOptions extends RunOptions, PrefixOptions {
  readonly groupBy?: string;
  readonly report?: string;
}

/** `typecase cache-study CONFIG`: what a server's prefix cache would save on a run. */
export async function runPrefixStudy(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describePrefixStudy(), args);
  if (!parsed) return 0;
  const given: PrefixStudyOptions = parsed.opts();
  const options = { ...given, source: parsed.processedArgs[0] };
  checkReport(options);
  const { groupBy } = options;
  const settings = { ...prefixSettingsOf(options), groupBy };
  const selection = pickOptions(selectionOf(options), prefixStudyNames);
  const studies = await studyPrefixCache(await configOfFlags(options), {
    ...selection,
    ...settings,
  });
  if (options.report !== undefined) await writeReport(options.report, studies);
  const terminal = describeTerminal(process.stdout);
  const text = options.json
    ? JSON.stringify(studies.map(jsonStudy), null, 2)
    : studies.map((study) => renderStudy(study, terminal).join('\n')).join('\n\n');
  process.stdout.write(`${text}\n`);
  return 0;
}

export function describePrefixStudy(): Command {
  return addExamples(
    addPrefixOptions(addTaskOptions(new Command('typecase cache-study')))
      .description(
        'Estimates what the prefix cache of a server such as vLLM or SGLang would save on a run. Sends nothing.',
      )
      .optionsGroup('Input:')
      .option('--group-by <column>', 'also try rows with the same value next to each other')
      .optionsGroup('Output:')
      .option('--report <file>', 'write a page (.html), or only the plot of sizes (.svg)'),
    [
      ['what a prefix cache would save on a run', 'typecase cache-study eval.yaml'],
      [
        'as a page, with 40 GiB at 128 KiB per token',
        'typecase cache-study eval.yaml --prefix-gib 40 --bytes-per-token 131072 \\\n    --report study.html',
      ],
    ],
  );
}

function checkReport({ report }: PrefixStudyOptions): void {
  if (report === undefined || ['.html', '.svg'].includes(extname(report).toLowerCase())) return;
  throw new UsageError('gqa.unknown_report', `${report} is not a supported kind of report`, {
    hint: 'Use a file that ends in .html, or in .svg for the plot of sizes.',
  });
}

async function writeReport(file: string, studies: readonly PrefixStudy[]): Promise<void> {
  const [first] = studies;
  if (extname(file).toLowerCase() === '.svg' && first) {
    await writeWhole(file, sizeSvg(first, `Tokens saved: ${first.model}`).toString());
    return;
  }
  const sections = studies.map((study) => ({ title: study.model, blocks: blocksOf(study) }));
  await writeWhole(file, await pageOfStudy({ title: 'Prefix cache study', sections }));
}

function blocksOf(study: PrefixStudy): StudyBlock[] {
  return [
    { type: 'text', text: [factsOf(study), ...notesOf(study)].join(' ') },
    ...prefixBlocks(study),
    ...study.datasets.flatMap(({ dataset, partOrders }) =>
      partOrders ? partBlocks(partOrders, dataset) : [],
    ),
  ];
}

function renderStudy(study: PrefixStudy, terminal: Terminal): string[] {
  const parts = study.datasets.flatMap(({ dataset, partOrders }) =>
    partOrders
      ? ['', terminal.colors.bold(showControls(dataset)), ...partLines(partOrders, terminal)]
      : [],
  );
  return [
    `${terminal.colors.bold(showControls(study.model))} · ${showControls(factsOf(study))}`,
    ...notesOf(study),
    '',
    ...prefixLines(study, terminal),
    ...parts,
  ];
}

function factsOf({ datasets, savings }: PrefixStudy): string {
  const names = datasets.map(({ dataset }) => dataset).join(', ');
  return `${names} · ${countOf(savings.requests, 'prompt')}`;
}

function notesOf({ likelihoods, leftOut }: PrefixStudy): string[] {
  return [
    ...(likelihoods ? ['vLLM saves nothing when asked for prompt log-probabilities.'] : []),
    ...(leftOut > 0
      ? [`Only the first prompts were studied; ${formatCount(leftOut)} more were left out.`]
      : []),
  ];
}

function jsonStudy(study: PrefixStudy) {
  return {
    model: study.model,
    datasets: study.datasets.map(({ dataset, partOrders }) => ({
      dataset,
      ...(partOrders && { part_orders: jsonPartOrders(partOrders) }),
    })),
    likelihoods: study.likelihoods,
    left_out: study.leftOut,
    ...jsonPrefixes(study),
  };
}
