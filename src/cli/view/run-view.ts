import type { DatasetConfig, ModelConfig } from '../../config/config.ts';
import { TypecaseError } from '../../errors.ts';
import { Cancelled } from './cancelled.ts';
import { chooseLabel, chosenRows, eligibleDatasets, eligibleModels } from './choose.ts';
import { openOther } from './open-other.ts';
import { type OpenedConfig, type OpenedPair, openConfig } from './opened-config.ts';
import { createPrinter, type Printer } from './printer.ts';
import { parseViewOptions, type ViewOptions } from './view-options.ts';

interface Selection {
  readonly model: ModelConfig | undefined;
  readonly dataset: DatasetConfig;
}

const wrongUsage = 2;
const cancelled = 130;

/** `typecase view`: shows what would be sent. */
export async function runView(args: readonly string[]): Promise<number> {
  if (args.some((argument) => /^--task(?:=|$)/.test(argument))) {
    return (await import('./task-view.ts')).runTaskView(args);
  }
  const options = parseViewOptions(args);
  if (!options) return 0;
  const opened = await openConfig(options.config, options.compat);
  const printer = createPrinter(options);
  try {
    const selections = await select(opened, options);
    const code = await showAll(selections, { opened, options, printer });
    printer.end();
    return code;
  } catch (error) {
    if (error instanceof Cancelled) return cancelled;
    throw error;
  }
}

interface Context {
  readonly opened: OpenedConfig;
  readonly options: ViewOptions;
  readonly printer: Printer;
}

function isInteractive({ nonInteractive, all, json }: ViewOptions): boolean {
  if (nonInteractive || all || json) return false;
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function select({ config }: OpenedConfig, options: ViewOptions): Promise<Selection[]> {
  const models = eligibleModels(config, options);
  const datasets = eligibleDatasets(config, options);
  if (options.all)
    return models.flatMap((model) => datasets.map((dataset) => ({ model, dataset })));
  if (isInteractive(options)) {
    const { askWhich } = await import('./ask.ts');
    const model = await askWhich('Model', models);
    return [{ model, dataset: await askWhich('Data set', datasets) }];
  }
  sayTaken(models, { kind: 'model', flag: '--model' });
  sayTaken(datasets, { kind: 'data set', flag: '--dataset' });
  const [dataset] = datasets;
  return dataset ? [{ model: models[0], dataset }] : [];
}

/** Says what was taken without asking, and how to take something else. */
function sayTaken(
  entries: readonly ({ readonly abbr: string } | undefined)[],
  { kind, flag }: { kind: string; flag: string },
): void {
  const [first, ...others] = entries;
  if (!first || others.length === 0) return;
  const names = others.map((entry) => entry?.abbr).join(', ');
  process.stderr.write(`Took the ${kind} ${first.abbr}; choose with ${flag}: ${names}\n`);
}

async function showAll(selections: readonly Selection[], context: Context): Promise<number> {
  let code = 0;
  for (const selection of selections) {
    try {
      await show(selection, context);
    } catch (error) {
      if (selections.length === 1 || !TypecaseError.isInstance(error)) throw error;
      context.printer.failure({ ...selection, error });
      code = wrongUsage;
    }
  }
  return code;
}

async function show({ model, dataset }: Selection, context: Context): Promise<void> {
  const pair = await context.opened.open(model, dataset);
  try {
    await showPair(pair, context);
  } finally {
    await pair.close();
  }
}

async function showPair(pair: OpenedPair, { opened, options, printer }: Context): Promise<void> {
  const rows = await selectRows(pair.rowCount, options);
  const other = options.diff === undefined ? undefined : await openOther({ opened, pair }, options);
  try {
    if (isInteractive(options)) process.stdout.write('\n');
    for (const [number, row] of rows.entries()) {
      const view = chooseLabel(await pair.view(row), options.label);
      if (!other) {
        printer.view(view, number === 0);
        continue;
      }
      const [sameRow = row] = chosenRows(other.pair.rowCount, { row: [row] });
      const right = chooseLabel(await other.pair.view(sameRow), options.label);
      printer.comparison({ left: view, right, names: other.names });
    }
  } finally {
    await other?.pair.close();
  }
}

async function selectRows(rowCount: number, options: ViewOptions): Promise<readonly number[]> {
  const isOpen = options.row === undefined && options.rows === undefined;
  if (isOpen && rowCount > 1 && isInteractive(options)) {
    const { askRow } = await import('./ask.ts');
    return [await askRow(rowCount)];
  }
  return chosenRows(rowCount, options);
}
