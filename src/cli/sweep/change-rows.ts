import { countRows, type RowStream } from '../../data/row-stream.ts';
import type { NamedRow } from '../../prompt/index.ts';
import { rotateRow } from '../../score/index.ts';
import type { OptionOrder } from '../../sweep/option-orders.ts';
import type { BuiltTask } from '../run/build-tasks.ts';

/** The task with its options in another order. */
export function inOrder(task: BuiltTask, { rotation, ...settings }: OptionOrder): BuiltTask {
  return changeRows(task, (rows) =>
    rows.map(({ id, row }) => ({ id, row: rotateRow(row, rotation, settings) })),
  );
}

/** The task with some of its rows only. */
export function onlyRows(task: BuiltTask, ids: ReadonlySet<number>): BuiltTask {
  return changeRows(task, (rows) => rows.filter(({ id }) => ids.has(Number(id))));
}

function changeRows(
  task: BuiltTask,
  change: (rows: readonly NamedRow[]) => readonly NamedRow[],
): BuiltTask {
  const { stream } = task.rows;
  const changed: RowStream = {
    async *batches() {
      for await (const batch of stream.batches()) yield change(batch);
    },
    count: () => countRows(changed.batches()),
    describe: () => stream.describe(),
  };
  return {
    ...task,
    rows: { ...task.rows, stream: changed },
    settings: { ...task.settings, rows: changed.batches(), countRows: () => changed.count() },
  };
}
