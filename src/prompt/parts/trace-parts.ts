import type { FieldNode, FormTemplate, Node, PartsNode, PartTemplate } from '../node.ts';
import type { Origin, RowId, Span } from '../origin.ts';
import { emptySegment, noMedia, notInTemplate, nullValue, tagsDiffer } from '../row-errors.ts';
import { Float, formatValue, type Row } from '../values.ts';
import type { Modality } from './content.ts';
import { countTags, splitAtTags } from './media-tags.ts';
import { formWith, isEmpty, mediumIn, type PartForm, putAt } from './part-form.ts';
import { isTagged, type Segment, splitTagged } from './tagged-content.ts';

interface TracedRow {
  readonly id: RowId;
  readonly row: Row;
}

/** What a row gives a field: its column, or a segment of tagged content in its place. */
type Lookup = (name: string) => { readonly column: string; readonly value: unknown } | undefined;

/**
 * The parts that a row fills in. Tagged content says which parts there are, in which order;
 * without it the template does, but for media whose places the text marks.
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
  return traceColumns(node, lookup, named.id);
}

function traceColumns({ parts, isTurn, isLoose }: PartsNode, lookup: Lookup, id: RowId): Span[] {
  const traced = parts.map((part) => ({
    type: part.type,
    spans:
      part.type === 'text' ? traceText(part, lookup, id) : traceMedia(part, part.type, lookup, id),
  }));
  const media = parts.filter(({ type }) => type !== 'text');
  const hasMedia = traced.some(({ type, spans }) => type !== 'text' && spans.length > 0);
  if (media.length > 0 && !hasMedia && !isTurn && !isLoose)
    throw noMedia(media, (name) => isEmpty(lookup(name)?.value));
  const texts = traced.flatMap(({ type, spans }) => (type === 'text' ? spans : []));
  const marked = new Map<Modality, Span[]>();
  for (const { type, spans } of traced) {
    if (type === 'text') continue;
    const tags = texts.reduce((sum, { text }) => sum + countTags(text, type), 0);
    if (tags === 0) continue;
    if (tags !== spans.length && isLoose) continue;
    if (tags !== spans.length) throw tagsDiffer(type, { tags, media: spans.length });
    marked.set(type, [...spans]);
  }
  if (marked.size === 0) return traced.flatMap(({ spans }) => spans);
  return traced.flatMap(({ type, spans }) => {
    if (type !== 'text') return marked.has(type) ? [] : spans;
    return placeMedia(spans, marked);
  });
}

/** A text with media where it marks them; what stands between two of them is a part of its own. */
function placeMedia(texts: readonly Span[], media: ReadonlyMap<Modality, Span[]>): Span[] {
  const types = new Set(media.keys());
  const placed: Span[] = [];
  let opensPart = true;
  for (const piece of texts.flatMap((span) => splitAtTags(span, types))) {
    if (typeof piece !== 'string') {
      if (piece.text.trim() === '' && opensPart) continue;
      const { opensPart: _, ...span } = piece;
      placed.push(opensPart ? { ...span, opensPart } : span);
      opensPart = false;
      continue;
    }
    const medium = media.get(piece)?.shift();
    if (medium) placed.push(medium);
    opensPart = true;
  }
  return placed;
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
  if (type !== 'text' && value.trim() === '') throw emptySegment(type, tagged.column);
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
    if (found.value === null) throw nullValue(found.column);
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
    const written = part.form && fillForm(part.form, lookup, index);
    const shown = fields.map((node) => mediumIn(elementOf(node, lookup, index)));
    const form = shown.reduce((form, medium) => (medium ? formWith(medium, form) : form), written);
    return [
      { text: '', origin, media: { type, source: own ?? texts.join(''), ...(form && { form }) } },
    ];
  });
}

/** The form of a part with its columns; a value that is one column alone stays what it is. */
function fillForm({ part, at, texts }: FormTemplate, lookup: Lookup, index: number): PartForm {
  const filled = texts.reduce<unknown>(
    (form, text) => putAt(form, text.at, formValue(text.nodes, lookup, index)),
    part,
  );
  return { part: filled as PartForm['part'], at };
}

function formValue(nodes: readonly Node[], lookup: Lookup, index: number): unknown {
  const values = nodes.map((node): unknown => {
    if (node.type !== 'field') return node.type === 'text' ? node.span.text : '';
    const value = elementOf(node, lookup, index);
    if (value === null) throw nullValue(node.name);
    return value === undefined ? node.missing.text : value;
  });
  if (values.length !== 1) return values.map(formatValue).join('');
  const [only] = values;
  return only instanceof Float ? only.value : only;
}

function sourceText(node: Node, lookup: Lookup, index: number): string | undefined {
  if (node.type === 'text') return node.span.text;
  if (node.type !== 'field') return '';
  const value = elementOf(node, lookup, index);
  if (isEmpty(value)) return undefined;
  return mediumIn(value)?.source ?? formatValue(value);
}

function elementOf({ name }: FieldNode, lookup: Lookup, index: number): unknown {
  const found = lookup(name)?.value;
  return Array.isArray(found) ? found[index] : found;
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
