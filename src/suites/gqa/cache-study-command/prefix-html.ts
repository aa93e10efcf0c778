import { type Html, html, raw } from '../../../report/page.ts';
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
import type { PartOrders } from '../../../study/prefix-cache/part-orders.ts';

/** What a prefix cache would save, as a part of a page. */
export function prefixSection(prefixes: Prefixes): Html {
  return html`<h3>Prefix cache of a server</h3>
<p>${describePrefixes(prefixes, prefixes).join(' ')}</p>
<p class="advice">${adviseRoom(prefixes).join(' ')}</p>
<figure class="curves"><figcaption>Tokens saved, of all in prompts, by the room of the cache and the order of the requests</figcaption>${sizeSvg(prefixes, 'Tokens saved by the room of the cache')}</figure>
${table(sizeTable(prefixes))}
<figure class="curves"><figcaption>Tokens saved, by the size of a block</figcaption>${blockSvg(prefixes, 'Tokens saved by the size of a block')}</figure>
${table(blockTable(prefixes))}
${prefixes.partOrders && partSection(prefixes.partOrders)}`;
}

export function partSection(orders: PartOrders, dataset?: string): Html {
  const of = dataset === undefined ? '' : ` of ${dataset}`;
  return html`<h3>Parts of the prompt${of} in another order</h3>
<p class="advice">${advisePartOrder(orders)}</p>
${table([['order', 'saved', ''], ...partTable(orders)])}`;
}

function table([head = [], ...rows]: string[][]): Html {
  return html`<div class="wide"><table class="curves">${row(head, 'th')}${rows.map((cells) => row(cells, 'td'))}</table></div>`;
}

function row(cells: readonly string[], tag: 'th' | 'td'): Html {
  return html`<tr>${cells.map((cell) => html`<${raw(tag)}>${cell}</${raw(tag)}>`)}</tr>`;
}
