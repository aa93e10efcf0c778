import type { NamedRow } from '../prompt/trace.ts';
import { checkColumns } from './pool.ts';
import { emptyPool } from './pool-errors.ts';
import type { LabelLosses, Retriever, RetrieverContext, RowCondition } from './retriever.ts';

/** A retriever over the rows of the pool that fit a condition. */
export function retrieverWhere(
  where: RowCondition,
  context: RetrieverContext,
  create: (context: RetrieverContext) => Retriever,
): Retriever {
  const { pool, path, labelLosses } = context;
  checkColumns(where.columns, pool, [...path, 'where']);
  const kept: number[] = [];
  const rows: NamedRow[] = [];
  for (const [index, named] of pool.entries()) {
    if (!where.matches(named.row)) continue;
    kept.push(index);
    rows.push(named);
  }
  if (rows.length === 0)
    throw emptyPool([...path, 'where'], 'The condition keeps none: loosen it.');
  const toPool = (indexes: readonly number[]) => indexes.map((index) => kept[index] as number);
  const losses: LabelLosses | undefined =
    labelLosses && ((query, shots, options) => labelLosses(query, toPool(shots), options));
  const inner = create({ ...context, pool: rows, labelLosses: losses });
  return Object.assign((query: Parameters<Retriever>[0]) => toPool(inner(query)), {
    prepare: inner.prepare,
  });
}
