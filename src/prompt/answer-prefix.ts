import { isMask } from './before-answer.ts';
import { type Node, textNode } from './node.ts';
import type { Item, Turn } from './template.ts';

/** What the template has an answer begin with, which the model does not write itself. */
export interface AnswerPrefix {
  /** It, and the mark of the answer that is hidden after it. */
  readonly nodes: readonly Node[];
  /** Left out where it is not the same in every row. */
  readonly text?: string | undefined;
}

/**
 * The beginning of the answer that is to be written in a turn: fixed text before the hidden answer.
 * What columns say there may give the answer away, and is left out, unless it is a message to be
 * sent as it is written.
 */
export function answerPrefixOf(turn: Turn | undefined): AnswerPrefix | undefined {
  const { before, hidden } = splitAtAnswer(turn);
  if (!turn || (hidden.length === 0 && !turn.isBegun) || before.every(isBlank)) return undefined;
  const text = fixedText(before);
  if (text === undefined && !turn.isBegun) return undefined;
  return { nodes: [...before, ...hidden], text };
}

/** Whether a turn says something where the model answers that is not sent. */
export function losesStart(turn: Turn | undefined): boolean {
  return answerPrefixOf(turn) === undefined && !splitAtAnswer(turn).before.every(isBlank);
}

/** Whether an item says nothing but the hidden answer. */
export function isAnswerSlot(item: Item | undefined): boolean {
  return item?.type === 'turn' && (item.prompt ?? []).every((node) => isBlank(node));
}

function splitAtAnswer(turn: Turn | undefined) {
  const nodes = turn?.prompt ?? [];
  const end = nodes.findIndex(isMask);
  const hidden = nodes.filter(isMask).slice(0, 1);
  return {
    before: end < 0 ? nodes : nodes.slice(0, end),
    hidden: hidden.map(({ span }) => textNode('', span.origin)),
  };
}

function fixedText(nodes: readonly Node[]): string | undefined {
  const texts = nodes.flatMap((node) =>
    node.type === 'text' && !node.span.tokenIds ? [node.span.text] : [],
  );
  return texts.length === nodes.length ? texts.join('') : undefined;
}

function isBlank(node: Node): boolean {
  return node.type === 'text' && !node.span.tokenIds && node.span.text.trim() === '';
}
