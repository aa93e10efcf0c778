import { basename, join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Model } from '../../model/index.ts';
import { sweepCsv, sweepHtml, sweepMarkdown, sweepTerminal } from '../../report/index.ts';
import type { RunOutcome } from '../../run/execute.ts';
import { rowScoreKind } from '../../run/metric-tally.ts';
import { openRunFolder, type RunFolder } from '../../run/run-folder.ts';
import type { SheetSummary, SweepSummary } from '../../run/sweep-summary.ts';
import { analyzeSweep } from '../../sweep/analyze-sweep.ts';
import type { SweepCell } from '../../sweep/expand-cells.ts';
import type { Sheet } from '../../sweep/sheet.ts';
import { type BuiltModel, buildTasks } from '../run/build-tasks.ts';
import { nameOfSource } from '../run/quick-config.ts';
import { execute, hasAnswers, warn, warnOfLeaks, writeRunFile } from '../run/run-command.ts';
import { removeResults, writeResults } from '../run/write-results.ts';
import { describeTerminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { inOrder } from './change-rows.ts';
import { describeRows } from './describe-rows.ts';
import { divideTasks, openCopies } from './model-copies.ts';
import { requireOneScale } from './one-scale.ts';
import { type OpenedSweep, openSweep } from './open-sweep.ts';
import { type CellTask, readSheet, tasksByDataset } from './read-sheets.ts';
import { type BudgetPlan, planBudget } from './run-budget.ts';
import { askedOnly, budgetFindings, spendBudget } from './spend-budget.ts';
import { parseSweepOptions, type SweepOptions } from './sweep-options.ts';

const notFinished = 3;
const mostRows = 20;

/** How the files of a sweep are written, by the ends of their names. */
const writers: Readonly<Record<string, (summary: SweepSummary) => string>> = {
  html: sweepHtml,
  md: sweepMarkdown,
  csv: sweepCsv,
  json: (summary) => `${JSON.stringify(summary, null, 2)}\n`,
};

/** `typecase sweep`: asks in several ways and says what difference it makes. */
export async function runSweep(args: readonly string[]): Promise<number> {
  const options = parseSweepOptions(args);
  if (!options) return 0;
  setFlagsFromString('--heap-growing-percent=25');
  const sweep = await openSweep(options);
  const { opened, cells } = sweep;
  const path = resolve(options.out ?? defaultFolder(sweep, options));
  const built = await opened.placing(() => buildTasks(opened, path, options));
  const models = built.map((model) => prepareModel(model, cells));
  if (options.sameTemplate) requireOneScale(models.flatMap(scoreKinds));
  const plan = await opened.placing(() => planOf({ sweep, models, options }));
  const folder = await openRunFolder(path);
  const copies: (readonly Model[])[] = [];
  try {
    copies.push(...(await openCopies(opened, models, options)));
    return await opened.placing(() => sweepIn(folder, { sweep, models, copies, plan, options }));
  } finally {
    await folder.unlock();
    for (const model of [...models.map((one) => one.model), ...copies.flat()]) await model.close();
    await opened.judges.close();
  }
}

function defaultFolder({ opened }: OpenedSweep, { sources }: SweepOptions): string {
  const names = sources.map((source) => nameOfSource(source.replace(/^task:/, '')));
  return join(opened.config.workDir ?? 'runs', `${names.join('-')}-sweep`);
}

/** Cells of one template take turns: their prompts may begin with the same examples. */
function prepareModel(model: BuiltModel, cells: readonly SweepCell[]): BuiltModel {
  const tasks = model.tasks.map((task, place) => {
    const cell = cells[place];
    if (!cell) return task;
    const { rows, settings, ...rest } = cell.order ? inOrder(task, cell.order) : task;
    const turns = `${cell.dataset}.${cell.settings.template}`;
    return { ...rest, rows, settings: { ...settings, turns } };
  });
  return { ...model, tasks };
}

function scoreKinds({ tasks }: BuiltModel) {
  return tasks.map(({ settings }) => ({
    dataset: settings.dataset,
    ...rowScoreKind(settings.scorer),
  }));
}

/** How a budget is to be spent, if there is one. */
async function planOf({
  sweep,
  models,
  options: { budget, seed, sameTemplate },
}: Pick<SweepParts, 'sweep' | 'models' | 'options'>): Promise<BudgetPlan | undefined> {
  if (budget === undefined) return undefined;
  if (sameTemplate) {
    throw new UsageError('usage.conflicting_options', '--budget chooses for each data set alone', {
      hint: 'Leave out `--same-template` or `--budget`.',
    });
  }
  const groups = models.flatMap((model) =>
    [...tasksByDataset(model, sweep.cells).values()].map((cells) => ({ model, cells })),
  );
  return planBudget(groups, { budget, seed });
}

interface SweepParts {
  readonly sweep: OpenedSweep;
  readonly models: readonly BuiltModel[];
  /** Of each model. */
  readonly copies: readonly (readonly Model[])[];
  readonly plan: BudgetPlan | undefined;
  readonly options: SweepOptions;
}

async function sweepIn(folder: RunFolder, parts: SweepParts): Promise<number> {
  const { sweep, models, copies, plan, options } = parts;
  warn(models);
  await removeResults(folder);
  for (const end of Object.keys(writers)) await folder.remove(`sweep.${end}`);
  // Addresses of models may hold keys.
  const { models: _, sources: __, ...settings } = options;
  await writeRunFile(folder, { opened: sweep.opened, models, options: settings });
  let sent = 0;
  const run = async (tasks: readonly BuiltModel[], maxTime = options.maxTime) => {
    const name = basename(folder.path);
    const divided = tasks.flatMap((model) =>
      divideTasks(model, copies[models.findIndex((one) => one.model === model.model)] ?? []),
    );
    const limits = { ...options, ...(maxTime !== undefined && { maxTime }) };
    const outcome = await execute(divided, { folder, options: limits, groups: undefined, name });
    sent += outcome.summary.results.reduce((sum, { requests }) => sum + requests.sent, 0);
    if (outcome.failure !== undefined && !hasAnswers(outcome)) throw outcome.failure;
    return outcome;
  };
  const spent = plan && (await spendBudget(plan, { run, maxTime: options.maxTime }));
  const outcome = await run(spent ? askedOnly(models, spent) : models);
  await writeResults(folder, outcome, undefined);
  const findings = await summarize(outcome, parts);
  const answers = outcome.summary.results.reduce(
    (sum, { rows }) => sum + rows.scored + rows.unscored,
    0,
  );
  const summary = {
    ...findings,
    ...(spent && budgetFindings(findings, spent)),
    requests: { sent, reused: Math.max(0, answers - sent) },
  };
  await writeSweep(folder, summary);
  if (outcome.failure !== undefined) throw outcome.failure;
  return report(summary, { outcome, folder, options });
}

async function summarize(
  { summary }: RunOutcome,
  { sweep, models, options }: SweepParts,
): Promise<Omit<SweepSummary, 'requests'>> {
  const groups = models.flatMap((model) => [...tasksByDataset(model, sweep.cells).values()]);
  const sheets: Sheet[] = [];
  for (const cells of groups) sheets.push(await readSheet(cells));
  const { seed, sameTemplate } = options;
  const findings = analyzeSweep(sheets, { seed, sameTemplate, mostRows });
  const described: SheetSummary[] = [];
  for (const [place, sheet] of findings.sheets.entries()) {
    described.push(await withDetails(sheet, groups[place] ?? []));
  }
  const { name, complete } = summary;
  return { name, version, complete, ...findings, sheets: described };
}

async function withDetails(sheet: SheetSummary, cells: readonly CellTask[]): Promise<SheetSummary> {
  const { changing } = sheet;
  if (!changing) return sheet;
  return { ...sheet, changing: { ...changing, most: await describeRows(changing.most, cells) } };
}

async function writeSweep(folder: RunFolder, summary: SweepSummary): Promise<void> {
  for (const [end, write] of Object.entries(writers)) {
    await folder.write(`sweep.${end}`, write(summary));
  }
}

interface ReportParts {
  readonly outcome: RunOutcome;
  readonly folder: RunFolder;
  readonly options: SweepOptions;
}

function report(summary: SweepSummary, { outcome, folder, options }: ReportParts): number {
  const { width, hasColors } = describeTerminal(process.stdout);
  if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    process.stdout.write(sweepTerminal(summary, { width, color: hasColors }));
    const page = join(relative(process.cwd(), folder.path), `sweep.html`);
    process.stdout.write(`\nReport: ${page}\n`);
  }
  warnOfLeaks(outcome.summary);
  if (summary.complete) return 0;
  process.stderr.write('Not all rows were asked; run the same command again to go on.\n');
  return notFinished;
}
