import type { TokenFacts } from '../../../report/prefix-cache/describe-prefixes.ts';
import type { PartOrder, PartOrders } from '../../../study/prefix-cache/part-orders.ts';
import type { PrefixSavings } from '../../../study/prefix-cache/prefix-cache.ts';
import type { PrefixCurves } from '../../../study/prefix-cache/prefix-curves.ts';

/** What a prefix cache would save, for machines. */
export function jsonPrefixes(curves: PrefixCurves & TokenFacts, partOrders?: PartOrders) {
  const { savings, block, size, inFlight, keptTokens, orders, blocks } = curves;
  return {
    ...jsonSavings(savings),
    exact_tokens: curves.exactTokens,
    images: curves.media,
    image_tokens: curves.imageTokens,
    block,
    size: size ?? null,
    in_flight: inFlight,
    kept_tokens: keptTokens,
    by_order: orders.map(({ order, points }) => ({
      order,
      by_size: points.map(({ size: room, ...point }) => ({ size: room, ...jsonSavings(point) })),
    })),
    by_block: blocks.map(({ block: length, ...point }) => ({
      block: length,
      ...jsonSavings(point),
    })),
    ...(partOrders && { part_orders: jsonPartOrders(partOrders) }),
  };
}

export function jsonPartOrders({ prompts, written, others }: PartOrders) {
  return { prompts, written: jsonOrder(written), others: others.map(jsonOrder) };
}

function jsonOrder({ names, tokens, saved }: PartOrder) {
  return { parts: names, tokens, saved, saved_share: shareOf({ tokens, saved }) };
}

function jsonSavings({ requests, tokens, saved, tooLong }: PrefixSavings) {
  return { requests, tokens, saved, saved_share: shareOf({ tokens, saved }), too_long: tooLong };
}

function shareOf({ tokens, saved }: Pick<PrefixSavings, 'tokens' | 'saved'>): number | null {
  return tokens === 0 ? null : saved / tokens;
}
