import {
  advisePartOrder,
  adviseRoom,
  blockTable,
  describePrefixes,
  type Prefixes,
  partTable,
  sizeTable,
} from '../../../report/prefix-cache/describe-prefixes.ts';
import { blockSvg, sizeSvg } from '../../../report/prefix-cache/prefix-svg.ts';
import type { StudyBlock } from '../../../report/snapshot/study-page.ts';
import type { PartOrders } from '../../../study/prefix-cache/part-orders.ts';

/** What a prefix cache would save, as a part of a page. */
export function prefixBlocks(prefixes: Prefixes): StudyBlock[] {
  return [
    { type: 'heading', text: 'Prefix cache of a server' },
    { type: 'text', text: describePrefixes(prefixes, prefixes).join(' ') },
    { type: 'advice', text: adviseRoom(prefixes).join(' ') },
    figure(
      'Share of prompt tokens saved, by cache size and order of requests',
      sizeSvg(prefixes, 'Tokens saved by cache size').toString(),
    ),
    tableOf(sizeTable(prefixes)),
    figure(
      'Share of prompt tokens saved, by block size',
      blockSvg(prefixes, 'Tokens saved by block size').toString(),
    ),
    tableOf(blockTable(prefixes)),
    ...(prefixes.partOrders ? partBlocks(prefixes.partOrders) : []),
  ];
}

export function partBlocks(orders: PartOrders, dataset?: string): StudyBlock[] {
  const of = dataset === undefined ? '' : ` of ${dataset}`;
  return [
    { type: 'heading', text: `Parts of the prompt${of} in another order` },
    { type: 'advice', text: advisePartOrder(orders) },
    tableOf([['order', 'saved', ''], ...partTable(orders)]),
  ];
}

export function tableOf([head = [], ...rows]: readonly string[][]): StudyBlock {
  return { type: 'table', head, rows };
}

function figure(caption: string, svg: string): StudyBlock {
  return { type: 'figures', figures: [{ caption, svg }] };
}
