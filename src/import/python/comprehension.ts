import type { Comprehension, ExprNode } from 'py-ast';
import { isTruthy, MutableDict, type PyValue } from '../../python/values.ts';
import { compileTarget, namesIn } from './assign.ts';
import { type Context, compileExpression, type Evaluate, notAvailable } from './compile-context.ts';
import type { Frame, Scope } from './frame.ts';
import { machine, spendItems, spendSteps } from './machine.ts';
import { PyIterator, PySet } from './objects.ts';
import { iterate } from './operations.ts';
import { type Node, placeOf } from './syntax.ts';

type ComprehensionNode =
  | Node<'ListComp'>
  | Node<'SetComp'>
  | Node<'DictComp'>
  | Node<'GeneratorExp'>;

interface Clause {
  readonly items: Evaluate;
  readonly store: (frame: Frame, value: PyValue) => void;
  readonly conditions: readonly Evaluate[];
}

export function compileComprehension(node: ComprehensionNode, context: Context): Evaluate {
  const generators = node.generators as readonly Comprehension[];
  const [outermost] = generators;
  if (!outermost || generators.some(({ is_async }) => is_async)) {
    throw notAvailable(context, node, 'an asynchronous comprehension');
  }
  const scope: Scope = {
    kind: 'comprehension',
    locals: new Set(generators.flatMap(({ target }) => namesIn(target))),
    globals: new Set(),
    parent: context.scope,
  };
  const inner = { ...context, scope };
  const place = placeOf(context.unit, node);
  const start = compileExpression(outermost.iter, context);
  const clauses = generators.map(({ target, iter, ifs }) => ({
    items: compileExpression(iter, inner),
    store: compileTarget(target, inner),
    conditions: ifs.map((test: ExprNode) => compileExpression(test, inner)),
  }));
  const begin = (frame: Frame) => {
    const items = start(frame);
    machine.at = place;
    const source = iterate(items);
    const own: Frame = { names: new Map(), outer: frame, globals: frame.globals };
    return walk(clauses, { index: 0, source, frame: own });
  };
  return collect(node, { begin, context: inner });
}

function* walk(
  clauses: readonly Clause[],
  { index, source, frame }: { index: number; source: Iterator<PyValue>; frame: Frame },
): Generator<Frame> {
  const clause = clauses[index] as Clause;
  for (let next = source.next(); !next.done; next = source.next()) {
    spendSteps(1);
    clause.store(frame, next.value);
    if (!clause.conditions.every((test) => isTruthy(test(frame)))) continue;
    const below = clauses[index + 1];
    if (!below) yield frame;
    else yield* walk(clauses, { index: index + 1, source: iterate(below.items(frame)), frame });
  }
}

function collect(
  node: ComprehensionNode,
  { begin, context }: { begin: (frame: Frame) => Generator<Frame>; context: Context },
): Evaluate {
  if (node.nodeType === 'DictComp') {
    const [key, value] = [
      compileExpression(node.key, context),
      compileExpression(node.value, context),
    ];
    return (frame) => {
      const dict = new MutableDict([]);
      for (const own of begin(frame)) {
        spendItems(1);
        const name = key(own);
        dict.set(name, value(own));
      }
      return dict;
    };
  }
  const element = compileExpression(node.elt, context);
  if (node.nodeType === 'GeneratorExp') {
    return (frame) => new PyIterator('generator', elements(begin(frame), element));
  }
  const list = (frame: Frame) => {
    const items: PyValue[] = [];
    for (const own of begin(frame)) {
      spendItems(1);
      items.push(element(own));
    }
    return items;
  };
  return node.nodeType === 'ListComp' ? list : (frame) => new PySet(list(frame));
}

function* elements(frames: Generator<Frame>, element: Evaluate): Generator<PyValue> {
  for (const frame of frames) yield element(frame);
}
