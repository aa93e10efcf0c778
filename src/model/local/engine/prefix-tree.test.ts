import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CacheShape, type KvBlock, putBlocks, takeBlock } from './kv-block.ts';
import { type PrefixNode, PrefixTree } from './prefix-tree.ts';

const shape: CacheShape = { parts: 2, heads: 2, size: 1, type: 'float32' };

/** A block whose elements tell the token they stand for. */
function blockOf(tokens: Int32Array): KvBlock {
  const data = Float32Array.from([...tokens, ...tokens, ...tokens, ...tokens]);
  return { data, stride: tokens.length, length: tokens.length };
}

function read(tree: PrefixTree, node: PrefixNode): number {
  const missing = node.path().filter(({ block }) => !block);
  for (const part of missing) tree.fill(part, blockOf(part.tokens));
  return missing.reduce((sum, { tokens }) => sum + tokens.length, 0);
}

const contentOf = (node: PrefixNode) =>
  node.path().flatMap(({ block }) => [...(block?.data.subarray(0, block.length) ?? [])]);

const ids = (text: string) => Int32Array.from(text, (letter) => letter.charCodeAt(0));

it('reads a shared prefix once', () => {
  const tree = new PrefixTree(100, shape);
  const counts = ['abcdef', 'abcxyz', 'abcdef', 'ab', 'abcdefgh', 'q', ''].map((text) =>
    read(tree, tree.hold(ids(text))),
  );
  expect(counts).toEqual([6, 3, 0, 0, 2, 1, 0]);
  expect(tree.storedTokens).toBe(12);
});

it('keeps what is held, and lets go of what was used longest ago', () => {
  const tree = new PrefixTree(8, shape);
  const held = tree.hold(ids('aaaa'));
  read(tree, held);
  for (const text of ['bbbb', 'cccc', 'dddd']) {
    const node = tree.hold(ids(text));
    read(tree, node);
    tree.release(node);
  }
  expect(tree.storedTokens).toBe(8);
  const again = ['aaaa', 'dddd', 'cccc'].map((text) => {
    const node = tree.hold(ids(text));
    const count = read(tree, node);
    tree.release(node);
    return count;
  });
  expect(again).toEqual([0, 0, 4]);
});

it('forgets prefixes that were never read', () => {
  const tree = new PrefixTree(8, shape);
  const first = tree.hold(ids('abcd'));
  const second = tree.hold(ids('abxy'));
  expect(tree.heldTokens).toBe(6);
  tree.release(first);
  expect(tree.heldTokens).toBe(4);
  tree.release(second);
  expect([tree.heldTokens, tree.storedTokens]).toEqual([0, 0]);
});

it('knows every held text whatever else is held, read, split or let go of', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.record({ text, keep: fc.boolean() })), (steps) => {
      const tree = new PrefixTree(20, shape);
      const kept: { node: PrefixNode; text: string }[] = [];
      for (const { text, keep } of steps) {
        const node = tree.hold(ids(text));
        read(tree, node);
        kept.push({ node, text });
        if (!keep) tree.release((kept.shift() as { node: PrefixNode }).node);
        for (const { node, text } of kept) expect(contentOf(node)).toEqual([...ids(text)]);
        expect(tree.storedTokens).toBeLessThanOrEqual(Math.max(20, tree.heldTokens));
      }
      for (const { node } of kept) tree.release(node);
      expect(tree.heldTokens).toBe(0);
      expect(tree.storedTokens).toBeLessThanOrEqual(20);
    }),
  );
});

it('blocks go into a batch and come out again', () => {
  const blocks = [blockOf(ids('ab')), blockOf(ids('cde'))];
  const batch = [new Float32Array(2 * 2 * 9), new Float32Array(2 * 2 * 9)];
  putBlocks({ batch, row: 1, stride: 9, end: 7 }, blocks, shape);
  const position = { row: 1, stride: 9, start: 2, length: 5 };
  expect(takeBlock(batch, position, shape)).toEqual(blockOf(ids('abcde')));
  expect(batch[0]?.filter(Boolean).length).toBe(10);
});
