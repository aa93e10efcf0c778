import { displayPath } from '../../base/display-path.ts';
import { countOf } from '../../base/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import { scoredTurns } from '../../evaluation/repeats.ts';
import { isOtherModel, servedOtherwise } from '../../run/served-models.ts';
import { describeProblems } from '../../run/store/record-problem.ts';
import { dataHashes, datasetOf, stampOf } from '../../run/store/run-file-parts.ts';
import { holm } from '../../stats/holm.ts';
import { checkSameVersion } from '../../tasks/version-stamp.ts';
import { type AssessedTask, compareTask, type OpenedTask } from './compare-pair.ts';
import type { Comparison, SingleTask, TaskComparison, Verdict } from './comparison.ts';
import { describeDifferences } from './describe-differences.ts';
import type { LoggedTask } from './load-flips.ts';
import { readLoggedRows } from './logged-rows.ts';
import { metricOf } from './metric-of.ts';
import { type ChosenTasks, chooseTasks, type EvaluationPair } from './pair-evaluations.ts';
import { pairRows, unknownContent } from './pair-rows.ts';
import { type RunSide, type SideEvaluation, taskName } from './run-side.ts';
import { clustersOf, clusterWarnings } from './task-clusters.ts';
import { verdictOf } from './verdict.ts';
import { pairByText } from './why/pair-by-text.ts';
import { areAskedAlike, readSides, whyOf } from './why/why-of.ts';

interface CompareSettings {
  readonly level: number;
  /** How many changed rows of each task are loaded. */
  readonly flips: number;
  /** Whether to say why scores differ, also of two runs of Typecase. */
  readonly why?: boolean | undefined;
}

interface Sides {
  readonly a: RunSide;
  readonly b: RunSide;
}

/** Holds two runs against each other, task by task. */
export async function compareSides(
  { a, b }: Sides,
  { level, flips, why }: CompareSettings,
): Promise<Comparison> {
  const chosen = chooseTasks(a, b);
  const isAcross = why || [a, b].some(({ run }) => run.file.settings.opened !== undefined);
  const { opened, refused } = await openTasks(chosen.pairs, { a, b, isAcross });
  if (opened.every(({ rows }) => rows.pairing.rows === 0)) throw noCommonRows(opened);
  const assessed: AssessedTask[] = [];
  for (const task of opened) assessed.push(await compareTask(task, { level, flips }));
  const details = { a: a.run.file, b: b.run.file };
  const modelsOf = (side: 'a' | 'b') => [...new Set(chosen.pairs.map((pair) => pair[side].model))];
  return {
    a: { folder: a.shown, models: modelsOf('a') },
    b: { folder: b.shown, models: modelsOf('b') },
    level,
    differences: describeDifferences(opened, details),
    tasks: judgeTasks(assessed, level),
    onlyIn: {
      a: await Promise.all(
        [...chosen.single.a, ...refused.map(({ pair }) => pair.a)].map(describeSingle),
      ),
      b: await Promise.all(
        [...chosen.single.b, ...refused.map(({ pair }) => pair.b)].map(describeSingle),
      ),
    },
    warnings: [
      ...refused.map(({ error }) => `${error.message}: not compared.`),
      ...warningsOf(opened, { a, b, chosen }),
    ],
  };
}

/** A pair that is measured in two ways. */
interface RefusedPair {
  readonly pair: EvaluationPair;
  readonly error: UsageError;
}

/** Opens what can be compared; where nothing can, that is an error. */
async function openTasks(
  pairs: readonly EvaluationPair[],
  sides: Sides & { readonly isAcross: boolean },
): Promise<{ readonly opened: readonly OpenedTask[]; readonly refused: readonly RefusedPair[] }> {
  const opened: OpenedTask[] = [];
  const refused: RefusedPair[] = [];
  for (const pair of pairs) {
    try {
      opened.push(await openTask(pair, sides));
    } catch (error) {
      if (!(error instanceof UsageError) || error.code !== 'compare.other_metric') throw error;
      refused.push({ pair, error });
    }
  }
  const [first] = refused;
  if (first && opened.length === 0) throw first.error;
  return { opened, refused };
}

async function describeSingle(task: SideEvaluation): Promise<SingleTask> {
  const rows = await readLoggedRows(task, undefined);
  return { name: taskName(task), rows: [...rows.ids()].length };
}

/** Refuses a text that was changed under its old name. */
function checkTemplates(task: EvaluationPair, { a, b }: Sides): void {
  const left = stampOf(a.run.file, task.a.dataset);
  const right = stampOf(b.run.file, task.b.dataset);
  if (!left || !right) return;
  const placeOf = ({ run }: RunSide) => displayPath(run.path);
  checkSameVersion({ ...left, place: placeOf(a) }, { ...right, place: placeOf(b) });
}

async function openTask(
  task: EvaluationPair,
  { a, b, isAcross }: Sides & { readonly isAcross: boolean },
): Promise<OpenedTask> {
  checkTemplates(task, { a, b });
  const measure = await metricOf(task, { a: a.run, b: b.run, isAcross });
  const { range, scale: rowScale, whole, counts } = measure;
  const left = { run: a.run, task: task.a, rows: await readLoggedRows(task.a, range, counts?.a) };
  const right = { run: b.run, task: task.b, rows: await readLoggedRows(task.b, range, counts?.b) };
  const isSameData = haveSameData(task, { a, b });
  const texts = isAcross ? await readSides({ a: left, b: right }) : undefined;
  const rows = pairRows({
    ...{ a: left.rows, b: right.rows, isSameData },
    texts: texts && {
      pair: (rest) => pairByText(texts, rest),
      isAskedAs: (pair) => areAskedAlike(texts, pair),
    },
  });
  // Dialogues say nothing of all rows together: the mean of rows is what there is.
  const counted = left.rows.hasContributions && right.rows.hasContributions ? whole : undefined;
  const measured = { scale: counted?.scale ?? rowScale, datasetMetric: counted?.metric, rowScale };
  const clusters = clustersOf(task, { a: a.run, b: b.run });
  const sides = { a: left, b: right };
  const why =
    texts && !counted ? await whyOf(sides, { texts, rows, names: measure.names }) : undefined;
  return { ...measured, ...(clusters && { clusters }), ...(why && { why }), task, rows, ...sides };
}

/** A number means the same row in one run, and in runs that read the same files. */
function haveSameData(task: EvaluationPair, { a, b }: Sides): boolean {
  if (a.run.path === b.run.path && task.a.dataset === task.b.dataset) return true;
  const left = dataHashes(a.run.file, task.a.dataset);
  const right = dataHashes(b.run.file, task.b.dataset);
  return left.length > 0 && left.join() === right.join();
}

function judgeTasks(tasks: readonly AssessedTask[], level: number): TaskComparison[] {
  const tested = tasks.filter(({ result }) => result !== undefined);
  const adjusted = holm(tested.map(({ result }) => result?.p ?? 1));
  return tasks.map((task) => {
    const { result, scale } = task;
    const adjustedP = adjusted[tested.indexOf(task)];
    const p = adjustedP ?? 1;
    return {
      ...task,
      ...(tested.length > 1 && adjustedP !== undefined && { adjustedP }),
      verdict: marked(
        verdictOf(result, { p, level, scale, isAdjusted: tested.length > 1 }),
        task.partial,
      ),
    };
  });
}

function marked({ type, text }: Verdict, partial: true | undefined): Verdict {
  if (!partial || type === 'nothing') return { type, text };
  return { type, text: `On the rows reached, which are not a random sample: ${text}` };
}

function warningsOf(
  opened: readonly OpenedTask[],
  { a, b, chosen }: Sides & { readonly chosen: ChosenTasks },
): string[] {
  const numbered = opened.filter(
    ({ rows }) => rows.pairing.by === 'number' && rows.pairing.rows > 0,
  );
  return [
    ...unfinished('A', a),
    ...(a.run.path === b.run.path ? [] : unfinished('B', b)),
    ...(opened.some(({ rows }) => rows.pairing.unpaired.b > 0) ? selected('A', a) : []),
    ...(opened.some(({ rows }) => rows.pairing.unpaired.a > 0) ? selected('B', b) : []),
    ...servedOthers('A', a),
    ...(a.run.path === b.run.path ? [] : servedOthers('B', b)),
    ...opened.flatMap((task) => [...damaged('A', task.a), ...damaged('B', task.b)]),
    ...chosen.single.a.map((task) => `Only A has ${taskName(task)}.`),
    ...chosen.single.b.map((task) => `Only B has ${taskName(task)}.`),
    ...opened.flatMap(({ task }) => otherTurns(task, { a, b })),
    ...numbered.map(
      ({ task }) =>
        `${task.name}: an older log lacks the content of rows; they are paired by number, because both runs read the same files.`,
    ),
    ...opened.flatMap(({ task }) => clusterWarnings(task, { a: a.run, b: b.run })),
    ...opened
      .filter(({ rows }) => rows.pairing.otherColumns !== undefined)
      .map(({ task, rows }) => {
        const others = countOf(rows.pairing.otherColumns ?? 0, 'row');
        return `${task.name}: ${others} with different values in B in columns outside the prompt, paired by number, prompt and gold answer.`;
      }),
    ...opened
      .filter(({ rows }) => rows.pairing.byText !== undefined)
      .map(({ task, rows }) => {
        const texts = countOf(rows.pairing.byText ?? 0, 'row');
        return `${task.name}: ${texts} paired by what they ask about.`;
      }),
    ...opened
      .filter(({ rows }) => rows.pairing.moved > 0)
      .map(({ task, rows }) => {
        const moved = countOf(rows.pairing.moved, 'row');
        return `${task.name}: ${moved} with a different number in B, paired by content.`;
      }),
  ];
}

/** Says where the scores of dialogues are not of the same turns. */
function otherTurns({ name, ...pair }: EvaluationPair, sides: Sides): string[] {
  const turnsIn = (side: 'a' | 'b') => {
    const { file } = sides[side].run;
    const dataset = datasetOf(file, pair[side].dataset);
    const compat = file.models.find((model) => model.name === pair[side].model)?.compat;
    return dataset && scoredTurns(dataset, compat);
  };
  const [ofA, ofB] = [turnsIn('a'), turnsIn('b')];
  if (!ofA || !ofB || ofA === ofB) return [];
  const told = {
    every: 'every turn of a dialogue',
    last: 'its last turn alone',
    whole: 'it as a whole',
  };
  return [`${name}: A scores ${told[ofA]}, B ${told[ofB]}. These are different quantities.`];
}

function unfinished(name: string, { run: { summary }, shown, tasks }: RunSide): string[] {
  if (summary?.complete) return [];
  const missing = (summary?.results ?? [])
    .filter((result) => tasks.some((task) => isOf(task, result)))
    .reduce((sum, { rows }) => sum + rows.missing, 0);
  const lack = missing === 0 ? 'is not finished' : `lacks ${countOf(missing, 'row')}`;
  return [
    `${name} (${shown}) ${lack}; only the rows reached count, and they are not a random sample.`,
  ];
}

/** Says where a run that lacks rows was asked for some of them only. */
function selected(name: string, { run: { file }, shown }: RunSide): string[] {
  const { limit, ids, where, onlyFailed } = file.settings;
  const ways = [
    ...(onlyFailed ? ['--only-failed'] : ids === undefined ? [] : ['--ids']),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
    ...(where === undefined ? [] : ['--where']),
  ];
  if (ways.length === 0) return [];
  return [`${name} (${shown}) has only some rows: ${ways.join(', ')}.`];
}

/** Answers that came under a name which is not the one that was asked for. */
function servedOthers(name: string, { run, tasks }: RunSide): string[] {
  const compared = new Set(tasks.map(({ model }) => model));
  return servedOtherwise(run.file.models)
    .filter((served) => compared.has(served.model) && isOtherModel(served))
    .map(({ model, asked, names }) => {
      const given = names.map((one) => one.name).join(' and ');
      return `${name}: ${model} was asked as ${asked} and served as ${given}.`;
    });
}

function damaged(name: string, { rows }: LoggedTask): string[] {
  return describeProblems(rows.problems).map((text) => `${name}: ${text}.`);
}

function isOf(
  task: SideEvaluation,
  result: { readonly model: string; readonly dataset: string },
): boolean {
  return task.model === result.model && task.dataset === result.dataset;
}

function noCommonRows(opened: readonly OpenedTask[]): UsageError {
  const reasons = opened.flatMap(({ rows }) => rows.leftOut.map(({ reason }) => reason));
  const isOld = reasons.includes(unknownContent);
  return new UsageError('compare.no_common_rows', 'The runs have no row in common', {
    hint: isOld
      ? 'An older log lacks the content of its rows, and the data files differ. Run it again.'
      : 'Rows pair by content. Compare runs on the same data.',
  });
}
