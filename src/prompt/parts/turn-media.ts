import type { Node, PartTemplate } from '../node.ts';
import { noMedia, tagsDiffer } from '../row-errors.ts';
import type { Item } from '../template.ts';
import type { Row } from '../values.ts';
import type { Modality } from './content.ts';
import { countTags } from './media-tags.ts';
import { isEmpty } from './part-form.ts';
import { isTagged } from './tagged-content.ts';

/** What the turns of a dialogue show, and the columns of the text beside it. */
export interface TurnMedia {
  readonly parts: readonly MediaTemplate[];
  readonly texts: readonly string[];
}

interface MediaTemplate {
  readonly part: PartTemplate;
  readonly type: Modality;
  readonly columns: readonly string[];
}

/** The media that a round shows. */
export function turnMedia(round: readonly Item[]): TurnMedia {
  const nodes = round.flatMap((item) => (item.type === 'turn' ? (item.prompt ?? []) : []));
  const inParts = nodes.flatMap((node) => (node.type === 'parts' ? [node] : []));
  const parts = inParts.flatMap((node) =>
    node.parts.flatMap((part) =>
      part.type === 'text' ? [] : [{ part, type: part.type, columns: fieldsOf(part.nodes) }],
    ),
  );
  const texts = inParts.flatMap((node) => [
    ...node.parts.flatMap((part) => (part.type === 'text' ? fieldsOf(part.nodes) : [])),
    node.contentColumn,
  ]);
  return { parts, texts: [...new Set(texts)] };
}

function fieldsOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => (node.type === 'field' ? [node.name] : []));
}

/** The columns whose lists are not one element for each turn: tags in the texts say where they belong. */
export function taggedMedia(row: Row, { parts, texts }: TurnMedia): ReadonlySet<string> {
  const isMarked = ({ type }: MediaTemplate) => texts.some((text) => tagsIn(row[text], type) > 0);
  return new Set(parts.filter(isMarked).flatMap(({ columns }) => columns));
}

function tagsIn(value: unknown, type: Modality): number {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.reduce<number>((sum, text) => sum + countTags(text, type), 0);
}

/**
 * The row with its media in a list, one element for each turn. Where the texts mark their places
 * they go there; else a list has an element for each turn, and what is no list is shown first.
 */
export function spreadMedia(row: Row, media: TurnMedia, turns: number): Row {
  if (media.parts.length === 0) return row;
  const spread: Record<string, unknown> = { ...row };
  for (const template of media.parts) {
    Object.assign(spread, spreadPart(template, { row, texts: media.texts, turns }));
  }
  const isShown = media.parts.some(({ columns }) =>
    columns.every((name) => !isEmpty(spread[name])),
  );
  const isWritten = media.texts.some((name) => isTaggedIn(row[name]));
  if (!isShown && !isWritten) {
    throw noMedia(
      media.parts.map(({ part }) => part),
      (name) => isEmpty(spread[name]),
    );
  }
  return spread;
}

interface SpreadContext {
  readonly row: Row;
  readonly texts: readonly string[];
  readonly turns: number;
}

function spreadPart(
  { type, columns }: MediaTemplate,
  { row, texts, turns }: SpreadContext,
): Record<string, unknown> {
  const own = columns.filter((column) => !texts.includes(column));
  const lists = own.filter((column) => Array.isArray(row[column]));
  const tags = Array.from({ length: turns }, (_, turn) =>
    texts.reduce((sum, text) => sum + tagsAt(row[text], turn, type), 0),
  );
  const total = tags.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    if (lists.length > 0) return {};
    return Object.fromEntries(own.map((column) => [column, [row[column], ...rest(turns)]]));
  }
  const moved = lists.length > 0 ? lists : own;
  const named = moved.map((column) => flatten(row[column]));
  const other = named.find((list) => list.length !== total);
  if (other) throw tagsDiffer(type, { tags: total, media: other.length });
  return Object.fromEntries(moved.map((column, index) => [column, deal(named[index] ?? [], tags)]));
}

function tagsAt(value: unknown, turn: number, type: Modality): number {
  return countTags(Array.isArray(value) ? value[turn] : turn === 0 ? value : undefined, type);
}

function rest(turns: number): readonly never[][] {
  return Array.from({ length: turns - 1 }, () => []);
}

/** As many elements for each turn as its text marks places. */
function deal(list: readonly unknown[], counts: readonly number[]): unknown[][] {
  let start = 0;
  return counts.map((count) => {
    start += count;
    return list.slice(start - count, start);
  });
}

function flatten(value: unknown): unknown[] {
  const all: unknown[] = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
  return all.filter((element) => !isEmpty(element));
}

function isTaggedIn(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isTagged) : isTagged(value);
}
