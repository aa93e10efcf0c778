import { ConfigError, formatPath } from '../../errors.ts';
import { CompatError } from '../../python/compat-error.ts';
import { toPython } from '../../python/convert.ts';
import { pyStr } from '../../python/repr.ts';
import { mdlRetriever } from '../../retrieve/embeddings/mdl.ts';
import { topkRetriever } from '../../retrieve/embeddings/top-k.ts';
import { votekRetriever } from '../../retrieve/embeddings/vote-k.ts';
import { zeroRetriever } from '../../retrieve/given-examples.ts';
import { neededParts } from '../../retrieve/needed-parts.ts';
import { Pool } from '../../retrieve/pool.ts';
import type { Retriever, RetrieverContext, RetrieverSettings } from '../../retrieve/retriever.ts';
import type { RowText } from '../../retrieve/row-text.ts';
import type { Flavour } from '../prompt/flavour.ts';
import { pickShots } from '../prompt/retriever.ts';
import { openCompassBm25 } from './bm25.ts';
import { numpyTrials } from './mdl-trials.ts';
import { numpyRetriever } from './numpy-retriever.ts';
import { openCompassWindow } from './sliding-window.ts';

export interface CompatContext extends RetrieverContext {
  readonly compat: Flavour;
}

interface Parts {
  readonly settings: RetrieverSettings;
  readonly context: CompatContext;
  readonly count: number;
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
  return create({ settings, context, count });
}

const randomSeed = 43;
const mdlSeed = 1;

const creators: Readonly<Record<string, (parts: Parts) => Retriever>> = {
  FixKRetriever: ({ settings: { fixIdList = [] }, context: { pool, compat } }) => {
    pickShots(pool, { indices: fixIdList, flavour: compat });
    const frozen = Object.freeze([...fixIdList]);
    return () => frozen;
  },
  RandomRetriever: ({ settings: { seed = randomSeed }, context, count }) =>
    numpyRetriever({ ...context, seed, count }),
  SlidingWindowRetriever: (parts) =>
    openCompassWindow(parts.context.pool.length, neededParts(parts).k),
  BM25Retriever: ({ context, count }) =>
    openCompassBm25({ pool: context.pool, textOf: textOf(context), count }),
  TopkRetriever: (parts) => topkRetriever(vectorsOf(parts), parts.count),
  VotekRetriever: (parts) => {
    const { votekK: votes = 3, seed = 0 } = parts.settings;
    const vectors = { ...vectorsOf(parts), normalized: true };
    return votekRetriever(vectors, { count: parts.count, votes, seed });
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
    const { settings, count } = parts;
    const { candidateNum: candidates = 1, selectTime: trials = 5, seed = mdlSeed } = settings;
    const { labelLosses } = neededParts(parts);
    const draw = numpyTrials({ seed, count, trials });
    return mdlRetriever(vectorsOf(parts), { count, candidates, trials, labelLosses, draw });
  },
};

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
    `${formatPath([...path, key])}: ${what} is not known to ${compat}, which \`compat\` asks for`,
    { path: [...path, key], hint: `Leave out \`compat\`, or do without ${what}.` },
  );
}
