import { createWriteStream } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { countOf } from '../../base/format.ts';
import { toPlain } from '../../prompt/mapping.ts';
import { formatValue } from '../../prompt/values.ts';
import { writing } from '../../run/store/write-whole.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal, type Terminal } from '../../terminal/terminal.ts';
import { renderBlocks } from '../../terminal/text/render-blocks.ts';
import { escapeControls, showControls } from '../../terminal/text/show-controls.ts';
import { addFamilyOptions, checkFamilyOptions, type FamilyOptions } from './family-options.ts';
import { makePrompts, type NumberedPrompt } from './prompts/make-prompts.ts';
import { originalCommand } from './settings/experiment2-command-line.ts';
import { type Experiment, openExperiments } from './settings/open-experiments.ts';

/** How many prompts are shown unless more are asked for. */
const defaultShown = 5;

/** `typecase gqa`: the prompts and chunk texts of a dataset of the family. */
export async function runGqa(args: readonly string[]): Promise<number> {
  const options = parseGqaOptions(args);
  if (!options) return 0;
  const experiments = await openExperiments(options);
  if (options.emitCommands) emitCommands(experiments, options);
  else if (options.out !== undefined) await writePrompts(experiments, options, options.out);
  else for (const experiment of experiments) await printPrompts(experiment, options);
  return 0;
}

/** Prints the original's command for each experiment, as its own program does. */
function emitCommands(experiments: readonly Experiment[], options: GqaOptions): void {
  const { compat = '48bab23', cacheMode = 'dry-run', samplesDir: samplesFolder } = options;
  const logFile = options.logFile ?? 'experiment2/experiment_logs.csv';
  const commands = experiments.map(({ settings }) => {
    const name = settings.name ?? settings.dataset;
    const command = originalCommand(
      { ...settings, name },
      { compat, cacheMode, logFile, samplesFolder },
    );
    return `# ${name}\n${command}\n`;
  });
  process.stdout.write(commands.join('\n'));
}

async function printPrompts(experiment: Experiment, options: GqaOptions): Promise<void> {
  const { name } = experiment.settings;
  const terminal = describeTerminal(process.stdout);
  const isLimited = (options.maxSamples ?? options.limit) !== undefined;
  const most = options.json || isLimited ? Infinity : defaultShown;
  let shown = 0;
  for await (const prompt of experimentPrompts(experiment, options)) {
    if (shown++ === most) {
      process.stdout.write(
        'There are more: `--limit N` shows the first N, `--json` all of them.\n',
      );
      return;
    }
    const text = options.json
      ? jsonLine(prompt, name)
      : `${renderPrompt(prompt, { name, terminal }).join('\n')}\n`;
    process.stdout.write(text);
  }
}

async function writePrompts(
  experiments: readonly Experiment[],
  options: GqaOptions,
  file: string,
): Promise<void> {
  let count = 0;
  const lines = async function* () {
    for (const experiment of experiments) {
      for await (const prompt of experimentPrompts(experiment, options)) {
        count++;
        yield jsonLine(beside(file, prompt), experiment.settings.name);
      }
    }
  };
  await writing(file, () => pipeline(lines, createWriteStream(file)));
  process.stdout.write(`${countOf(count, 'prompt')} written to ${file}\n`);
}

/** Paths of images are relative to the file that names them, as `typecase run` takes them. */
function beside(file: string, prompt: NumberedPrompt): NumberedPrompt {
  const { image } = prompt;
  return { ...prompt, image: image && relative(dirname(resolve(file)), resolve(image)) };
}

/** The prompts of an experiment; the images that were not found are reported after the last. */
async function* experimentPrompts(
  experiment: Experiment,
  options: GqaOptions,
): AsyncGenerator<NumberedPrompt> {
  const { image_root: root } = experiment.settings;
  const counts = { all: 0, found: 0 };
  const prompts = makePrompts(experiment, options);
  for (;;) {
    const { value, done } = await experiment.placing(() => prompts.next());
    if (done) break;
    counts.all++;
    if (value.image !== undefined) counts.found++;
    yield value;
  }
  if (root === null || counts.found === counts.all) return;
  const missing = `${counts.all - counts.found} of ${countOf(counts.all, 'image')}`;
  process.stderr.write(`${missing} were not found under ${root}.\n`);
}

function jsonLine(prompt: NumberedPrompt, name: string | null): string {
  return `${escapeControls(JSON.stringify(toPlain(promptRow(prompt, name))))}\n`;
}

/** A prompt for people: what the model sees, what a cache compares, and the image. */
function renderPrompt(
  { dataset_id, prompt, chunk_text, image }: NumberedPrompt,
  { name, terminal }: { readonly name: string | null; readonly terminal: Terminal },
): string[] {
  const { colors } = terminal;
  const title = [...(name === null ? [] : [name]), formatValue(dataset_id)].map(showControls);
  const [first = '', ...rest] = title;
  return [
    [colors.bold(first), ...rest].join(' · '),
    ...renderBlocks(
      [
        { name: 'prompt', pieces: [{ text: prompt }] },
        { name: 'chunk text', pieces: [{ text: chunk_text }] },
        ...(image === undefined ? [] : [{ name: 'image', pieces: [{ text: image }] }]),
      ],
      terminal,
    ),
    '',
  ];
}

/** A prompt for machines, and for `typecase run`: a row with all its columns. */
function promptRow({ row, image, metadata, ...columns }: NumberedPrompt, name: string | null) {
  return { ...(name !== null && { experiment: name }), row, ...columns, image: image ?? null };
}

interface GqaOptions extends FamilyOptions {
  readonly imagePlaceholder?: boolean;
  readonly emitCommands?: boolean;
  readonly out?: string;
}

/** Reads the arguments of `typecase gqa`, or prints the help and gives undefined. */
export function describeGqa(): Command {
  const command = addFamilyOptions(new Command('typecase gqa'))
    .description('Builds the prompts and chunk texts of a dataset of the GQA family.')
    .optionsGroup('Output:')
    .option('--image-placeholder', "add the model's image mark to prompts that have none")
    .option('--emit-commands', 'print the upstream command for each experiment')
    .option('--out <file>', 'write the prompts as JSONL')
    .option('--json', 'print the prompts as JSONL');
  return addExamples(command, [
    ['the first prompts of a local file', 'typecase gqa --data gqa.jsonl --limit 5'],
    ['all prompts as JSONL', 'typecase gqa --data gqa.jsonl --out prompts.jsonl'],
  ]);
}

function parseGqaOptions(args: readonly string[]): GqaOptions | undefined {
  const options = parseArguments(describeGqa(), args)?.opts<GqaOptions>();
  return options && checkFamilyOptions(options);
}
