import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { withLocation } from '../../config/with-location.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { type Evaluations, openEvaluations } from '../../evaluation/open-evaluations.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { knownModels } from '../../run/known-models.ts';
import { recallLoglikelihoodsOf } from '../../run/loglikelihood-memory.ts';
import { type AnsweredRows, openAnsweredRows } from '../../study/view/answered-row.ts';
import { makeView, type PromptView } from '../../study/view/prompt-view.ts';

/** One model on one dataset, by their names. */
export interface Selected {
  readonly model: string | undefined;
  readonly dataset: string;
}

/** An evaluation that can be looked at. */
export interface OpenedView {
  readonly rowCount: number;
  /** Whether the rows may have other numbers in the data. */
  readonly isRange: boolean;
  /** Where rows of the data stand among the rows. */
  positionsOf(ids: readonly number[]): Promise<readonly number[]>;
  /** What is sent for the rows at some positions, in the order of the positions. */
  views(positions: readonly number[]): Promise<readonly PromptView[]>;
  close(): Promise<void>;
}

export interface ViewSettings {
  readonly config: Config;
  /** The folder of a run, whose answers are then known. */
  readonly run?: string | undefined;
  /** Whether to show what judges would be asked about answers that are not known. */
  readonly judge?: boolean | undefined;
}

export async function openView(
  { config, run, judge }: ViewSettings,
  { model, dataset }: Selected,
): Promise<OpenedView> {
  const folder = run === undefined ? undefined : resolve(run);
  const evaluations = await openEvaluations(config, {
    purpose: 'view',
    ...(model !== undefined && { models: [model] }),
    datasets: [dataset],
    ...(folder !== undefined && {
      known: await knownModels(folder),
      rememberLoglikelihoods: recallLoglikelihoodsOf(folder),
    }),
  });
  try {
    return await lookAt(evaluations, { config, folder, showsJudge: judge });
  } catch (error) {
    await evaluations.close();
    throw withLocation(config.written, error);
  }
}

async function lookAt(
  evaluations: Evaluations,
  {
    config,
    folder,
    showsJudge,
  }: Pick<Looked, 'config' | 'showsJudge'> & { readonly folder: string | undefined },
): Promise<OpenedView> {
  const [evaluation] = evaluations;
  if (!evaluation) throw new RangeError('Nothing was opened');
  const answered = folder === undefined ? undefined : await openAnsweredRows(folder, evaluation);
  return {
    rowCount: await evaluation.rows.count(),
    isRange: evaluation.task.dataset?.readerCfg.testRange !== undefined,
    async positionsOf(ids) {
      const rows = await rowsWhere(evaluation, ids, ({ id }) => Number(id));
      return rows.map(({ position }) => position);
    },
    async views(positions) {
      const rows = await rowsWhere(evaluation, positions, ({ position }) => position);
      try {
        const views: PromptView[] = [];
        for (const row of rows)
          views.push(await viewOf(row, { config, evaluation, answered, showsJudge }));
        return views;
      } catch (error) {
        throw withLocation(config.written, error);
      }
    },
    async close() {
      await answered?.close();
      await evaluations.close();
    },
  };
}

interface Looked {
  readonly config: Config;
  readonly evaluation: Evaluation;
  readonly answered: AnsweredRows | undefined;
  readonly showsJudge?: boolean | undefined;
}

async function viewOf(row: PositionedRow, { answered, ...source }: Looked): Promise<PromptView> {
  return makeView({ ...source, answered: await answered?.of(row) }, row);
}

/** The rows of which a number is one of these, in the order of the numbers. */
async function rowsWhere(
  { rows }: Evaluation,
  numbers: readonly number[],
  numberOf: (row: PositionedRow) => number,
): Promise<readonly PositionedRow[]> {
  const wanted = new Set(numbers);
  const found = new Map<number, PositionedRow>();
  for await (const batch of rows.batches()) {
    for (const row of batch) if (wanted.has(numberOf(row))) found.set(numberOf(row), row);
    if (found.size === wanted.size) break;
  }
  return numbers.flatMap((number) => found.get(number) ?? []);
}
