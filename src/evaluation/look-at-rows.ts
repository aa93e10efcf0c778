import { countOf } from '../base/format.ts';
import { isHeavyWork } from '../base/heavy-work.ts';
import { hintForName } from '../base/nearest-name.ts';
import type { DatasetConfig } from '../config/config.ts';
import type { HeadRows } from '../data/head-rows.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { compileWhere, type Where } from '../data/select/where.ts';
import { type ConfigPath, DataError, TypecaseError } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import { getKey, isMapping } from '../prompt/mapping.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { type GoldFault, isNoLabel, type Scorer } from '../score/scorer.ts';
import { hasNoSpaces } from '../score/text-matching.ts';
import type { PlannedRequest } from './evaluation.ts';
import { comparesLabels } from './prompt-setup.ts';

/** What a first look at the rows of a task finds. */
export interface FirstRows {
  /** The first row; where labels are compared, the first row of each label. */
  readonly samples: readonly PositionedRow[];
  /** The first rows that are asked about. */
  readonly head?: readonly PositionedRow[] | undefined;
}

/** A column that rows may have or not. */
const limitColumn = 'max_out_len';
/** More labels than this are answers, not labels. */
const maxLabels = 1000;

/**
 * Looks at the first rows of a task, mostly at the first batch: refuses columns that no row has, and
 * a selection that keeps nothing; takes the first row, or the first of each gold answer where labels
 * are compared.
 */
export async function lookAtRows(
  rows: HeadRows<PositionedRow>,
  dataset: DatasetConfig,
  { selection, scored }: { readonly selection: RowSelection; readonly scored?: ScoredColumns },
): Promise<FirstRows> {
  const where = selection.where === undefined ? undefined : compileWhere(selection.where);
  const columns = new ColumnSearch(dataset, { where, scored });
  const samples = new SampleSearch(dataset);
  const isKept = keptBy(selection, where);
  let hasKept = false;
  const head: PositionedRow[] = [];
  await rows.look((batch) => {
    hasKept ||= batch.some(isKept);
    if (head.length === 0) head.push(...batch.filter(isKept).slice(0, maxLabels));
    const isSeen = columns.see(batch);
    return samples.see(batch) && isSeen && hasKept;
  });
  columns.check();
  if (dataset.evalCfg && head.some(({ row }) => row.checks !== undefined)) {
    (await import('./row-checks.ts')).requireRowChecks(dataset, head);
  }
  if (samples.found.length > 0 && hasKept && selection.limit !== 0)
    return { samples: samples.found, head };
  throw new DataError('data.no_rows', `The dataset \`${dataset.abbr}\` has no rows to ask`, {
    path: dataset.source,
    hint: 'The file is empty, or the range, --limit, --ids and --where leave nothing.',
  });
}

function keptBy(
  { ids, where: written }: RowSelection,
  where = written === undefined ? undefined : compileWhere(written),
): (row: PositionedRow) => boolean {
  return ({ id, row }) => (!ids || ids.has(id)) && (!where || where.matches(row));
}

/** The columns that scoring reads. */
export type ScoredColumns = Scorer['columns'];

class SampleSearch {
  readonly #column: string | undefined;
  /** The labels that are given: a batch with a gold answer among them is enough. */
  readonly #labels: ReadonlySet<string> | undefined;
  readonly #found = new Map<string, PositionedRow>();

  constructor({ inferCfg: { inferencer }, readerCfg: { outputColumn } }: DatasetConfig) {
    const hasLabels = comparesLabels({ inferencer }) || inferencer.labels !== undefined;
    this.#column = hasLabels ? outputColumn : undefined;
    this.#labels = inferencer.labels && new Set(inferencer.labels.map(formatValue));
  }

  get found(): PositionedRow[] {
    return [...this.#found.values()];
  }

  /** Whether enough was seen. */
  see(batch: readonly PositionedRow[]): boolean {
    let isEnough = false;
    for (const named of batch) {
      const label = this.#column === undefined ? '' : formatValue(named.row[this.#column]);
      if (!this.#found.has(label)) this.#found.set(label, named);
      if (this.#column === undefined || this.#found.size > maxLabels) return true;
      isEnough ||= this.#labels?.has(label) ?? false;
    }
    return isEnough;
  }
}

/** What may be wrong with how measured labels are scored. */
export function* measuredDiagnostics(
  { abbr, source, evalCfg, readerCfg: { outputColumn }, inferCfg: { inferencer } }: DatasetConfig,
  { labels = inferencer.labels, samples, selection, scorer }: MeasuredTask,
): Generator<Diagnostic> {
  if (!evalCfg) return;
  if (!labels || outputColumn === undefined) return;
  const kept = samples.filter(keptBy(selection));
  const isWrong = ({ row }: NamedRow) =>
    isNoLabel(scorer, { gold: row[outputColumn], row, labels });
  const wrong = kept.filter(isWrong).map(({ row }) => row[outputColumn]);
  if (wrong.length === 0) return;
  const [how, rows] =
    wrong.length === kept.length
      ? ['No gold answer of', 'No row']
      : [`${wrong.length} of ${kept.length} different gold answers of`, 'None of their rows'];
  const none =
    wrong.length === kept.length ? 'is one' : wrong.length === 1 ? 'is none' : 'are none';
  yield {
    code: goldNotALabel,
    message: `${how} \`${abbr}\` ${none} of the labels: the labels are ${shownValues(labels)}, the column \`${outputColumn}\` has ${shownValues(wrong)}`,
    hint: `${rows} can be right. Write the labels as in the column, or change the gold answers with \`dataset_postprocessor\`.`,
    path: [...source, 'infer_cfg'],
  };
}

/** Few datasets have more labels than this; gold answers that are no labels are mostly more. */
const usualLabels = 8;

/** Labels that are taken from the gold answers, where these seem to be texts of their own. */
export function* answersAsLabels(
  { abbr, source, inferCfg, readerCfg: { outputColumn } }: DatasetConfig,
  {
    labels,
    head = [],
  }: Pick<FirstRows, 'head'> & { readonly labels: readonly unknown[] | undefined },
): Generator<Diagnostic> {
  const template = (inferCfg.promptTemplate ?? inferCfg.iceTemplate)?.config.template;
  const isOneTemplate =
    typeof template === 'string' ||
    (isMapping(template) && getKey(template, 'round') !== undefined);
  if (!labels || inferCfg.inferencer.labels || !isOneTemplate || outputColumn === undefined) return;
  if (labels.length <= usualLabels || labels.length * 2 < head.length) return;
  yield {
    code: 'data.answers_as_labels',
    message: `Every row of \`${abbr}\` is compared with ${countOf(labels.length, 'label')}, one for each different gold answer of \`${outputColumn}\`: every row takes that many requests`,
    hint: 'For free-text answers, use GenInferencer; if they are labels, set `labels` on the inferencer.',
    path: [...source, 'infer_cfg', 'inferencer'],
  };
}

/** Evaluators that can use every text. */
const anyGold: ReadonlySet<string> = new Set([
  ...['exact', 'contains', 'regex', 'AccEvaluator', 'AccwithDetailsEvaluator', 'EMEvaluator'],
]);

/** Gold answers of the first rows that no answer can be compared with, or that hold several. */
export function* goldDiagnostics(
  { abbr, source, evalCfg, readerCfg: { outputColumn } }: DatasetConfig,
  { head = [], scorer }: Pick<FirstRows, 'head'> & { readonly scorer: Scorer },
): Generator<Diagnostic> {
  const { goldFault } = scorer;
  if (!evalCfg || outputColumn === undefined || !goldFault) return;
  if (anyGold.has(evalCfg.evaluator.type)) return;
  yield* unspacedWords(
    { abbr, source, evalCfg },
    head.map(({ row }) => row[outputColumn]),
  );
  const faults = new Map(head.map(({ row }) => [row, faultOf(goldFault, row[outputColumn], row)]));
  const path = [...source, 'eval_cfg'];
  const { type } = evalCfg.evaluator;
  const goldsWith = (fault: GoldFault) =>
    head.filter(({ row }) => faults.get(row) === fault).map(({ row }) => row[outputColumn]);
  const share = (golds: readonly unknown[]) =>
    `${golds.length} of the first ${countOf(head.length, 'gold answer')} of \`${abbr}\``;
  const unusable = goldsWith('unusable');
  if (unusable.length > 0) {
    yield {
      code: 'data.unusable_gold',
      message: `${share(unusable)} cannot be used by \`${type}\`: the column \`${outputColumn}\` has ${shownValues(unusable)}`,
      hint:
        type === 'choice'
          ? 'These rows get no score. Set `options` of the evaluator to the labels in the column, or use letters there.'
          : 'These rows get no score. Choose another evaluator, or change the gold answers with `dataset_postprocessor`.',
      path,
    };
  }
  const several = goldsWith('several');
  if (several.length === 0) return;
  yield {
    code: 'data.several_golds',
    message: `${share(several)} ${several.length === 1 ? 'holds' : 'hold'} several numbers, of which \`${type}\` takes the last: ${shownValues(several)}`,
    hint: 'Write one number, a list of all that are right, such as `[3, 4]`, or put `####` before the one that counts.',
    path,
  };
}

const wordSettings: Readonly<Record<string, readonly [key: string, hint: string]>> = {
  bleu: ['tokenize', 'Set `tokenize` of the evaluator to `ja`, `zh` or `char`.'],
  BleuEvaluator: ['tokenize', 'Set `tokenize` of the evaluator to `ja`, `zh` or `char`.'],
  ter: ['normalized', 'Set `normalized: true` and `asian_support: true` of the evaluator.'],
  token_f1: ['language', 'Set `language` of the evaluator, such as `ja`.'],
  SquadEvaluator: ['language', 'Set `language` of the evaluator, such as `ja`.'],
};

/** Metrics of words between spaces, where the gold answers are of scripts that have none. */
function* unspacedWords(
  { abbr, source, evalCfg }: Pick<DatasetConfig, 'abbr' | 'source' | 'evalCfg'>,
  golds: readonly unknown[],
): Generator<Diagnostic> {
  if (!evalCfg) return;
  const { type, ...options } = evalCfg.evaluator;
  const [key = '', hint = ''] = wordSettings[type] ?? [];
  if (hint === '' || options[key] !== undefined) return;
  const unspaced = golds.filter((gold) => hasNoSpaces(formatValue(gold ?? '')));
  if (unspaced.length * 2 <= golds.length) return;
  yield {
    code: 'data.unspaced_words',
    message: `\`${type}\` counts words between spaces, and ${unspaced.length} of the first ${countOf(golds.length, 'gold answer')} of \`${abbr}\` use a script without spaces: a whole sentence counts as one word`,
    hint,
    path: [...source, 'eval_cfg', 'evaluator'],
  };
}

function faultOf(find: NonNullable<Scorer['goldFault']>, gold: unknown, row: Row) {
  try {
    return find(gold, row);
  } catch (error) {
    if (isHeavyWork(error) || TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}

/** Whether a request compares labels of which none is the gold answer. */
export function asksNoLabel(
  scorer: Scorer,
  { asked, gold, row }: Pick<PlannedRequest, 'asked' | 'gold' | 'row'>,
): boolean {
  const labels = asked.type === 'loglikelihood' ? asked.labels : undefined;
  return labels !== undefined && isNoLabel(scorer, { gold, row, labels });
}

/** Labels that are compared, and rows whose gold answers may be none of them. */
interface MeasuredTask {
  readonly labels: readonly unknown[] | undefined;
  readonly samples: readonly PositionedRow[];
  readonly selection: RowSelection;
  readonly scorer: Scorer;
}

export const goldNotALabel = 'data.gold_not_a_label';

function shownValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 4).map((value) => `\`${formatValue(value)}\``);
  return shown.join(', ') + (values.length > shown.length ? ', …' : '');
}

/** Choices that stand right after the last letter or mark of a prompt: models know them after a space. */
export function* gluedChoices(
  { abbr, source }: DatasetConfig,
  { context, choices }: { readonly context: string; readonly choices: readonly unknown[] },
): Generator<Diagnostic> {
  if (!/[\w:,.;?!)\]]$/.test(context)) return;
  const glued = choices.map((choice) => formatValue(choice)).find((text) => /^\w/.test(text));
  if (glued === undefined) return;
  const end = context.slice(context.lastIndexOf('\n') + 1).slice(-24);
  yield {
    code: 'template.glued_choices',
    message: `The choices of \`${abbr}\` follow the prompt directly, without a space: \`${end}${glued}\``,
    hint: `Write the space in the choices (\`' ${glued}'\`), or end the template with the hidden answer after a space, as in \`Answer: {label}\`.`,
    path: [...source, 'infer_cfg'],
  };
}

/** A column that some row must have, and who says so. */
interface WantedColumn {
  readonly name: string;
  /** Left out for those of `where`. */
  readonly path?: ConfigPath;
}

class ColumnSearch {
  readonly #dataset: DatasetConfig;
  readonly #wanted: readonly WantedColumn[];
  readonly #missing: Set<string>;
  readonly #seen = new Set<string>();

  constructor(
    dataset: DatasetConfig,
    { where, scored }: { readonly where: Where | undefined; readonly scored: ScoredColumns },
  ) {
    const { readerCfg, source } = dataset;
    const { inputColumns, outputColumn, clusterBy } = readerCfg;
    const declared = [...inputColumns, ...(outputColumn === undefined ? [] : [outputColumn])];
    const path = [...source, 'reader_cfg'];
    const ofWhere = [...(where?.columns ?? [])];
    const ofReader = declared.filter((name) => name !== limitColumn && !ofWhere.includes(name));
    this.#dataset = dataset;
    this.#wanted = [
      ...ofReader.map((name) => ({ name, path })),
      ...(clusterBy === undefined ? [] : [{ name: clusterBy, path: [...path, 'cluster_by'] }]),
      ...ofWhere.map((name) => ({ name })),
      ...(scored === 'any' ? [] : (scored ?? [])),
    ];
    this.#missing = new Set(this.#wanted.map(({ name }) => name));
  }

  get isDone(): boolean {
    return this.#missing.size === 0;
  }

  see(batch: readonly NamedRow[]): boolean {
    if (this.isDone) return true;
    for (const { row } of batch) for (const column of Object.keys(row)) this.#seen.add(column);
    for (const column of this.#seen) this.#missing.delete(column);
    return this.isDone;
  }

  check(): void {
    const wanted = this.#wanted.find(({ name }) => this.#missing.has(name));
    // No rows at all is another error.
    if (!wanted || this.#seen.size === 0) return;
    const { name, path } = wanted;
    throw new DataError(
      'data.unknown_column',
      path
        ? `No row of the dataset \`${this.#dataset.abbr}\` has a column \`${name}\``
        : `where: no row has a column \`${name}\``,
      { path, hint: this.#hintFor(name) },
    );
  }

  #hintFor(name: string): string {
    const hint = hintForName(name, { names: [...this.#seen], kind: 'Columns' });
    const { rows, readerCfg } = this.#dataset;
    const paths =
      rows.type === 'file' ? [rows.path] : Object.values('paths' in rows ? rows.paths : {});
    const hasHeader = paths.some((path) => /\.[ct]sv\b/i.test(path)) && !readerCfg.columns;
    if (!hasHeader) return hint;
    return `${hint} The first line of the file has the names; if it has no header, list the columns in \`reader_cfg.columns\`.`;
  }
}
