import { countOf, formatCount } from '../../base/format.ts';
import type { PartOrder, PartOrders } from '../../study/prefix-cache/part-orders.ts';
import type { PrefixSavings } from '../../study/prefix-cache/prefix-cache.ts';
import type {
  OrderCurve,
  PrefixCurves,
  RequestOrder,
  SizePoint,
} from '../../study/prefix-cache/prefix-curves.ts';

/** How tokens were counted. */
export interface TokenFacts {
  readonly exactTokens: boolean;
  /** Images and other media, and the tokens that each is taken to have. */
  readonly media: number;
  readonly imageTokens: number;
  /** Whether earlier answers of dialogues are left out. */
  readonly withoutAnswers?: boolean | undefined;
}

/** All that is said of a prefix cache. */
export type Prefixes = PrefixCurves & TokenFacts & { readonly partOrders?: PartOrders | undefined };

export const orderNames: Readonly<Record<RequestOrder, string>> = {
  sent: 'as a run sends them',
  read: 'as the data have them',
  sorted: 'sorted by prefix',
  random: 'at random',
  grouped: 'grouped',
};

/** The share of tokens that are saved, such as `27.4%`. */
export function savedShare({ saved, tokens }: Pick<PrefixSavings, 'saved' | 'tokens'>): string {
  return tokens === 0 ? '–' : `${((saved / tokens) * 100).toFixed(1)}%`;
}

/** What a prefix cache saves, and what that takes for granted. */
export function describePrefixes(curves: PrefixCurves, facts: TokenFacts): string[] {
  const { savings, block, size, inFlight, keptTokens } = curves;
  const about = facts.exactTokens ? '' : '≈';
  const { saved, tokens, tooLong } = savings;
  const room = size === undefined ? 'room for everything' : `size ${formatCount(size)} tokens`;
  return [
    `A prefix cache saves ${about}${formatCount(saved)} of ${about}${formatCount(tokens)} tokens (${savedShare(savings)}): blocks of ${countOf(block, 'token')}, ${room}, ${countOf(inFlight, 'request')} in flight.`,
    ...(facts.exactTokens ? [] : ['Tokens are estimated at 4 bytes each.']),
    ...(facts.withoutAnswers ? ['Earlier answers in later turns are not counted.'] : []),
    ...(facts.media === 0
      ? []
      : [`${countOf(facts.media, 'image')} at ${countOf(facts.imageTokens, 'token')} each.`]),
    ...(tooLong === 0 ? [] : [`${countOf(tooLong, 'request')} do not fit in the cache.`]),
    `It would hold ${about}${formatCount(keptTokens)} tokens if nothing were evicted.`,
  ];
}

/** Shares saved by order and room, as rows of a table with its titles. */
export function sizeTable({ orders }: PrefixCurves): string[][] {
  const sizes = orders[0]?.points.map(({ size }) => formatCount(size)) ?? [];
  return [
    ['tokens of room', ...sizes],
    ...orders.map(({ order, points }) => [orderNames[order], ...points.map(savedShare)]),
  ];
}

export function blockTable({ blocks, orders }: PrefixCurves): string[][] {
  return [
    ['tokens of a block', ...blocks.map(({ block }) => formatCount(block))],
    [orderNames[orders[0]?.order ?? 'sent'], ...blocks.map(savedShare)],
  ];
}

export function partTable({ written, others }: PartOrders): string[][] {
  const line = (name: string, order: PartOrder) => [
    order.names.join(' · '),
    savedShare(order),
    name,
  ];
  return [line('as written', written), ...others.map((order) => line('', order))];
}

/** How much more a share must be to be worth a change. */
const worthwhile = 0.01;

/** Which order of a template's parts shares most. */
export function advisePartOrder({ written, others }: PartOrders): string {
  const [best] = others;
  if (!best || shareOf(best) < shareOf(written) + worthwhile) {
    return 'No other order of the parts shares more than the current one.';
  }
  return `${best.names.join(', then ')}: this order shares ${savedShare(best)} instead of ${savedShare(written)}. This changes the prompt, so compare the scores too.`;
}

/** How much room is enough, and whether the order matters with less. */
export function adviseRoom({ orders }: PrefixCurves): string[] {
  const [sent] = orders;
  const most = sent?.points.at(-1);
  if (!sent || !most || most.saved === 0) return ['No request shares a whole block with another.'];
  const enough = sent.points.find(({ saved }) => saved >= most.saved * (1 - worthwhile)) ?? most;
  return [
    `${formatCount(enough.size)} tokens save ${savedShare(enough)} ${orderNames[sent.order]}; a larger cache adds less than 1% of that.`,
    ...adviseOrder(orders),
  ];
}

function adviseOrder(orders: readonly OrderCurve[]): string[] {
  const gaps = (orders[0]?.points ?? []).map((_, index) => {
    const points = orders.map(({ order, points: own }) => ({
      order,
      point: own[index] as SizePoint,
    }));
    const ranked = points.toSorted((one, other) => other.point.saved - one.point.saved);
    return { best: ranked[0], worst: ranked.at(-1) };
  });
  const widest = gaps.toSorted((one, other) => gapOf(other) - gapOf(one))[0];
  if (!widest?.best || !widest.worst || gapOf(widest) < worthwhile) {
    return ['The order of the requests makes no difference.'];
  }
  const { best, worst } = widest;
  return [
    `The order matters most at ${formatCount(best.point.size)} tokens: ${savedShare(best.point)} ${orderNames[best.order]}, ${savedShare(worst.point)} ${orderNames[worst.order]}.`,
  ];
}

interface Gap {
  readonly best: { readonly point: SizePoint } | undefined;
  readonly worst: { readonly point: SizePoint } | undefined;
}

function gapOf({ best, worst }: Gap): number {
  return best && worst ? shareOf(best.point) - shareOf(worst.point) : 0;
}

function shareOf({ saved, tokens }: Pick<PrefixSavings, 'saved' | 'tokens'>): number {
  return tokens === 0 ? 0 : saved / tokens;
}
