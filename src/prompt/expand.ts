import { DataError } from '../errors.ts';
import { describeType, getKey, isMapping } from './mapping.ts';
import type { ExpandNode, Node } from './node.ts';
import type { Row } from './values.ts';

interface ExpandedMessage {
  readonly role: string;
  readonly begin: string;
  readonly content: string;
  readonly end: string;
  readonly beginNodes: readonly Node[];
  readonly endNodes: readonly Node[];
}

/** The messages in a row's column, checked. */
export function expandColumn(node: ExpandNode, row: Row): ExpandedMessage[] {
  const value = Object.hasOwn(row, node.column) ? row[node.column] : undefined;
  if (!Array.isArray(value)) {
    throw new DataError(
      'data.not_messages',
      `column \`${node.column}\` must be a list of {role, content}, not ${describeType(value)}`,
      { path: node.at.path, hint: 'The template expands this column into messages.' },
    );
  }
  return value.map((message: unknown, index) => {
    const role = isMapping(message) ? getKey(message, 'role') : undefined;
    const content = isMapping(message) ? getKey(message, 'content') : undefined;
    if (typeof role !== 'string' || typeof content !== 'string') {
      throw new DataError(
        'data.not_messages',
        `column \`${node.column}\`: entry ${index} is not a {role, content} whose values are both text`,
        { path: node.at.path },
      );
    }
    const affixes = node.affixes.get(role);
    const beginNodes = affixes?.begin ?? [];
    const endNodes = affixes?.end ?? [];
    return {
      role,
      content,
      beginNodes,
      endNodes,
      begin: textOf(beginNodes),
      end: textOf(endNodes),
    };
  });
}

function textOf(nodes: readonly Node[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.span.text : '')).join('');
}
