import { DataError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';

/** One source for all splits, or a source for each. */
export type SplitSources = string | Readonly<Record<string, string>>;

export interface SplitNames {
  readonly testSplit: string;
  /** Needed only where examples are drawn. */
  readonly trainSplit?: string;
}

export interface SplitPair {
  readonly test: string;
  readonly train?: string;
}

/** The sources of the rows to ask about and of the pool of examples. */
export function splitOf(sources: SplitSources, { testSplit, trainSplit }: SplitNames): SplitPair {
  const test = findSplit(sources, testSplit);
  return trainSplit === undefined ? { test } : { test, train: findSplit(sources, trainSplit) };
}

function findSplit(sources: SplitSources, split: string): string {
  if (typeof sources === 'string') return sources;
  const source = Object.hasOwn(sources, split) ? sources[split] : undefined;
  if (source !== undefined) return source;
  const names = Object.keys(sources);
  const near = nearestName(split, names);
  throw new DataError('data.unknown_split', `The data set has no split \`${split}\``, {
    hint: `${near ? `Did you mean \`${near}\`? ` : ''}Splits: ${names.join(', ')}.`,
  });
}
