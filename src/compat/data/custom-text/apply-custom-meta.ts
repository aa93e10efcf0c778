import { countRows, passOn, type RowStream } from '../../../data/row-stream.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import type { CustomMeta } from './custom-meta.ts';
import { limitAnswer } from './limit-answer.ts';
import { sampleRows } from './sample-rows.ts';

export interface ApplyOptions {
  readonly meta?: CustomMeta | undefined;
  readonly seed: number;
}

/**
 * The requests that a custom text file and its settings stand for. Each row gets the column
 * `max_out_len` if the settings, or its own `max_tokens`, limit the answer. A row that is asked
 * again gets the number of the repetition after its id: `3`, `3#1`, `3#2`.
 */
export function applyCustomMeta(stream: RowStream, { meta, seed }: ApplyOptions): RowStream {
  const { requestCount, samplingMode = 'default', outputLengths: lengths } = meta ?? {};
  const batches = async function* (): AsyncGenerator<readonly NamedRow[], void, undefined> {
    const isShared = lengths?.type === 'percentage';
    const total = requestCount ?? (isShared ? await stream.count() : undefined);
    let index = 0;
    for await (const batch of sampleRows(stream, { samplingMode, requestCount, seed })) {
      yield batch.map((named) => limitAnswer(named, { lengths, total, index: index++, seed }));
    }
  };
  return { ...passOn(stream), batches, count: () => countRows(batches()) };
}
