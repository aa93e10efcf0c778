import type { ConfigPath } from '../errors.ts';
import { type Node, textNode, tokensNode } from './node.ts';
import type { Origin, TemplatePosition } from './origin.ts';
import { wrongType } from './parse-keys.ts';

/** Reads a `begin` or `end`: a string, or a list of strings and token ids. */
export function parseAffix(
  value: unknown,
  path: ConfigPath,
  originAt: (at: TemplatePosition) => Origin,
): Node[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') {
    return value === '' ? [] : [textNode(value, originAt({ path, start: 0 }))];
  }
  if (!Array.isArray(value))
    throw wrongType(value, path, 'a string or a list of strings and token ids');
  return value.map((item, index) => {
    const itemPath = [...path, index];
    const origin = originAt({ path: itemPath, start: 0 });
    if (typeof item === 'string') return textNode(item, origin);
    if (typeof item === 'number' && Number.isInteger(item) && item >= 0)
      return tokensNode([item], origin);
    throw wrongType(item, itemPath, 'a string or a token id');
  });
}
