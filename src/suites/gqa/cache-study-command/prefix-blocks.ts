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
      'Tokens saved, of all in prompts, by the room of the cache and the order of the requests',
      sizeSvg(prefixes, 'Tokens saved by the room of the cache').toString(),
    ),
    tableOf(sizeTable(prefixes)),
    figure(
      'Tokens saved, by the size of a block',
      blockSvg(prefixes, 'Tokens saved by the size of a block').toString(),
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
