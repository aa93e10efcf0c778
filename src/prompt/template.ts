import type { ConfigPath } from '../errors.ts';
import type { Node } from './node.ts';

/** How examples are shown: as turns of the dialogue, as text before the question, or in the system text. */
export type ShotsAs = (typeof shotForms)[number];
export const shotForms = ['turns', 'text', 'system'] as const;

/** A data-side template as it stands in a config. Both spellings of the content are mutually exclusive. */
export interface TemplateConfig {
  readonly type?: string;
  readonly template?: unknown;
  readonly messages?: unknown;
  readonly ice_token?: unknown;
  readonly sep_token?: unknown;
  readonly column_token_map?: unknown;
  readonly format_variables?: unknown;
}

/** A data-side template, checked and cut into nodes. */
export interface Template {
  readonly body: TemplateBody;
  /** Config path of the template object, for messages. */
  readonly path: ConfigPath;
  readonly iceToken: string | undefined;
  /** By column, the tokens that it is filled in for; `{column}` is plain text then. */
  readonly columnTokens?: ReadonlyMap<string, string> | undefined;
}

export type TemplateBody = SingleBody | LabelsBody;
export type SingleBody = StringBody | DialogueBody | MessagesBody;

export interface StringBody {
  readonly type: 'string';
  readonly nodes: readonly Node[];
}

export interface DialogueBody {
  readonly type: 'dialogue';
  readonly begin: readonly Item[];
  readonly round: readonly Item[];
  readonly end: readonly Item[];
}

/** One template per label, in the order of the config. */
export interface LabelsBody {
  readonly type: 'labels';
  readonly labels: readonly { readonly label: unknown; readonly body: StringBody | DialogueBody }[];
}

/** Messages in wire roles, sent as they are. */
export interface MessagesBody {
  readonly type: 'messages';
  readonly items: readonly Item[];
}

/** One entry of a dialogue. */
export type Item = Turn | TextItem | ExpandItem;

/** What one role says. Whatever is left out comes from the model's format. */
export interface Turn {
  readonly type: 'turn';
  readonly role: string;
  readonly fallbackRole?: string;
  readonly prompt?: readonly Node[];
  readonly begin?: readonly Node[];
  readonly end?: readonly Node[];
  readonly generate?: boolean;
  /** It is sent as it is written, and the model goes on with it. */
  readonly isBegun?: true;
  readonly path: ConfigPath;
}

/** Text that no role says; the mark of the examples is such a text. */
export interface TextItem {
  readonly type: 'text';
  readonly nodes: readonly Node[];
  readonly path: ConfigPath;
}

/** Messages taken from a column of the row. */
export interface ExpandItem {
  readonly type: 'expand';
  readonly column: string;
  readonly path: ConfigPath;
}

/** The same template with other items; a text has none. */
export function changeItems<Body extends SingleBody>(
  body: Body,
  change: (items: readonly Item[]) => readonly Item[],
): Body {
  if (body.type === 'string') return body;
  if (body.type === 'messages') return { ...body, items: change(body.items) };
  return { ...body, begin: change(body.begin), round: change(body.round), end: change(body.end) };
}

/** What is said in a template, in order. */
export function itemsOf(body: Exclude<SingleBody, { type: 'string' }>): readonly Item[] {
  return body.type === 'dialogue' ? [...body.begin, ...body.round, ...body.end] : body.items;
}

/** All nodes of a template, in the order in which they stand. */
export function* nodesOf(body: TemplateBody): Generator<Node> {
  switch (body.type) {
    case 'string':
      yield* body.nodes;
      return;
    case 'dialogue':
    case 'messages':
      yield* itemNodes(itemsOf(body));
      return;
    case 'labels':
      for (const { body: inner } of body.labels) yield* nodesOf(inner);
  }
}

function* itemNodes(items: readonly Item[]): Generator<Node> {
  for (const item of items) {
    if (item.type === 'text') yield* item.nodes;
    if (item.type !== 'turn') continue;
    yield* item.begin ?? [];
    yield* item.prompt ?? [];
    yield* item.end ?? [];
  }
}
