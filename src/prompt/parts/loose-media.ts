import type { Item, SingleBody } from '../template.ts';

/** A template that shows the media of some turns of a dialogue, which may have none. */
export function withLooseMedia<Body extends SingleBody>(body: Body): Body {
  const change = (items: readonly Item[]) =>
    items.map((item) =>
      item.type === 'turn' && item.prompt
        ? {
            ...item,
            prompt: item.prompt.map((node) =>
              node.type === 'parts' ? { ...node, isLoose: true as const } : node,
            ),
          }
        : item,
    );
  if (body.type === 'string') return body;
  if (body.type === 'messages') return { ...body, items: change(body.items) };
  return { ...body, begin: change(body.begin), round: change(body.round), end: change(body.end) };
}
