import { mapNodes } from '../answer.ts';
import type { SingleBody } from '../template.ts';

/** A template that shows the media of some turns of a dialogue, which may have none. */
export function withLooseMedia<Body extends SingleBody>(body: Body): Body {
  return mapNodes(body, (nodes) =>
    nodes.map((node) => (node.type === 'parts' ? { ...node, isLoose: true } : node)),
  );
}

/**
 * A template that is filled with what others wrote: fields of theirs are never read for media, and what
 * a row says may be shown more than once.
 */
export function withForeignTexts(isForeign: (field: string) => boolean) {
  return <Body extends SingleBody>(body: Body): Body =>
    mapNodes(body, (nodes) =>
      nodes.map((node) => (node.type === 'parts' ? { ...node, isForeign } : node)),
    );
}
