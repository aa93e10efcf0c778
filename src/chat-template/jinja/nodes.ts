import type { Binary, Identifier, Member, Node } from './library.ts';

/** The left side of an operation, if it is one of these operations and not in parentheses. */
export function partInGroup(
  node: Binary,
  isOne: (operator: string) => boolean,
): Binary | undefined {
  if (node.left.type !== 'BinaryExpression') return undefined;
  const left = node.left as Binary;
  const isSame = left.operator.group === node.operator.group;
  return isSame && isOne(left.operator.value) ? left : undefined;
}

/** The source of a simple expression, for messages. */
export function describe(node: Node): string {
  if (node.type === 'Identifier') return (node as Identifier).value;
  if (node.type !== 'MemberExpression') return 'the value';
  const { object, property, computed } = node as Member;
  const key = (property as Partial<Identifier>).value;
  if (!computed) return `${describe(object)}.${key}`;
  return `${describe(object)}[${key === undefined ? '…' : JSON.stringify(key)}]`;
}
