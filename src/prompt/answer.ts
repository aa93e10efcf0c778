import { mapParts, type Node, textNode } from './node.ts';
import { changeItems, type SingleBody } from './template.ts';

/** What a template prints in place of the output column. */
export type AnswerSlot =
  /** examples: the value itself */
  | { readonly type: 'shown' }
  /** generation: nothing, or a token of the user's choice */
  | { readonly type: 'masked'; readonly token: string }
  /** label prompts: the candidate under test, never the row's own value */
  | { readonly type: 'label'; readonly text: string };

/** Settles what stands in place of the output column; the row's answer cannot get in afterwards. */
export function bindAnswer<B extends SingleBody>(
  body: B,
  column: string | undefined,
  slot: AnswerSlot,
): B {
  if (column === undefined || slot.type === 'shown') return body;
  return mapNodes(body, (nodes) => nodes.map((node) => bindNode(node, column, slot)));
}

function bindNode(node: Node, column: string, slot: Exclude<AnswerSlot, { type: 'shown' }>): Node {
  if (node.type === 'parts') return mapParts(node, (inner) => bindNode(inner, column, slot));
  if (node.type !== 'field' || node.name !== column) return node;
  return slot.type === 'masked'
    ? textNode(slot.token, { type: 'mask', field: column, at: node.at })
    : textNode(slot.text, { type: 'label', field: column, at: node.at });
}

/** The same template with its nodes changed. */
export function mapNodes<B extends SingleBody>(
  body: B,
  map: (nodes: readonly Node[]) => Node[],
): B {
  if (body.type === 'string') return { ...body, nodes: map(body.nodes) };
  return changeItems(body, (items) =>
    items.map((item) => {
      if (item.type === 'text') return { ...item, nodes: map(item.nodes) };
      if (item.type === 'turn' && item.prompt) return { ...item, prompt: map(item.prompt) };
      return item;
    }),
  );
}
