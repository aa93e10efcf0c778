import { DataError } from '../../errors.ts';
import { isBase64Like, isPathLike, shownSource } from '../../prompt/parts/content.ts';

export function mediaNotFound(source: string, path: string, cause: unknown): DataError {
  if (isBase64Like(source)) {
    return new DataError(
      'data.bad_base64',
      `not an image or other media file: \`${shownSource(source)}\` cannot be read`,
      { hint: 'The base64 is damaged, or encodes a file of an unknown type.' },
    );
  }
  // What the system says of a path holds it too.
  const isPath = isPathLike(source);
  const place = isPath ? path : shownSource(source);
  return new DataError('data.media_not_found', `File not found: \`${shownSource(source)}\``, {
    ...(isPath && { cause }),
    hint: `Looked for ${place}; paths are relative to the folder of the data.`,
  });
}

export function mediaUnreadable(source: string, cause: unknown): DataError {
  const shown = shownSource(source);
  const isPath = isPathLike(source);
  const message = cause instanceof Error ? cause.message : String(cause);
  const why = isPath ? message : message.replace(/[,:].*/s, '');
  return new DataError('data.media_unreadable', `\`${shown}\` cannot be read: ${why}`, {
    ...(isPath && { cause }),
    hint: 'Check that it is a file and that you have permission to read it.',
  });
}

export function mediaOutside(source: string): DataError {
  return new DataError(
    'data.media_outside',
    `\`${shownSource(source)}\` is outside the folder of the data, so it is not read`,
    { hint: 'Move the file there, or set `media: { allow_outside: true }` on the dataset.' },
  );
}

export function mediaTooLarge(
  source: string,
  { bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number },
): DataError {
  return new DataError(
    'data.media_too_large',
    `\`${shownSource(source)}\` has ${bytes} bytes, more than the limit of ${maxBytes}`,
    { hint: 'Make it smaller, or set `media: { max_bytes: … }` on the dataset.' },
  );
}

export function mediaUnknown(source: string): DataError {
  return new DataError(
    'data.media_unknown_type',
    `\`${shownSource(source)}\` is not a known type of media file`,
    {
      hint: 'Known: png, jpeg, gif, webp, bmp; wav, mp3, flac, ogg, m4a; mp4, webm, mov, avi, mkv.',
    },
  );
}

export function mediaMismatch(
  source: string,
  { mediaType, wanted }: { readonly mediaType: string; readonly wanted: string },
): DataError {
  return new DataError(
    'data.media_wrong_type',
    `\`${shownSource(source)}\` is ${mediaType}, but the type expected there is ${wanted}`,
    { hint: 'Use the tag, or the part of prompt_mm, that matches its type.' },
  );
}

export function badBase64(source: string): DataError {
  return new DataError('data.bad_base64', `\`${shownSource(source)}\` is not base64`, {
    hint: 'A template with `;base64,` needs base64 data; for files, write `file://{image}`.',
  });
}

export function notBase64Url(source: string): DataError {
  return new DataError(
    'data.bad_base64',
    `\`${shownSource(source)}\` is a data URL without \`;base64\``,
    { hint: 'Write the bytes in base64: `data:image/png;base64,…`.' },
  );
}

export function mediaChanged(source: string): DataError {
  return new DataError('data.media_changed', `\`${shownSource(source)}\` changed during the run`, {
    hint: 'Run again to ask the row with the current file.',
  });
}
