import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { displayPath } from '../../base/display-path.ts';
import type { ConfigInput } from '../../config/config-input.ts';
import type { Evaluation, RowPlan } from '../../evaluation/evaluation.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import { chosenRows } from '../../terminal/choose-rows.ts';
import { collectRows, countValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { tellOpened } from '../../terminal/run/warnings.ts';
import { describeTerminal, type Terminal } from '../../terminal/terminal.ts';
import { renderBlocks } from '../../terminal/text/render-blocks.ts';
import { escapeControls } from '../../terminal/text/show-controls.ts';
import { spellNamedTask } from '../evaluate-spelled.ts';
import { originalShape } from './data/documents.ts';
import type { PlannedTask } from './lm-eval/plan-task.ts';
import { taskOf } from './lm-eval/task-evaluation.ts';
import { taskNamed } from './templates/task-names.ts';
import type { TaskPrompt } from './templates/task-prompts.ts';
import type { Template } from './templates/template.ts';

/** `typecase view --task`: the prompts of a built-in task. */
export async function runTaskView(args: readonly string[]): Promise<number> {
  const options = parseTaskViewOptions(args);
  if (!options) return 0;
  const { name, task, version } = taskNamed(options.task);
  const { dialect, numFewshot, dataDir, limit } = options;
  const evaluations = await openEvaluations(
    {
      models: [],
      datasets: [spellNamedTask(name, { task, version, dialect, numFewshot, dataDir })],
    } as unknown as ConfigInput,
    { purpose: 'view', limit },
  );
  try {
    const [evaluation] = evaluations;
    const opened = evaluation && taskOf(evaluation);
    if (!evaluation || !opened) throw new RangeError('nothing was opened');
    tellOpened(evaluations, { strict: false });
    const print = options.json ? printJson : printText;
    await print({ task: opened.task, evaluation, options });
  } finally {
    await evaluations.close();
  }
  return 0;
}

interface TaskView {
  readonly task: PlannedTask;
  readonly evaluation: Evaluation;
  readonly options: TaskViewOptions;
}

/** What is asked about the documents that the options name; without `--row` and `--rows` about all. */
async function* askedPrompts(
  { task, evaluation }: TaskView,
  positions: readonly number[] | undefined,
): AsyncGenerator<TaskPrompt> {
  const chosen = positions && new Set(positions);
  for await (const rows of evaluation.rows.batches()) {
    for (const row of rows) {
      if (chosen && !chosen.has(row.position)) continue;
      const prompt = task.prompts[row.position] as TaskPrompt;
      yield { ...prompt, ...askedTexts(await evaluation.plan(row), prompt.context.length) };
    }
  }
}

function askedTexts(
  { requests }: RowPlan,
  contextLength: number,
): Pick<TaskPrompt, 'context' | 'continuations'> {
  const texts = requests.flatMap(({ asked }) =>
    asked.type === 'loglikelihood' ? asked.texts.map(({ text }) => text) : [],
  );
  return {
    context: texts[0]?.slice(0, contextLength) ?? '',
    continuations: texts.map((text) => text.slice(contextLength)),
  };
}

function positionsOf({ task, options }: TaskView): readonly number[] {
  const { limit = task.prompts.length } = options;
  return chosenRows(Math.min(limit, task.prompts.length), options);
}

async function printJson(view: TaskView): Promise<void> {
  const { task: planned, options } = view;
  const { template, data } = planned;
  const { name, task, version, dialect, hash } = template;
  const head = {
    task_name: name,
    ...{ task, version, dialect, template_hash: hash },
    num_fewshot: options.numFewshot,
    data: { file: displayPath(data.file), hash: data.hash, documents: data.size },
  };
  const isOpen = options.row === undefined && options.rows === undefined;
  await write(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "documents": [`);
  let separator = '\n';
  for await (const prompt of askedPrompts(view, isOpen ? undefined : positionsOf(view))) {
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
  for await (const prompt of askedPrompts(view, positionsOf(view))) {
    await write(`${before}${renderPrompt(prompt, view.task.template, terminal).join('\n')}\n`);
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
