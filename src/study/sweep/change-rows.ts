import { countRows, type RowStream } from '../../data/row-stream.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { rotateRow } from '../../score/circular/rotate-row.ts';
import type { OptionOrder } from './option-orders.ts';

/** The evaluation with its options in another order, if there is one. */
export function inOrder(evaluation: Evaluation, order: OptionOrder | undefined): Evaluation {
  if (!order) return evaluation;
  const { rotation, ...settings } = order;
  return changeRows(evaluation, (rows) =>
    rows.map(({ row, ...named }) => ({ ...named, row: rotateRow(row, rotation, settings) })),
  );
}

/** The evaluation with some of its rows only. */
export function onlyRows(evaluation: Evaluation, ids: ReadonlySet<number>): Evaluation {
  return changeRows(evaluation, (rows) => rows.filter(({ id }) => ids.has(Number(id))));
}

function changeRows(
  evaluation: Evaluation,
  change: (rows: readonly PositionedRow[]) => readonly PositionedRow[],
): Evaluation {
  const { rows } = evaluation;
  const changed: RowStream<PositionedRow> = {
    async *batches() {
      for await (const batch of rows.batches()) yield change(batch);
    },
    count: () => countRows(changed.batches()),
    describe: () => rows.describe(),
    close: async () => rows.close?.(),
  };
  return { ...evaluation, rows: changed };
}
