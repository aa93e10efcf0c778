import type { ExprNode, StmtNode } from 'py-ast';
import { isTruthy, type PyValue } from '../../python/values.ts';
import { compileTarget } from './assign.ts';
import {
  blocksOf,
  type Context,
  compileExpression,
  compileStatement,
  isReturn,
  type Signal,
} from './compile-context.ts';
import type { Frame } from './frame.ts';
import { spendSteps } from './machine.ts';
import { iterate } from './operations.ts';
import { compileWithItems } from './with-items.ts';

type Produce = (frame: Frame) => Generator<PyValue, Signal>;

/** Whether a function with this body gives its values one by one. */
export function hasYield(nodes: readonly StmtNode[]): boolean {
  return nodes.some((node) => yielded(node) !== undefined || blocksOf(node).some(hasYield));
}

type YieldNode = Extract<ExprNode, { nodeType: 'Yield' | 'YieldFrom' }>;

/** What a statement yields; a `yield` deeper in an expression is refused where it is compiled. */
function yielded(node: StmtNode): YieldNode | undefined {
  const value = node.nodeType === 'Expr' || node.nodeType === 'Assign' ? node.value : undefined;
  return value?.nodeType === 'Yield' || value?.nodeType === 'YieldFrom' ? value : undefined;
}

export function compileGeneratorBlock(nodes: readonly StmtNode[], context: Context): Produce {
  const statements = nodes.map((node) => compileProducer(node, context));
  return function* run(frame) {
    for (const statement of statements) {
      spendSteps(1);
      const signal = yield* statement(frame);
      if (signal) return signal;
    }
    return undefined;
  };
}

function compileProducer(node: StmtNode, context: Context): Produce {
  const given = yielded(node);
  if (given) return compileYield(node, given, context);
  if (!hasYield([node])) {
    const run = compileStatement(node, context);
    // biome-ignore lint/correctness/useYield: most statements of a generator give nothing
    return function* plain(frame) {
      return run(frame);
    };
  }
  const blocks = blocksOf(node).map((block) => compileGeneratorBlock(block, context));
  const [body, other] = blocks as [Produce, Produce];
  switch (node.nodeType) {
    case 'If': {
      const test = compileExpression(node.test, context);
      return (frame) => (isTruthy(test(frame)) ? body(frame) : other(frame));
    }
    case 'While': {
      const test = compileExpression(node.test, context);
      return (frame) => loop(frame, { next: () => isTruthy(test(frame)), body, other });
    }
    case 'For': {
      const [items, store] = [
        compileExpression(node.iter, context),
        compileTarget(node.target, context),
      ];
      return (frame) => {
        const source = iterate(items(frame));
        const next = () => {
          const item = source.next();
          if (!item.done) store(frame, item.value);
          return !item.done;
        };
        return loop(frame, { next, body, other });
      };
    }
    case 'With': {
      const enter = compileWithItems(node, context);
      return (frame) => {
        enter(frame);
        return body(frame);
      };
    }
    default:
      // Says that it cannot be used, at the right place.
      return compileProducer({ ...node, nodeType: 'AsyncFor' } as unknown as StmtNode, context);
  }
}

function compileYield(node: StmtNode, given: YieldNode, context: Context): Produce {
  const value = given.value ? compileExpression(given.value, context) : () => null;
  const stores =
    node.nodeType === 'Assign' ? node.targets.map((target) => compileTarget(target, context)) : [];
  return function* produce(frame) {
    if (given.nodeType === 'YieldFrom') {
      const source = iterate(value(frame));
      for (let next = source.next(); !next.done; next = source.next()) yield next.value;
    } else yield value(frame);
    for (const store of stores) store(frame, null);
    return undefined;
  };
}

function* loop(
  frame: Frame,
  { next, body, other }: { next: () => boolean; body: Produce; other: Produce },
): Generator<PyValue, Signal> {
  while (next()) {
    spendSteps(1);
    const signal = yield* body(frame);
    if (signal === 'break') return undefined;
    if (isReturn(signal)) return signal;
  }
  return yield* other(frame);
}
