import { keyedRandom, sampleWithoutReplacement } from '../../base/keyed-random.ts';
import {
  type BlockedRequest,
  type CachedRequest,
  defaultBlock,
  PrefixCache,
  type PrefixCacheSettings,
  type PrefixSavings,
  toBlocks,
} from './prefix-cache.ts';

/** Requests that come one after the other: the texts of a row's labels, the turns of a dialogue. */
export interface StudiedCase {
  readonly requests: readonly CachedRequest[];
  /** Its place in the data. */
  readonly place: number;
  /** What it is asked about, such as a document, if that is known. */
  readonly group?: string | undefined;
}

/** `sent`: as a run sends them; `read`: as the data have them; `sorted`: by how they begin. */
export type RequestOrder = 'sent' | 'read' | 'sorted' | 'random' | 'grouped';

/** What caches of several sizes save on requests in some order. */
export interface OrderCurve {
  readonly order: RequestOrder;
  readonly points: readonly SizePoint[];
}

export interface SizePoint extends PrefixSavings {
  /** Tokens that there is room for. */
  readonly size: number;
}

export interface BlockPoint extends PrefixSavings {
  /** Tokens of a block. */
  readonly block: number;
}

/** What a prefix cache would save, and how that depends on its settings. */
export interface PrefixCurves {
  /** As a run sends the requests, with the settings that are given. */
  readonly savings: PrefixSavings;
  readonly block: number;
  /** Left out where the room has no limit. */
  readonly size?: number | undefined;
  readonly inFlight: number;
  /** Tokens that stand in the cache at the end, if nothing had to go. */
  readonly keptTokens: number;
  /** First as a run sends the requests; as they are read, if that is the same. */
  readonly orders: readonly OrderCurve[];
  /** With blocks of other sizes, as a run sends the requests. */
  readonly blocks: readonly BlockPoint[];
}

const usualBlocks = [1, 16, 32, 64, 128, 256];
const mostSizes = 8;

/** Runs caches of several sizes over the same requests in several orders. */
export function prefixCurves(
  cases: readonly StudiedCase[],
  settings: PrefixCacheSettings = {},
): PrefixCurves {
  const { block = defaultBlock, size, inFlight = 1 } = settings;
  const blocked = new Map(
    cases.map((one) => [one, one.requests.map((request) => toBlocks(request, block))]),
  );
  const run = (ordered: readonly StudiedCase[], room: number | undefined) => {
    const cache = new PrefixCache({ block, size: room, inFlight });
    for (const one of ordered)
      for (const request of blocked.get(one) ?? []) cache.sendBlocks(request);
    return cache;
  };
  const { kept: keptTokens } = run(cases, undefined);
  const sizes = sizesOf([...blocked.values()].flat(), { block, keptTokens, size });
  return {
    savings: run(cases, size).savings,
    block,
    ...(size !== undefined && { size }),
    inFlight,
    keptTokens,
    orders: ordersOf(cases).map(({ order, cases: ordered }) => ({
      order,
      points: sizes.map((room) => ({ size: room, ...run(ordered, room).savings })),
    })),
    blocks: [...new Set([...usualBlocks, block])]
      .sort((one, other) => one - other)
      .map((length) => ({ block: length, ...withBlocks(cases, { ...settings, block: length }) })),
  };
}

function withBlocks(cases: readonly StudiedCase[], settings: PrefixCacheSettings): PrefixSavings {
  const cache = new PrefixCache(settings);
  for (const { requests } of cases) for (const request of requests) cache.send(request);
  return cache.savings;
}

/** Powers of two from a room for the longest request to one for everything, and the room that is given. */
function sizesOf(
  requests: readonly BlockedRequest[],
  { block, keptTokens, size }: Pick<PrefixCurves, 'block' | 'keptTokens' | 'size'>,
): number[] {
  const longest = requests.reduce((most, { blocks }) => Math.max(most, blocks), 1) * block;
  const first = Math.ceil(Math.log2(longest));
  const last = Math.max(first, Math.ceil(Math.log2(Math.max(1, keptTokens))));
  const step = Math.ceil((last - first + 1) / mostSizes);
  const sizes = new Set<number>(size === undefined ? [] : [size]);
  for (let power = last; power >= first; power -= step) sizes.add(2 ** power);
  return [...sizes].sort((one, other) => one - other);
}

function ordersOf(
  cases: readonly StudiedCase[],
): readonly { readonly order: RequestOrder; readonly cases: readonly StudiedCase[] }[] {
  const read = cases.toSorted((one, other) => one.place - other.place);
  const hasGroups = cases.some(({ group }) => group !== undefined);
  const isRead = read.every((one, index) => one === cases[index]);
  return [
    ...(isRead ? [] : [{ order: 'sent', cases } as const]),
    { order: 'read', cases: read },
    { order: 'sorted', cases: read.toSorted(compareStarts) },
    { order: 'random', cases: shuffled(read) },
    ...(hasGroups ? [{ order: 'grouped', cases: grouped(read) } as const] : []),
  ];
}

function compareStarts({ requests: [one] }: StudiedCase, { requests: [other] }: StudiedCase) {
  if (!one || !other) return 0;
  const longest = Math.min(one.tokens.length, other.tokens.length);
  for (let index = 0; index < longest; index++) {
    const difference = (one.tokens[index] as number) - (other.tokens[index] as number);
    if (difference !== 0) return difference;
  }
  return one.tokens.length - other.tokens.length;
}

function shuffled(cases: readonly StudiedCase[]): StudiedCase[] {
  const drawn = sampleWithoutReplacement(keyedRandom(0, 'order'), cases.length, cases.length);
  return drawn.map((index) => cases[index] as StudiedCase);
}

/** Those of a group together, groups in the order in which they come first. */
function grouped(cases: readonly StudiedCase[]): StudiedCase[] {
  const groups = new Map<string, StudiedCase[]>();
  for (const one of cases) {
    const { group = '' } = one;
    const others = groups.get(group);
    if (others) others.push(one);
    else groups.set(group, [one]);
  }
  return [...groups.values()].flat();
}
