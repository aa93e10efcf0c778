import { heldRows } from '../../data/row-stream.ts';
import { TypecaseError } from '../../errors.ts';
import type { Evaluation, PlannedRequest } from '../../evaluation/evaluation.ts';
import { openEvaluations } from '../../evaluation/open-evaluations.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { modelsKnownBy } from '../../run/known-models.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { configOfRun } from '../remake/config-of-run.ts';

interface RecordedSource {
  readonly file: RunFile;
  /** Where the files of the config are. */
  readonly folder: string;
  readonly evaluation: Evaluation;
}

/**
 * The request of a row as the run in the folder made it, by the config that it recorded; nothing if
 * that is not the one that the record answers.
 */
export async function recordedRequest(
  { file, folder, evaluation }: RecordedSource,
  row: PositionedRow,
  record: RowRecord,
): Promise<PlannedRequest | undefined> {
  const { modelName, task, shape } = evaluation;
  if (!file.models.some(({ name, config }) => name === modelName && config)) return undefined;
  const pool = shape.pool ?? [];
  const places = new Map(pool.map(({ id }, place) => [id, place]));
  const { batches, ...rest } = heldRows([row]);
  const stream = { ...rest, batches: () => batches() as AsyncIterable<PositionedRow[]> };
  try {
    await using evaluations = await openEvaluations(await configOfRun(file, { folder }), {
      purpose: 'plan',
      models: [modelName],
      datasets: [task.name],
      known: modelsKnownBy(file),
      given: () => ({
        stream,
        samples: shape.samples ?? [row],
        pool,
        examplesOf: () => (record.examples ?? []).flatMap((id) => places.get(id) ?? []),
      }),
    });
    const plan = await evaluations[0]?.plan(row);
    return plan?.key === record.key ? plan.requests[0] : undefined;
  } catch (error) {
    if (TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}
