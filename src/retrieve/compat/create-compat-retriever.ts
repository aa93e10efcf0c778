import { ConfigError, formatPath } from '../../errors.ts';
import { CompatError, type Flavour, pickShots } from '../../prompt/compat/index.ts';
import { mdlRetriever } from '../embeddings/mdl.ts';
import { topkRetriever } from '../embeddings/top-k.ts';
import { votekRetriever } from '../embeddings/vote-k.ts';
import { neededParts } from '../needed-parts.ts';
import { Pool } from '../pool.ts';
import type { Retriever, RetrieverContext, RetrieverSettings } from '../retriever.ts';
import { rowText } from '../row-text.ts';
import { openCompassBm25 } from './bm25.ts';
import { numpyTrials } from './mdl-trials.ts';
import { numpyRetriever } from './numpy-random.ts';
import { openCompassWindow } from './sliding-window.ts';

interface CompatContext extends RetrieverContext {
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
  BM25Retriever: ({ settings, context, count }) =>
    openCompassBm25({ pool: context.pool, textOf: rowText(settings, context), count }),
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

function vectorsOf(parts: Parts) {
  const { settings, context } = parts;
  const pool = new Pool({ rows: context.pool, withOwn: true, path: context.path });
  const { embedder } = neededParts(parts);
  return { pool, textOf: rowText(settings, context), embedder, normalized: false };
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
