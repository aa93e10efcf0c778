import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { displayPath } from '../../base/display-path.ts';
import { chosenRows } from '../../terminal/choose-rows.ts';
import { collectRows, countValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal, type Terminal } from '../../terminal/terminal.ts';
import { renderBlocks } from '../../terminal/text/render-blocks.ts';
import { escapeControls } from '../../terminal/text/show-controls.ts';
import { originalShape } from './data/documents.ts';
import { loadDocuments, type TaskData } from './data/load-documents.ts';
import { dialectNamed } from './templates/dialects.ts';
import { taskNamed } from './templates/task-names.ts';
import { type TaskPrompt, taskPrompts } from './templates/task-prompts.ts';
import { loadTemplate, systemPromptNote, type Template } from './templates/template.ts';

/** `typecase view --task`: the prompts of a built-in task. */
export async function runTaskView(args: readonly string[]): Promise<number> {
  const options = parseTaskViewOptions(args);
  if (!options) return 0;
  const template = await loadTemplate(taskNamed(options.task), {
    dialect: dialectNamed(options.dialect),
    systemPrompt: process.env.SYSTEM_PROMPT,
  });
  if (template.ignoresSystemPrompt) process.stderr.write(`${systemPromptNote(template)}\n`);
  const data = await loadDocuments(template.task, options.dataDir);
  if (data.isSynthetic) {
    process.stderr.write('These are synthetic documents; use --data-dir for the real ones.\n');
  }
  const print = options.json ? printJson : printText;
  await print({ template, data, options });
  return 0;
}

interface TaskView {
  readonly template: Template;
  readonly data: TaskData;
  readonly options: TaskViewOptions;
}

/** The prompts that the options ask for; without `--row` and `--rows` all of them. */
function* chosenPrompts(
  { template, data, options }: TaskView,
  rows: readonly number[] | undefined,
): Generator<TaskPrompt> {
  const chosen = rows && new Set(rows);
  for (const prompt of taskPrompts(template, data.documents, options)) {
    if (!chosen || chosen.has(prompt.pos)) yield prompt;
  }
}

function rowsOf({ data, options }: TaskView): readonly number[] {
  return chosenRows(Math.min(data.documents.length, options.limit ?? Infinity), options);
}

async function printJson(view: TaskView): Promise<void> {
  const { template, data, options } = view;
  const { name, task, version, dialect, hash } = template;
  const head = {
    task_name: name,
    ...{ task, version, dialect, template_hash: hash },
    num_fewshot: options.numFewshot,
    data: { file: displayPath(data.file), hash: data.hash, documents: data.documents.length },
  };
  const isOpen = options.row === undefined && options.rows === undefined;
  await write(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "documents": [`);
  let separator = '\n';
  for (const prompt of chosenPrompts(view, isOpen ? undefined : rowsOf(view))) {
    await write(`${separator}    ${escapeControls(JSON.stringify(jsonPrompt(prompt)))}`);
    separator = ',\n';
  }
  await write('\n  ]\n}\n');
}

function jsonPrompt(prompt: TaskPrompt) {
  return {
    pos: prompt.pos,
    doc_index: prompt.docIndex,
    doc: originalShape(prompt.document),
    sampled_indices: prompt.sampled,
    fewshot_indices: prompt.shots,
    context: prompt.context,
    continuations: prompt.continuations,
    target: prompt.target,
  };
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

async function printText(view: TaskView): Promise<void> {
  const terminal = describeTerminal(process.stdout);
  const rule = terminal.colors.dim('─'.repeat(terminal.width));
  let before = '';
  for (const prompt of chosenPrompts(view, rowsOf(view))) {
    await write(`${before}${renderPrompt(prompt, view.template, terminal).join('\n')}\n`);
    before = `\n${rule}\n`;
  }
}

function renderPrompt(prompt: TaskPrompt, template: Template, terminal: Terminal): string[] {
  const { colors } = terminal;
  const { name, dialect, hash } = template;
  const { pos, docIndex, shots, context, continuations, choices, target } = prompt;
  const shown = shots.length === 0 ? 'no shots' : `shots: documents ${shots.join(', ')}`;
  const end = { text: '▮', paint: colors.green, mark: true };
  const blocks = continuations.map((continuation, index) => ({
    name: choices[index] === target ? 'right' : '',
    pieces: [{ text: continuation }, { text: '▮', paint: colors.green, mark: true }],
  }));
  return [
    `${colors.bold(name)} · ${dialect} · ${hash} · turn ${pos}: document ${docIndex} · ${shown}`,
    '',
    `${colors.bold('Context')}  the model continues at ▮`,
    ...renderBlocks([{ pieces: [{ text: context }, end] }], terminal),
    '',
    `${colors.bold('Continuations')}  by the loglikelihood of each after the context`,
    ...renderBlocks(blocks, terminal),
    ...(choices.includes(target) ? [] : [`  the gold answer, ${target}, is not one of them`]),
  ];
}

interface TaskViewOptions {
  readonly task: string;
  readonly dialect: string;
  readonly dataDir?: string;
  readonly numFewshot: number;
  readonly limit?: number;
  readonly row?: readonly number[];
  readonly rows?: string;
  readonly json: boolean;
}

/** Reads the arguments of `typecase view --task`, or prints its help and gives undefined. */
function parseTaskViewOptions(args: readonly string[]): TaskViewOptions | undefined {
  const parsed = parseArguments(describeTaskView(), args);
  return parsed && { json: false, ...parsed.opts<Omit<TaskViewOptions, 'json'>>() };
}

export function describeTaskView(): Command {
  return addExamples(
    new Command('typecase view --task')
      .description('Shows the prompts of a built-in task, in evaluation order.')
      .requiredOption('--task <name>', 'task, such as chabsa-1.0-0.2; see `typecase list tasks`')
      .option('--dialect <name>', 'upstream release to follow', 'main')
      .option('--data-dir <folder>', 'data folder (default: small synthetic data)')
      .option('--num-fewshot <count>', 'number of examples', shotCount, 0)
      .option('--limit <count>', 'use the first n documents', countValue)
      .option('--row <number>', 'document to show, from 0; repeatable', collectRows)
      .addOption(new Option('--rows <from:to>', 'range of documents').conflicts('row'))
      .option('--json', 'print all of them as one JSON document'),
    [
      ['the first document', 'typecase view --task chabsa-1.0-0.2 --row 0'],
      ['with three examples', 'typecase view --task chabsa-1.0-0.2 --num-fewshot 3 --limit 1'],
    ],
  );
}

/** A number of examples, from none on. */
function shotCount(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number, 0 or above.');
}
