import type { Modality } from '../../prompt/parts/content.ts';
import { mediumIn } from '../../prompt/parts/part-form.ts';
import type { Row } from '../../prompt/values.ts';

/** A medium that a message of a row shows. */
export interface RowMedium {
  readonly type: Modality;
  /** Its source, or the part of the message where that says more. */
  readonly shown: unknown;
}

/** The medium of a part of a message; nothing if it is another part. */
export function rowMedium(part: unknown): RowMedium | undefined {
  const medium = mediumIn(part);
  if (!medium) return undefined;
  const { type, source, inside, beside } = medium;
  const isSource = Object.keys(inside).length === 0 && Object.keys(beside).length === 0;
  return { type, shown: isSource ? source : part };
}

/**
 * The columns that media of a row are found in: those of its messages, else what the row itself
 * names in `images`, `videos` or `audios`. One for the whole dialogue is shown in its first turn. A row
 * that names media in a column beside those of its messages has more than there are places, and fails.
 */
export function mediaColumns(row: Row, media: readonly RowMedium[]): Row {
  const columns: Record<string, unknown> = {};
  for (const type of ['image', 'audio', 'video'] as const) {
    const shown = media.filter((medium) => medium.type === type).map(({ shown }) => shown);
    const several = row[`${type}s`];
    if (shown.length > 0) columns[type] = [...shown, ...[row[type] ?? []].flat()];
    else if (row[type] === undefined && several !== undefined)
      columns[type] = Array.isArray(several) && several.length === 1 ? several[0] : several;
  }
  return columns;
}
