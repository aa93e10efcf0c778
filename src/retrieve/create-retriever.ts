import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { NamedRow } from '../prompt/index.ts';
import { fixedRetriever } from './fixed-k.ts';
import { numpyRetriever, randomRetriever } from './random.ts';
import type { Retriever } from './retriever.ts';
import { zeroRetriever } from './zero.ts';

export interface RetrieverSettings {
  readonly type: string;
  readonly fixIdList?: readonly number[] | undefined;
  readonly iceNum?: number | undefined;
  readonly seed?: number | undefined;
}

const compatSeed = 43;

/** The retriever that a config names, over a pool of examples. */
export function createRetriever(
  settings: RetrieverSettings,
  { pool, compat, path }: { pool: readonly NamedRow[]; compat: boolean; path: ConfigPath },
): Retriever {
  switch (settings.type) {
    case 'ZeroRetriever':
      return zeroRetriever;
    case 'FixKRetriever':
      return fixedRetriever(settings.fixIdList ?? [], pool.length, [...path, 'fix_id_list']);
    case 'RandomRetriever': {
      const count = settings.iceNum ?? 1;
      const random = { pool, count, path: [...path, 'ice_num'] };
      return compat
        ? numpyRetriever({ ...random, seed: settings.seed ?? compatSeed })
        : randomRetriever({ ...random, seed: settings.seed ?? 0 });
    }
    default:
      throw new ConfigError(
        'config.unknown_type',
        `${formatPath([...path, 'type'])}: there is no retriever \`${settings.type}\``,
        {
          path: [...path, 'type'],
          hint: 'Retrievers: ZeroRetriever, FixKRetriever, RandomRetriever.',
        },
      );
  }
}

/** Whether a retriever gives any examples at all. */
export function givesShots({ type, fixIdList, iceNum }: RetrieverSettings): boolean {
  if (type === 'ZeroRetriever') return false;
  if (type === 'FixKRetriever') return (fixIdList?.length ?? 0) > 0;
  return (iceNum ?? 1) > 0;
}
