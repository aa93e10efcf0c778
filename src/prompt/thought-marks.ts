import { type Node, textNode } from './node.ts';

/** How thinking begins and ends with one family of models or another. */
export const thoughtMarks: readonly (readonly [begin: string, end: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
];

/** What a format writes before an answer, without a thought that it opens there. */
export function withoutOpenThought(nodes: readonly Node[]): readonly Node[] {
  const last = nodes.at(-1);
  if (last?.type !== 'text' || last.span.tokenIds) return nodes;
  const { text, origin } = last.span;
  const tail = text.trimEnd().toLowerCase();
  const mark = thoughtMarks.find(([begin]) => tail.endsWith(begin))?.[0];
  if (mark === undefined) return nodes;
  return [...nodes.slice(0, -1), textNode(text.slice(0, tail.length - mark.length), origin)];
}
