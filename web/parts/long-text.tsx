import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../src/base/format.ts';
import { addressOf, getJson, source as pageSource } from '../client.ts';

/** Which text of a row it is, for the server to find it again. */
export interface TextSource {
  readonly of: 'record' | 'prompt';
  readonly row: {
    readonly run: string;
    readonly model: string;
    readonly dataset: string;
    readonly id: number;
  };
  /** Where media come from, if not from the run. */
  readonly media?: string;
  readonly cut: readonly {
    readonly path: readonly (string | number)[];
    readonly length: number;
    readonly file?: string | undefined;
  }[];
}

interface LongTextProps {
  readonly text: string;
  readonly path: readonly (string | number)[];
  readonly source: TextSource;
  readonly children: (text: string) => ComponentChildren;
}

/** A text that may be too long for a page: the rest comes in pieces, or as a file. */
export function LongText({ text, path, source, children }: LongTextProps) {
  const [more, setMore] = useState('');
  const [error, setError] = useState<string>();
  const name = JSON.stringify(path);
  const cut = source.cut.find((one) => JSON.stringify(one.path) === name);
  const shown = text + more;
  if (!cut) return <>{children(text)}</>;
  if (pageSource.isAlone) {
    return (
      <>
        {children(text)}
        <p class="soft small">
          {cut.file === undefined ? (
            `This file has the beginning and the end of ${formatCount(cut.length)} characters.`
          ) : (
            <a href={cut.file} download>
              download all {formatCount(cut.length)} characters
            </a>
          )}
        </p>
      </>
    );
  }
  const query = { ...source.row, of: source.of, path: name };
  const next = async () => {
    try {
      const piece = await getJson<{ text: string }>(
        addressOf('/api/text', { ...query, from: shown.length }),
      );
      setMore((before) => before + piece.text);
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <>
      {children(shown)}
      <p class="soft small">
        {formatCount(shown.length)} of {formatCount(cut.length)} characters ·{' '}
        {shown.length < cut.length && (
          <>
            <button type="button" class="link" onClick={next}>
              show more
            </button>{' '}
            ·{' '}
          </>
        )}
        <a href={addressOf('/api/download', query)} download>
          download
        </a>
        {error === undefined ? '' : ` · ${error}`}
      </p>
    </>
  );
}
