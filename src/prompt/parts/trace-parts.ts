import { DataError } from '../../errors.ts';
import type { FieldNode, Node, PartsNode, PartTemplate } from '../node.ts';
import type { Origin, RowId, Span } from '../origin.ts';
import { formatValue, type Row } from '../values.ts';
import type { Modality } from './content.ts';
import { isTagged, type Segment, splitTagged } from './tagged-content.ts';

interface TracedRow {
  readonly id: RowId;
  readonly row: Row;
}

/** What a row gives a field: its column, or a segment of tagged content in its place. */
type Lookup = (name: string) => { readonly column: string; readonly value: unknown } | undefined;

/**
 * The parts that a row fills in. Tagged content says which parts there are, in which order;
 * without it the template does.
 */
export function traceParts(node: PartsNode, named: TracedRow): Span[] {
  const lookup: Lookup = (name) =>
    Object.hasOwn(named.row, name) ? { column: name, value: named.row[name] } : undefined;
  const tagged = taggedColumn(node, named.row);
  if (tagged) {
    return splitTagged(tagged.value, tagged.column).flatMap((segment) =>
      traceSegment(node, segment, { tagged, lookup, id: named.id }),
    );
  }
  const spans = node.parts.flatMap((part) =>
    part.type === 'text'
      ? traceText(part, lookup, named.id)
      : traceMedia(part, part.type, lookup, named.id),
  );
  const media = node.parts.filter(({ type }) => type !== 'text');
  if (media.length > 0 && !spans.some((span) => span.media)) throw noMedia(media);
  return spans;
}

interface Tagged {
  readonly column: string;
  readonly value: string;
  /** The field that text segments fill in. */
  readonly slot: string;
}

/** A field of the text that holds tags, or the column that is known to. */
function taggedColumn({ parts, contentColumn }: PartsNode, row: Row): Tagged | undefined {
  const text = parts.find(({ type }) => type === 'text');
  const fields = (text?.nodes ?? []).flatMap((node) => (node.type === 'field' ? [node.name] : []));
  for (const column of fields) {
    const value = Object.hasOwn(row, column) ? row[column] : undefined;
    if (isTagged(value)) return { column, value, slot: column };
  }
  const value = Object.hasOwn(row, contentColumn) ? row[contentColumn] : undefined;
  return isTagged(value)
    ? { column: contentColumn, value, slot: text?.slot ?? contentColumn }
    : undefined;
}

interface SegmentContext {
  readonly tagged: Tagged;
  readonly lookup: Lookup;
  readonly id: RowId;
}

function traceSegment(
  { parts }: PartsNode,
  { type, value }: Segment,
  { tagged, lookup, id }: SegmentContext,
): Span[] {
  const part = parts.find((candidate) => candidate.type === type);
  if (!part) throw notInTemplate(type, tagged.column, parts);
  const slot = type === 'text' ? tagged.slot : part.slot;
  const own: Lookup = (name) => (name === slot ? { column: tagged.column, value } : lookup(name));
  return type === 'text' ? traceText(part, own, id) : traceMedia(part, type, own, id);
}

function traceText(part: PartTemplate, lookup: Lookup, id: RowId): Span[] {
  const spans = part.nodes.flatMap((node): Span[] => {
    if (node.type === 'text') return [node.span];
    if (node.type !== 'field') return [];
    const found = lookup(node.name);
    if (found?.value === undefined) return [node.missing];
    return [{ text: formatValue(found.value), origin: fieldOrigin(node, found.column, id) }];
  });
  const [first, ...others] = spans;
  return first ? [{ ...first, opensPart: true }, ...others] : [];
}

/** One medium, or one for each element of a list; none where the row does not name any. */
function traceMedia(part: PartTemplate, type: Modality, lookup: Lookup, id: RowId): Span[] {
  const fields = part.nodes.filter((node) => node.type === 'field');
  const lists = fields.map(({ name }) => lookup(name)?.value).filter(Array.isArray);
  const count = Math.max(lists.length === 0 ? 1 : 0, ...lists.map(({ length }) => length));
  const origin = mediaOrigin(part, lookup, id);
  return Array.from({ length: count }, (_, index) => index).flatMap((index): Span[] => {
    const texts = part.nodes.map((node) => sourceText(node, lookup, index));
    if (texts.includes(undefined)) return [];
    const own = texts.find((text, index) => part.nodes[index]?.type === 'field' && hasScheme(text));
    return [{ text: '', origin, media: { type, source: own ?? texts.join('') } }];
  });
}

function sourceText(node: Node, lookup: Lookup, index: number): string | undefined {
  if (node.type === 'text') return node.span.text;
  if (node.type !== 'field') return '';
  const found = lookup(node.name)?.value;
  const value: unknown = Array.isArray(found) ? found[index] : found;
  return value === undefined || value === null || value === '' ? undefined : formatValue(value);
}

/** Data that name their scheme need no prefix, whatever the template has. */
function hasScheme(text: string | undefined): boolean {
  return text !== undefined && /^(https?|file|data):/i.test(text);
}

function mediaOrigin({ nodes }: PartTemplate, lookup: Lookup, id: RowId): Origin {
  const field = nodes.find((node) => node.type === 'field');
  if (field) return fieldOrigin(field, lookup(field.name)?.column ?? field.name, id);
  const [first] = nodes;
  return first?.type === 'text' ? first.span.origin : { type: 'separator', name: 'line' };
}

function fieldOrigin({ at }: FieldNode, field: string, row: RowId): Origin {
  return { type: 'field', field, row, at };
}

function notInTemplate(
  type: Segment['type'],
  column: string,
  parts: readonly PartTemplate[],
): DataError {
  return new DataError(
    'data.modality_not_in_template',
    `column \`${column}\` holds ${type}, but prompt_mm has no part \`${type}\``,
    { hint: `It has ${parts.map((part) => part.type).join(', ')}; add the part that is missing.` },
  );
}

function noMedia(parts: readonly PartTemplate[]): DataError {
  const names = parts.map(({ type }) => type).join(', ');
  const fields = parts.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (node.type === 'field' ? [`\`${node.name}\``] : [])),
  );
  return new DataError(
    'data.media_missing',
    `the template has a part for ${names}, but the row has nothing in ${fields.join(', ')}`,
    { hint: 'Name the media in these columns, or write the content with tags.' },
  );
}
