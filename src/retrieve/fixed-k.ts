import { type ConfigPath, DataError, formatPath } from '../errors.ts';
import type { Retriever } from './retriever.ts';

const none: readonly number[] = Object.freeze([]);

/** No examples. */
export const zeroRetriever: Retriever = () => none;

/** The same examples for every row. */
export function fixedRetriever(
  indexes: readonly number[],
  poolSize: number,
  path: ConfigPath,
): Retriever {
  for (const [position, index] of indexes.entries()) {
    if (Number.isInteger(index) && index >= 0 && index < poolSize) continue;
    throw new DataError(
      'retrieve.no_such_example',
      `${formatPath([...path, position])}: there is no example ${index}; the pool has ${poolSize} row${poolSize === 1 ? '' : 's'}`,
      {
        path: [...path, position],
        hint:
          poolSize === 0
            ? 'The train split is empty: check `train_split` and `train_range`.'
            : `Use numbers from 0 to ${poolSize - 1}.`,
      },
    );
  }
  const frozen = Object.freeze([...indexes]);
  return () => frozen;
}
