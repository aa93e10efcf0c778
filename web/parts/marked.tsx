import { ShownText } from './shown-text.tsx';

export type Stretch = readonly [start: number, end: number];

/**
 * Where a part stands in a text: where the scorer found it, or else the last place where it is a word
 * of its own. Nothing where it is all of the text.
 */
export function placeIn(
  text: string,
  part: string | undefined,
  known?: Stretch | undefined,
): Stretch | undefined {
  if (part === undefined || part === '' || part === text.trim()) return undefined;
  if (known && known[1] <= text.length) return known;
  const isWord = (at: number) => {
    const [before = '', after = ''] = [text[at - 1], text[at + part.length]];
    return !/\w/.test(before) && !/\w/.test(after);
  };
  const last = text.lastIndexOf(part);
  for (let at = last; at >= 0; at = at === 0 ? -1 : text.lastIndexOf(part, at - 1)) {
    if (isWord(at)) return [at, at + part.length];
  }
  return last < 0 ? undefined : [last, last + part.length];
}

/** A text with a part of it marked. */
export function Marked({
  text,
  place,
  showsSpace,
}: {
  readonly text: string;
  readonly place: Stretch | undefined;
  readonly showsSpace: boolean;
}) {
  if (!place) return <ShownText text={text} showsSpace={showsSpace} />;
  const [start, end] = place;
  return (
    <>
      <ShownText text={text.slice(0, start)} showsSpace={showsSpace} />
      <mark>
        <ShownText text={text.slice(start, end)} showsSpace={showsSpace} />
      </mark>
      <ShownText text={text.slice(end)} showsSpace={showsSpace} />
    </>
  );
}
