import type { NamedRow } from '../prompt/trace.ts';
import { bm25Retriever } from './bm25/bm25-retriever.ts';
import { dppRetriever } from './embeddings/dpp.ts';
import { keyedTrials, mdlRetriever } from './embeddings/mdl.ts';
import { topkRetriever } from './embeddings/top-k.ts';
import { votekRetriever } from './embeddings/vote-k.ts';
import { fixedRetriever, functionRetriever } from './given-examples.ts';
import { neededParts, unknownRetriever } from './needed-parts.ts';
import { checkColumns, emptyPool, Pool } from './pool.ts';
import { balancedRetriever, randomRetriever } from './random.ts';
import {
  drawnBy,
  type LabelLosses,
  type Retriever,
  type RetrieverContext,
  type RetrieverSettings,
  type RowCondition,
  zeroRetriever,
} from './retriever.ts';
import { rowText } from './row-text.ts';
import { slidingWindowRetriever } from './sliding-window.ts';

/**
 * Creates the retriever of a config, over a pool of examples.
 *
 * @example
 * const pool = ['a cat', 'two dogs', 'the sea'].map((q, id) => ({ id, row: { q } }));
 * const retriever = createRetriever(
 *   { type: 'BM25Retriever', iceNum: 1 },
 *   { pool, inputColumns: ['q'], path: ['retriever'] },
 * );
 * retriever({ id: 'test', position: 0, row: { q: 'three dogs' } }); // [1]
 */
export function createRetriever(settings: RetrieverSettings, context: RetrieverContext): Retriever {
  const { type, fixIdList = [], where } = settings;
  const { pool, path } = context;
  if (type === 'ZeroRetriever') return zeroRetriever;
  if (type === 'FixKRetriever') {
    return fixedRetriever(fixIdList, pool.length, [...path, 'fix_id_list']);
  }
  const create = (over: RetrieverContext) => createOver(settings, over);
  return where ? retrieverWhere(where, context, create) : create(context);
}

interface Parts {
  readonly settings: RetrieverSettings;
  readonly context: RetrieverContext;
  readonly pool: Pool;
  readonly count: number;
  readonly seed: number;
}

const defaultCandidates = 30;

function candidatesOf({ settings, count }: Parts): number {
  return Math.max(settings.candidateNum ?? defaultCandidates, count);
}

const creators: Readonly<Record<string, (parts: Parts) => Retriever>> = {
  RandomRetriever: randomRetriever,
  BalancedRetriever: (parts) => balancedRetriever(parts, neededParts(parts).outputColumn),
  SlidingWindowRetriever: (parts) => {
    const { k: size } = neededParts(parts);
    return slidingWindowRetriever({ pool: parts.pool, size });
  },
  BM25Retriever: (parts) => bm25Retriever({ ...parts, textOf: textOf(parts) }),
  TopkRetriever: (parts) => topkRetriever(vectorsOf(parts), parts.count),
  VotekRetriever: (parts) => {
    const { count, seed, settings } = parts;
    return votekRetriever(vectorsOf(parts), { count, seed, votes: settings.votekK ?? 3 });
  },
  DPPRetriever: (parts) => {
    const { count, settings } = parts;
    const candidates = candidatesOf(parts);
    return dppRetriever(vectorsOf(parts), {
      count,
      candidates,
      scale: settings.scaleFactor ?? 0.1,
    });
  },
  MDLRetriever: (parts) => {
    const { count, seed, settings } = parts;
    const { selectTime: trials = 5 } = settings;
    const { labelLosses } = neededParts(parts);
    const candidates = candidatesOf(parts);
    const draw = keyedTrials(seed, count);
    return mdlRetriever(vectorsOf(parts), { count, candidates, trials, labelLosses, draw });
  },
  FunctionRetriever: (parts) => functionRetriever(parts.pool, neededParts(parts).retrieve),
};

function createOver(settings: RetrieverSettings, context: RetrieverContext): Retriever {
  const create = Object.hasOwn(creators, settings.type) ? creators[settings.type] : undefined;
  if (!create) throw unknownRetriever(settings.type, Object.keys(creators), context.path);
  const { iceNum: count = 1, seed = 0, sameAs } = settings;
  const pool = new Pool({ rows: context.pool, sameAs, path: context.path });
  return drawnBy(create({ settings, context, pool, count, seed }), settings.type, seed);
}

function textOf({ settings, context }: Parts) {
  return rowText(settings, context);
}

function vectorsOf(parts: Parts) {
  const { embedder } = neededParts(parts);
  return { pool: parts.pool, textOf: textOf(parts), embedder, normalized: true };
}

/** A retriever over the rows of the pool that fit a condition. */
function retrieverWhere(
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
    throw emptyPool([...path, 'where'], 'The condition leaves no rows: loosen it.');
  const toPool = (indexes: readonly number[]) => indexes.map((index) => kept[index] as number);
  const losses: LabelLosses | undefined =
    labelLosses && ((query, shots, options) => labelLosses(query, toPool(shots), options));
  const inner = create({ ...context, pool: rows, labelLosses: losses });
  return Object.assign((query: Parameters<Retriever>[0]) => toPool(inner(query)), {
    prepare: inner.prepare,
    seed: inner.seed,
  });
}
