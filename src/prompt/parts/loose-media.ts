import { mapNodes } from '../answer.ts';
import type { SingleBody } from '../template.ts';

/** A template that shows the media of some turns of a dialogue, which may have none. */
export function withLooseMedia<Body extends SingleBody>(body: Body): Body {
  return mapNodes(body, (nodes) =>
    nodes.map((node) => (node.type === 'parts' ? { ...node, isLoose: true } : node)),
  );
}
