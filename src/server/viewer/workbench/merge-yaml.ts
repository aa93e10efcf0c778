import { isMap, isNode, isScalar, isSeq, type Node, Pair, type YAMLMap, type YAMLSeq } from 'yaml';

/** A node with the values of another one, and its own comments wherever they still belong to something. */
export function mergedNode(node: unknown, edited: Node): Node {
  if (isMap<unknown, Node>(node) && isMap<unknown, Node>(edited)) return mergedMap(node, edited);
  if (isSeq<Node>(node) && isSeq<Node>(edited)) return mergedList(node, edited);
  if (isScalar(node) && isScalar(edited) && Object.is(node.value, edited.value)) return node;
  return isNode(node) ? withComments(edited, node) : edited;
}

/** The order of keys may mean something, such as that of labels: where it changed, all of the map is new. */
function mergedMap(node: YAMLMap<unknown, Node>, edited: YAMLMap<unknown, Node>): Node {
  const names = edited.items.map(({ key }) => nameOf(key));
  const kept = node.items.filter(({ key }) => names.includes(nameOf(key)));
  const keptNames = kept.map(({ key }) => nameOf(key));
  const isOrdered =
    names.filter((name) => keptNames.includes(name)).join('\n') === keptNames.join('\n');
  if (!isOrdered) return withComments(edited, node);
  node.items = edited.items.map(({ key, value }) => {
    const own = kept.find((pair) => nameOf(pair.key) === nameOf(key));
    if (!own) return new Pair(key, value);
    own.value = value === null ? value : mergedNode(own.value, value);
    return own;
  });
  return node;
}

/** Items that are the same from either end stay as they are; the others are merged one by one if they are as many. */
function mergedList(node: YAMLSeq<Node>, edited: YAMLSeq<Node>): Node {
  const [before, after] = [node.items, edited.items];
  if (before.length === after.length) {
    node.items = after.map((item, place) => mergedNode(before[place], item));
    return node;
  }
  const isSame = (left: Node | undefined, right: Node | undefined) =>
    JSON.stringify(left) === JSON.stringify(right);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
  node.items = [
    ...before.slice(0, start),
    ...after.slice(start, after.length - end),
    ...before.slice(before.length - end),
  ];
  return node;
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function withComments(edited: Node, { comment, commentBefore, spaceBefore }: Node): Node {
  if (comment && !edited.comment) edited.comment = comment;
  if (commentBefore && !edited.commentBefore) edited.commentBefore = commentBefore;
  if (spaceBefore) edited.spaceBefore = spaceBefore;
  return edited;
}
