import {
  advisePartOrder,
  adviseRoom,
  blockTable,
  describePrefixes,
  type Prefixes,
  partTable,
  sizeTable,
} from '../../../report/prefix-cache/describe-prefixes.ts';
import type { PartOrders } from '../../../study/prefix-cache/part-orders.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { alignColumns } from '../../../terminal/text/align-columns.ts';
import { showControls } from '../../../terminal/text/show-controls.ts';

/** What a prefix cache would save, for people. */
export function prefixLines(prefixes: Prefixes, terminal: Terminal): string[] {
  const { partOrders } = prefixes;
  const titled = (table: string[][]) => {
    const [head = '', ...lines] = alignColumns(table);
    return [terminal.colors.dim(head), ...lines, ''];
  };
  return [
    ...describePrefixes(prefixes, prefixes),
    '',
    ...titled(sizeTable(prefixes)),
    ...titled(blockTable(prefixes)),
    ...adviseRoom(prefixes),
    ...(partOrders ? ['', ...partLines(partOrders, terminal)] : []),
  ];
}

/** What other orders of a template's parts would share. */
export function partLines(orders: PartOrders, { colors }: Terminal): string[] {
  const title = `parts of the prompt in another order, of ${orders.prompts} prompts`;
  const rows = partTable(orders).map((row) => row.map(showControls));
  return [colors.dim(title), ...alignColumns(rows), showControls(advisePartOrder(orders))];
}
