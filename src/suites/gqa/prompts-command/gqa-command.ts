import { createWriteStream } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { countOf } from '../../../base/format.ts';
import { toPlain } from '../../../config/plain-value.ts';
import { writing } from '../../../run/store/write-whole.ts';
import { describeTerminal } from '../../../terminal/terminal.ts';
import { escapeControls } from '../../../terminal/text/show-controls.ts';
import { makePrompts, type NumberedPrompt } from '../make-prompts.ts';
import { type Experiment, openExperiments } from '../open-experiments.ts';
import { originalCommand } from '../original-command.ts';
import { type GqaOptions, parseGqaOptions } from './gqa-options.ts';
import { promptRow, renderPrompt } from './render-prompt.ts';

/** How many prompts are shown unless more are asked for. */
const defaultShown = 5;

/** `typecase gqa`: the prompts and chunk texts of a dataset of the family. */
export async function runGqa(args: readonly string[]): Promise<number> {
  const options = parseGqaOptions(args);
  if (!options) return 0;
  const experiments = await openExperiments(options);
  if (options.emitCommands) for (const { settings } of experiments) emitCommand(settings, options);
  else if (options.out !== undefined) await writePrompts(experiments, options, options.out);
  else for (const experiment of experiments) await printPrompts(experiment, options);
  return 0;
}

function emitCommand(settings: Experiment['settings'], { compat = '48bab23' }: GqaOptions): void {
  const named = { ...settings, name: settings.name ?? settings.dataset };
  process.stdout.write(`${originalCommand(named, { compat, cacheMode: 'dry-run' })}\n`);
}

async function printPrompts(experiment: Experiment, options: GqaOptions): Promise<void> {
  const { name } = experiment.settings;
  const terminal = describeTerminal(process.stdout);
  const most = options.json || options.limit !== undefined ? Infinity : defaultShown;
  let shown = 0;
  for await (const prompt of experimentPrompts(experiment, options)) {
    if (shown++ === most) {
      process.stdout.write('There are more: `--limit N` shows so many, `--json` all of them.\n');
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
