import { DataError } from '../errors.ts';
import type { Node, PartTemplate } from './node.ts';
import type { Modality } from './parts/content.ts';

export function notInTemplate(
  type: string,
  column: string,
  parts: readonly PartTemplate[],
): DataError {
  return new DataError(
    'data.modality_not_in_template',
    `column \`${column}\` holds ${type}, but prompt_mm has no part \`${type}\``,
    { hint: `It has ${parts.map((part) => part.type).join(', ')}; add the part that is missing.` },
  );
}

export function emptySegment(type: Modality, column: string): DataError {
  return new DataError(
    'data.media_missing',
    `column \`${column}\`: <AIS_${type.toUpperCase()}_START> does not name the ${type}`,
    { hint: `Give the ${type} after the tag, or leave the tag out.` },
  );
}

/** Names what is empty of the columns that media are taken from. */
export function noMedia(
  parts: readonly PartTemplate[],
  isEmpty: (column: string) => boolean,
): DataError {
  const names = [...new Set(parts.map(({ type }) => type))].join(', ');
  const columns = [...new Set(parts.flatMap(({ nodes }) => nodes.flatMap(fieldName)))];
  const empty = columns.filter(isEmpty);
  const fields = (empty.length > 0 ? empty : columns).map((column) => `\`${column}\``);
  return new DataError(
    'data.media_missing',
    `the template has a part for ${names}, but the row has nothing in ${fields.join(', ')}`,
    { hint: 'Give the media in these columns, or write the content with tags.' },
  );
}

function fieldName(node: Node): string[] {
  return node.type === 'field' ? [node.name] : [];
}

export function tagsDiffer(
  type: Modality,
  { tags, media }: { readonly tags: number; readonly media: number },
): DataError {
  return new DataError(
    'data.media_tags',
    `the text has ${tags === 1 ? 'one tag' : `${tags} tags`} <${type}>, but the row has ${media} such media`,
    { hint: `Each <${type}> stands for one ${type}, in order.` },
  );
}

/** Nothing is no text: whoever wrote the template did not mean the word. */
export function nullValue(column: string): DataError {
  return new DataError('data.null_value', `\`${column}\` is null and would be sent as text`, {
    hint: 'Give it text (it may be empty), or exclude the row with `--where`.',
  });
}
