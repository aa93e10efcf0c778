import { getKey, isMapping } from '../../prompt/mapping.ts';
import type { Modality } from '../../prompt/parts/content.ts';
import type { Row } from '../../prompt/values.ts';

/** A medium that a message of a row shows. */
export interface RowMedium {
  readonly type: Modality;
  readonly source: string;
}

const modalities = ['image', 'audio', 'video'] as const;

/** The medium of a content part in the form of chat APIs; nothing if it is another part. */
export function mediumIn(part: unknown): RowMedium | undefined {
  if (!isMapping(part)) return undefined;
  const input = getKey(part, 'input_audio');
  if (isMapping(input)) {
    const source = `data:audio/${getKey(input, 'format')};base64,${getKey(input, 'data')}`;
    return { type: 'audio', source };
  }
  for (const type of modalities) {
    const target = getKey(part, `${type}_url`) ?? getKey(part, type);
    const source = isMapping(target) ? getKey(target, 'url') : target;
    if (typeof source === 'string') return { type, source };
  }
  return undefined;
}

/**
 * The columns that media of a row are found in: those of its messages, else what the row itself
 * names in `images`, `videos` or `audios`.
 */
export function mediaColumns(row: Row, media: readonly RowMedium[]): Row {
  const columns: Record<string, unknown> = {};
  for (const type of modalities) {
    const shown = media.filter((medium) => medium.type === type).map(({ source }) => source);
    const several = row[`${type}s`];
    if (shown.length > 0) columns[type] = shown;
    else if (row[type] === undefined && several !== undefined) columns[type] = several;
  }
  return columns;
}
