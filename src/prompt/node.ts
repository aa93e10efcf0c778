import type { Origin, Span, TemplatePosition } from './origin.ts';
import type { Modality } from './parts/content.ts';
import type { FormPath, PartForm } from './parts/part-form.ts';

/**
 * A piece of a compiled template. Structure is settled when templates are compiled; only fields,
 * examples and expanded messages wait for data.
 */
export type Node = TextNode | FieldNode | ShotsNode | ExpandNode | PartsNode;

/** Fixed text, with the span that a trace reports for it. */
export interface TextNode {
  readonly type: 'text';
  readonly span: Span;
}

export interface FieldNode {
  readonly type: 'field';
  readonly name: string;
  /** What is printed when the row has no such column: the placeholder as it was written. */
  readonly missing: Span;
  readonly at: TemplatePosition;
  /** The name is also one of every object's inherited properties, so ownership must be checked. */
  readonly inherited: boolean;
}

/** Where the in-context examples go. */
export interface ShotsNode {
  readonly type: 'shots';
  /** What stands before them, if there are any. */
  readonly before?: string | undefined;
}

/** Messages that come from a column of the row, each between its role's begin and end. */
export interface ExpandNode {
  readonly type: 'expand';
  readonly column: string;
  readonly at: TemplatePosition;
  readonly affixes: ReadonlyMap<string, { begin: readonly Node[]; end: readonly Node[] }>;
}

/** What a turn says in parts: text and media. */
export interface PartsNode {
  readonly type: 'parts';
  readonly parts: readonly PartTemplate[];
  /** The column that may hold tagged content although no part names it. */
  readonly contentColumn: string;
  /** One turn of several, of which others may show the media. */
  readonly isTurn?: true | undefined;
  /** Shows media of several turns: there may be none, and texts may mark others than these. */
  readonly isLoose?: true | undefined;
}

export interface PartTemplate {
  readonly type: 'text' | Modality;
  readonly nodes: readonly Node[];
  /** The field that a segment of tagged content stands for. */
  readonly slot: string;
  readonly form?: FormTemplate | undefined;
}

/** How a part is written, with the texts in it that are filled in. */
export interface FormTemplate extends PartForm {
  readonly texts: readonly { readonly at: FormPath; readonly nodes: readonly Node[] }[];
}

export function textNode(text: string, origin: Origin): TextNode {
  return Object.freeze({ type: 'text', span: Object.freeze({ text, origin }) });
}

export function tokensNode(tokenIds: readonly number[], origin: Origin): TextNode {
  const span = Object.freeze({ text: '', origin, tokenIds: Object.freeze([...tokenIds]) });
  return Object.freeze({ type: 'text', span });
}

export function fieldNode(name: string, written: string, at: TemplatePosition): FieldNode {
  return Object.freeze({
    type: 'field',
    name,
    missing: Object.freeze({ text: written, origin: { type: 'literal', at } as const }),
    at,
    inherited: name in Object.prototype,
  });
}

export const shotsNode: ShotsNode = /* @__PURE__ */ Object.freeze({ type: 'shots' });

/** The same parts with other nodes. */
export function mapParts(node: PartsNode, change: (node: Node) => Node): PartsNode {
  return { ...node, parts: node.parts.map((part) => mapPart(part, change)) };
}

function mapPart({ form, ...part }: PartTemplate, change: (node: Node) => Node): PartTemplate {
  return {
    ...part,
    nodes: part.nodes.map(change),
    ...(form && {
      form: {
        ...form,
        texts: form.texts.map(({ at, nodes }) => ({ at, nodes: nodes.map(change) })),
      },
    }),
  };
}

/** All that is filled in of a part. */
export function nodesOfPart({ nodes, form }: PartTemplate): readonly Node[] {
  return form ? [...nodes, ...form.texts.flatMap((text) => text.nodes)] : nodes;
}
