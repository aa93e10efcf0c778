import { ConfigError, formatPath } from '../../errors.ts';
import { CompatError } from '../../python/compat-error.ts';
import { toPython } from '../../python/convert.ts';
import { NumpyRandomState } from '../../python/random/numpy-random-state.ts';
import { pyStr } from '../../python/repr.ts';
import { Bm25Index } from '../../retrieve/bm25/bm25-index.ts';
import { mdlRetriever, type TrialDraw } from '../../retrieve/embeddings/mdl.ts';
import { topkRetriever } from '../../retrieve/embeddings/top-k.ts';
import { votekRetriever } from '../../retrieve/embeddings/vote-k.ts';
import { neededParts } from '../../retrieve/needed-parts.ts';
import { Pool, poolTooSmall } from '../../retrieve/pool.ts';
import {
  drawnBy,
  type Retriever,
  type RetrieverContext,
  type RetrieverSettings,
  zeroRetriever,
} from '../../retrieve/retriever.ts';
import type { RowText } from '../../retrieve/row-text.ts';
import type { Compat } from '../compat.ts';
import { pickShots } from '../prompt/shots.ts';
import { splitNltkWords } from './nltk-words.ts';

export interface CompatContext extends RetrieverContext {
  readonly compat: Compat;
}

interface Parts {
  readonly settings: RetrieverSettings;
  readonly context: CompatContext;
  readonly count: number;
  readonly seed: number;
}

/** The retriever of OpenCompass, or of AISBench, which has the first few of them. */
export function createCompatRetriever(
  settings: RetrieverSettings,
  context: CompatContext,
): Retriever {
  if (settings.type === 'ZeroRetriever') return zeroRetriever;
  refuseOwnKeys(settings, context);
  const { type, iceNum: count = 1 } = settings;
  const create = Object.hasOwn(creators, type) ? creators[type] : undefined;
  if (!create) throw notThere(context, 'type', `\`${type}\``);
  const { seed = defaultSeeds[type] ?? 0 } = settings;
  return drawnBy(create({ settings, context, count, seed }), type, seed);
}

const defaultSeeds: Readonly<Record<string, number>> = { RandomRetriever: 43, MDLRetriever: 1 };

const creators: Readonly<Record<string, (parts: Parts) => Retriever>> = {
  FixKRetriever: ({ settings: { fixIdList = [] }, context: { pool, compat } }) => {
    pickShots(pool, { indices: fixIdList, compat });
    const frozen = Object.freeze([...fixIdList]);
    return () => frozen;
  },
  RandomRetriever: ({ context, count, seed }) => drawForEachRow(context, { seed, count }),
  SlidingWindowRetriever: (parts) => slidingWindow(parts.context.pool.length, neededParts(parts).k),
  BM25Retriever: ({ context, count }) => searchByNltkWords(context, count),
  TopkRetriever: (parts) => topkRetriever(vectorsOf(parts), parts.count),
  VotekRetriever: (parts) => {
    const { count, seed, settings } = parts;
    const vectors = { ...vectorsOf(parts), normalized: true };
    return votekRetriever(vectors, { count, votes: settings.votekK ?? 3, seed });
  },
  DPPRetriever: ({ context }) => {
    throw new CompatError({
      type: 'TypeError',
      message: 'only integer scalar arrays can be converted to a scalar index',
      what: 'the DPPRetriever of OpenCompass fails on any data',
      path: context.path,
    });
  },
  MDLRetriever: (parts) => {
    const { settings, count, seed } = parts;
    const { candidateNum: candidates = 1, selectTime: trials = 5 } = settings;
    const { labelLosses } = neededParts(parts);
    const draw = drawTrials({ seed, count, trials });
    return mdlRetriever(vectorsOf(parts), { count, candidates, trials, labelLosses, draw });
  },
};

/** One NumPy generator draws for all rows, in their order. */
function drawForEachRow(
  { pool: { length: available }, path }: CompatContext,
  { seed, count }: { readonly seed: number; readonly count: number },
): Retriever {
  if (count > available) throw poolTooSmall({ wanted: count, available, path });
  const generator = new NumpyRandomState(seed);
  const draws: number[][] = [];
  return ({ position }) => {
    while (draws.length <= position) draws.push(generator.choice(available, count));
    return draws[position] ?? [];
  };
}

/**
 * Windows by the position among the test rows, over the training rows. Numbers below 0 count from
 * the end there, and numbers beyond the pool fail when the example is made.
 */
function slidingWindow(poolSize: number, size: number): Retriever {
  return ({ position }) =>
    Array.from({ length: size }, (_, offset) => {
      const index = position - size + offset;
      return index < 0 ? poolSize + index : index;
    });
}

/**
 * BM25 by NLTK's words with their case: the test row is among its own examples, a smaller pool
 * gives fewer examples, and of equal scores the later row comes first.
 */
function searchByNltkWords(context: CompatContext, count: number): Retriever {
  const text = textOf(context);
  const documents = function* () {
    for (const { row } of context.pool) yield splitNltkWords(text(row));
  };
  const index = new Bm25Index(documents());
  return ({ row }) => index.search(splitNltkWords(text(row)), { count, laterFirst: true }).indexes;
}

/** One NumPy generator draws the trials of all rows, in their order. */
function drawTrials({
  seed,
  count,
  trials,
}: Readonly<Record<'seed' | 'count' | 'trials', number>>): TrialDraw {
  const generator = new NumpyRandomState(seed);
  const draws: (readonly number[])[] = [];
  return ({ position }, trial, size) => {
    if (count > size) throw tooFewCandidates(count, size);
    const index = position * (trials - 1) + trial - 1;
    while (draws.length <= index) draws.push(generator.choice(size, count));
    return draws[index] ?? [];
  };
}

function tooFewCandidates(count: number, size: number): CompatError {
  return new CompatError({
    type: 'ValueError',
    message: "Cannot take a larger sample than population when 'replace=False'",
    what: `${count} examples cannot be drawn from ${size} candidate${size === 1 ? '' : 's'}`,
    hint: 'set candidate_num to ice_num or more: it is 1 by default',
  });
}

/** The text by which rows are compared: the input columns as Python prints them. */
function textOf({ inputColumns }: CompatContext): RowText {
  return (row) => inputColumns.map((column) => pyStr(toPython(row[column]))).join(' ');
}

function vectorsOf(parts: Parts) {
  const { context } = parts;
  const pool = new Pool({ rows: context.pool, withOwn: true, path: context.path });
  const { embedder } = neededParts(parts);
  return { pool, textOf: textOf(context), embedder, normalized: false };
}

/** Narrower pools or other columns would make prompts that those systems never make. */
function refuseOwnKeys(
  { where, sameAs, columns }: RetrieverSettings,
  context: CompatContext,
): void {
  for (const [key, value] of Object.entries({ where, same_as: sameAs, columns })) {
    if (value !== undefined) throw notThere(context, key, `\`${key}\``);
  }
}

function notThere({ compat, path }: CompatContext, key: string, what: string): ConfigError {
  return new ConfigError(
    'config.conflicting_keys',
    `${formatPath([...path, key])}: ${what} does not exist in ${compat}, which is set as \`compat\``,
    { path: [...path, key], hint: `Leave out \`compat\`, or remove ${what}.` },
  );
}
