import { resolve } from 'node:path';
import { countOf, formatCount } from '../../base/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Config } from '../../config/config.ts';
import { configOfFlags } from '../../config/flags.ts';
import { overrideConfig } from '../../config/override-config.ts';
import { TypecaseError } from '../../errors.ts';
import { readRunFile } from '../../run/store/run-file.ts';
import { overridesOf } from '../../run/store/run-file-parts.ts';
import type { PromptView } from '../../study/view/prompt-view.ts';
import { suites } from '../../suites/index.ts';
import { Cancelled } from '../../terminal/cancelled.ts';
import { chosenRows } from '../../terminal/choose-rows.ts';
import { namesForeign, withSource } from '../../terminal/run/run-options.ts';
import { showControls } from '../../terminal/text/show-controls.ts';
import { chooseLabel, eligibleDatasets, eligibleModels } from './choose.ts';
import { openOther } from './open-other.ts';
import { type OpenedView, openView, type Selected } from './opened-view.ts';
import { createPrinter, type Printer } from './printer.ts';
import { parseViewOptions, type ViewOptions } from './view-options.ts';

const wrongUsage = 2;
const cancelled = 130;

/** `typecase view`: shows what would be sent. */
export async function runView(args: readonly string[]): Promise<number> {
  if (args.some((argument) => /^--task(?:=|$)/.test(argument))) {
    return viewSuiteTask(args);
  }
  const foreign = namesForeign(args) ? await readForeign(args) : undefined;
  const parsed = parseViewOptions(foreign?.args ?? args);
  if (!parsed) return 0;
  const options = await withSource(parsed);
  const recorded =
    options.run === undefined ? {} : overridesOf(await readRunFile(resolve(options.run)));
  const config = overrideConfig(foreign?.config ?? (await configOfFlags(options)), {
    ...recorded,
    ...options,
  });
  const printer =
    options.html === undefined
      ? createPrinter(options)
      : (await import('./html-printer.ts')).htmlPrinter(options.html, options.source);
  try {
    const code = await showAll(await select(config, options), { config, options, printer });
    await printer.end();
    return code;
  } catch (error) {
    if (error instanceof Cancelled) return cancelled;
    throw error;
  }
}

async function readForeign(args: readonly string[]) {
  return (await import('../../import/foreign-arguments.ts')).readForeign(args, { isAsked: false });
}

interface Context {
  readonly config: Config;
  readonly options: ViewOptions;
  readonly printer: Printer;
}

function isInteractive({ nonInteractive, all, json }: ViewOptions): boolean {
  if (nonInteractive || all || json) return false;
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function select(config: Config, options: ViewOptions): Promise<Selected[]> {
  const models = eligibleModels(config, options);
  const datasets = eligibleDatasets(config, options);
  const toSelected = (model: (typeof models)[number], dataset: (typeof datasets)[number]) => ({
    model: model?.abbr,
    dataset: dataset.abbr,
  });
  if (options.all) {
    return models.flatMap((model) => datasets.map((dataset) => toSelected(model, dataset)));
  }
  if (isInteractive(options)) {
    const { askWhich } = await import('./ask.ts');
    const model = await askWhich('Model', models);
    return [toSelected(model, await askWhich('Dataset', datasets))];
  }
  sayTaken(models, { kind: 'model', flag: '--model' });
  sayTaken(datasets, { kind: 'dataset', flag: '--dataset' });
  const [dataset] = datasets;
  return dataset ? [toSelected(models[0], dataset)] : [];
}

/** The prompts of a task that a suite brings along. */
async function viewSuiteTask(args: readonly string[]): Promise<number> {
  const [tasks] = await Promise.all(suites.flatMap((suite) => suite.tasks?.() ?? []));
  if (!tasks) throw new TypeError('No suite has tasks of its own');
  return tasks.view(args);
}

/** Says what was taken without asking, and how to take something else. */
function sayTaken(
  entries: readonly ({ readonly abbr: string } | undefined)[],
  { kind, flag }: { kind: string; flag: string },
): void {
  const [first, ...others] = entries;
  if (!first || others.length === 0) return;
  const names = others.map((entry) => entry?.abbr).join(', ');
  const text = `Using ${kind} ${first.abbr}. Others (${flag}): ${names}`;
  process.stderr.write(`${showControls(text)}\n`);
}

async function showAll(selections: readonly Selected[], context: Context): Promise<number> {
  let code = 0;
  for (const selected of selections) {
    try {
      await show(selected, context);
    } catch (error) {
      if (selections.length === 1 || !TypecaseError.isInstance(error)) throw error;
      context.printer.failure({ ...selected, error });
      code = wrongUsage;
    }
  }
  return code;
}

async function show(selected: Selected, context: Context): Promise<void> {
  const { config, options } = context;
  const opened = await openView({ config, run: options.run, judge: options.judge }, selected);
  try {
    await showRows(opened, selected, context);
  } finally {
    await opened.close();
  }
}

async function showRows(
  opened: OpenedView,
  selected: Selected,
  { config, options, printer }: Context,
): Promise<void> {
  const rows = await selectRows(opened, options);
  const other =
    options.diff === undefined ? undefined : await openOther({ config, selected }, options);
  try {
    if (isInteractive(options)) process.stdout.write('\n');
    const views = await opened.views(rows);
    if (!other) {
      for (const [number, view] of views.entries()) {
        printer.view(chooseLabel(view, options.label), number === 0);
      }
      return;
    }
    const sameRows = chosenRows(other.opened.rowCount, { row: rows });
    const others = await other.opened.views(sameRows);
    for (const [number, left] of views.entries()) {
      const right = others[number] as PromptView;
      const [one, two] = [left, right].map((view) => chooseLabel(view, options.label));
      if (one && two) printer.comparison({ left: one, right: two, names: other.names });
    }
  } finally {
    await other?.opened.close();
  }
}

/** The rows that are asked for, or the first one with a word on how to see others. */
async function selectRows(opened: OpenedView, options: ViewOptions): Promise<readonly number[]> {
  const { rowCount, isRange } = opened;
  const { row, rows, id: ids } = options;
  if (ids) return rowsOfData(ids, opened);
  const isOpen = row === undefined && rows === undefined;
  if (isOpen && rowCount > 1 && isInteractive(options)) {
    process.stderr.write(`Row 0 of ${formatCount(rowCount)}. Others: --row N or --rows 0:5\n`);
  }
  return chosenRows(rowCount, { row, rows, isRange });
}

/** Where rows stand that are named by their numbers in the data. */
async function rowsOfData(ids: readonly number[], opened: OpenedView): Promise<readonly number[]> {
  const positions = await opened.positionsOf(ids);
  if (positions.length === new Set(ids).size) return positions;
  const { rowCount } = opened;
  const message = `No row with the id ${ids.join(' or ')} among the ${countOf(rowCount, 'row')} of the dataset`;
  throw new UsageError('view.no_such_row', message, {
    hint: '`--id` is the number of a row in the data; `test_range` may leave it out. `--row` counts the rows that are left, from 0.',
  });
}
