import type { PartsNode } from '../node.ts';
import { type Item, nodesOf, type SingleBody } from '../template.ts';
import type { Row } from '../values.ts';
import type { MediaPart } from './content.ts';
import { isTagged } from './tagged-content.ts';
import { traceParts } from './trace-parts.ts';
import { type TurnMedia, turnMedia } from './turn-media.ts';

/** The media that a template shows, and the columns of the text beside them. */
export function mediaOfBody(body: SingleBody): TurnMedia {
  if (body.type === 'string') return { parts: [], texts: [] };
  const items: readonly Item[] =
    body.type === 'dialogue' ? [...body.begin, ...body.round, ...body.end] : body.items;
  return turnMedia(items);
}

/** The media that a template names in a row, whichever turn they belong to. */
export function namedMedia(body: SingleBody, row: Row): MediaPart[] {
  const { texts } = mediaOfBody(body);
  const bare = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      texts.includes(name)
        ? ''
        : Array.isArray(value)
          ? value.flat(Number.POSITIVE_INFINITY)
          : value,
    ]),
  );
  const tagged = texts.flatMap((name) =>
    [row[name]]
      .flat(Number.POSITIVE_INFINITY)
      .flatMap((text) => (isTagged(text) ? [{ ...bare, [name]: text }] : [])),
  );
  const nodes = [...nodesOf(body)].flatMap((node) => (node.type === 'parts' ? [node] : []));
  return nodes.flatMap((node) => [bare, ...tagged].flatMap((said) => mediaIn(node, said)));
}

function mediaIn(node: PartsNode, row: Row): MediaPart[] {
  const spans = traceParts({ ...node, isTurn: true }, { id: '', row });
  return spans.flatMap(({ media }) => (media ? [media] : []));
}
