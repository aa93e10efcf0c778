import { heldRows, positionRows } from '../../data/row-stream.ts';
import { TypecaseError } from '../../errors.ts';
import type { Evaluation, PlannedRequest } from '../../evaluation/evaluation.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import type { RowId } from '../../prompt/origin.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { modelsKnownBy } from '../../run/known-models.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { configOfRun } from '../remake/config-of-run.ts';

interface RecordedSource {
  readonly file: RunFile | undefined;
  /** Where the files of the config are. */
  readonly folder: string;
  /** What would be asked now. */
  readonly evaluation: Evaluation;
}

/** Requests as the run in the folder made them, by the config that it recorded. */
export interface RecordedRequests {
  /** The request that a record answers; nothing if it cannot be made again. */
  of(row: PositionedRow, record: RowRecord): Promise<PlannedRequest | undefined>;
  close(): Promise<void>;
}

export async function openRecordedRequests(source: RecordedSource): Promise<RecordedRequests> {
  const { file, folder, evaluation } = source;
  const { modelName, task, shape } = evaluation;
  const pool = shape.pool ?? [];
  const places = new Map(pool.map(({ id }, place) => [id, place]));
  let shown: readonly RowId[] = [];
  const opened = await orNothing(async () => {
    if (!file?.models.some(({ name, config }) => name === modelName && config)) return undefined;
    return openEvaluations(await configOfRun(file, { folder }), {
      purpose: 'plan',
      models: [modelName],
      datasets: [task.name],
      known: modelsKnownBy(file),
      given: () => ({
        stream: positionRows(heldRows([])),
        samples: shape.samples ?? [],
        pool,
        examplesOf: () => shown.flatMap((id) => places.get(id) ?? []),
      }),
    });
  });
  return {
    of: (row, record) =>
      orNothing(async () => {
        shown = record.examples ?? [];
        const plan = await opened?.[0]?.plan(row);
        return plan?.key === record.key ? plan.requests[0] : undefined;
      }),
    close: async () => opened?.close(),
  };
}

/** What went out of use since, or lies elsewhere, is not there. */
async function orNothing<Value>(make: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await make();
  } catch (error) {
    if (TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}
