import type { ExprNode, StmtNode } from 'py-ast';
import { isTruthy, PyTuple } from '../../python/values.ts';
import { type BinaryOperator, inPlace } from './arithmetic.ts';
import { compileDelete, compileTarget } from './assign.ts';
import { exceptionClass, makeException } from './classes.ts';
import {
  type Context,
  compileBlock,
  compileExpression,
  compileStatement,
  type Execute,
  isReturn,
  notAvailable,
  type Signal,
} from './compile-context.ts';
import { compileFunction } from './compile-function.ts';
import { compileMatch } from './compile-match.ts';
import { toText } from './formatting.ts';
import { deleteName, type Frame, storeName } from './frame.ts';
import { asRaised, machine, PyException, Raised, raise, spendSteps } from './machine.ts';
import { PyClass, PyReference } from './objects.ts';
import { iterate } from './operations.ts';
import { type Node, placeOf, syntaxError } from './syntax.ts';
import { compileWithItems } from './with-items.ts';

export function blockOf(nodes: readonly StmtNode[], context: Context): Execute {
  const statements = nodes.map((node) => compileStatement(node, context));
  const places = nodes.map((node) => placeOf(context.unit, node));
  return (frame) => {
    for (let index = 0; index < statements.length; index++) {
      spendSteps(1);
      machine.at = places[index];
      const signal = (statements[index] as Execute)(frame);
      if (signal) return signal;
    }
    return undefined;
  };
}

export function statementOf(node: StmtNode, context: Context): Execute {
  switch (node.nodeType) {
    case 'Expr': {
      const value = compileExpression(node.value, context);
      return (frame) => {
        value(frame);
        return undefined;
      };
    }
    case 'Assign':
      return compileAssign(node, context);
    case 'AugAssign':
      return compileAugmented(node, context);
    case 'AnnAssign': {
      if (!node.value) return () => undefined;
      const [value, store] = [
        compileExpression(node.value, context),
        compileTarget(node.target, context),
      ];
      return (frame) => {
        store(frame, value(frame));
        return undefined;
      };
    }
    case 'For':
      return compileFor(node, context);
    case 'While':
      return compileWhile(node, context);
    case 'If': {
      const test = compileExpression(node.test, context);
      const [body, other] = [compileBlock(node.body, context), compileBlock(node.orelse, context)];
      return (frame) => (isTruthy(test(frame)) ? body(frame) : other(frame));
    }
    case 'FunctionDef': {
      const made = compileFunction(node, context);
      const store = storeName(context.scope, node.name);
      return (frame) => {
        store(frame, made(frame));
        return undefined;
      };
    }
    case 'Return': {
      if (context.scope.kind === 'module')
        throw outside(node, context, "'return' outside function");
      const value = node.value ? compileExpression(node.value, context) : () => null;
      return (frame) => ({ value: value(frame) });
    }
    case 'Import':
    case 'ImportFrom':
      return compileImport(node, context);
    case 'With':
      return compileWith(node, context);
    case 'Try':
      return compileTry(node, context);
    case 'Raise':
      return compileRaise(node, context);
    case 'Assert':
      return compileAssert(node, context);
    case 'Delete': {
      const parts = node.targets.map((target: ExprNode) => compileDelete(target, context));
      return (frame) => {
        for (const part of parts) part(frame);
        return undefined;
      };
    }
    case 'Match':
      return compileMatch(node, context);
    case 'ClassDef':
      return compileClass(node, context);
    case 'Break':
      return () => 'break';
    case 'Continue':
      return () => 'continue';
    case 'Pass':
    case 'Global':
    case 'Nonlocal':
    case 'Comment':
      return () => undefined;
    default:
      throw notAvailable(context, node, `\`${node.nodeType}\``);
  }
}

function outside(node: StmtNode, context: Context, message: string): Raised {
  return syntaxError(context.unit, message, [node.lineno ?? 1, node.col_offset ?? 0]);
}

function compileAssign(node: Node<'Assign'>, context: Context): Execute {
  const value = compileExpression(node.value, context);
  const stores = node.targets.map((target: ExprNode) => compileTarget(target, context));
  return (frame) => {
    const result = value(frame);
    for (const store of stores) store(frame, result);
    return undefined;
  };
}

function compileAugmented(node: Node<'AugAssign'>, context: Context): Execute {
  const target = node.target;
  const load = compileExpression({ ...target, ctx: { nodeType: 'Load' } } as ExprNode, context);
  const [store, value] = [compileTarget(target, context), compileExpression(node.value, context)];
  const operator = node.op.nodeType as BinaryOperator;
  const place = placeOf(context.unit, node);
  return (frame) => {
    const before = load(frame);
    const by = value(frame);
    machine.at = place;
    store(frame, inPlace(operator, before, by));
    return undefined;
  };
}

function compileFor(node: Node<'For'>, context: Context): Execute {
  const [items, store] = [
    compileExpression(node.iter, context),
    compileTarget(node.target, context),
  ];
  const [body, other] = [compileBlock(node.body, context), compileBlock(node.orelse, context)];
  const place = placeOf(context.unit, node);
  return (frame) => {
    const all = items(frame);
    machine.at = place;
    const source = iterate(all);
    for (;;) {
      machine.at = place;
      const next = source.next();
      if (next.done) break;
      spendSteps(1);
      store(frame, next.value);
      const signal = body(frame);
      if (signal === 'break') return undefined;
      if (isReturn(signal)) return signal;
    }
    return other(frame);
  };
}

function compileWhile(node: Node<'While'>, context: Context): Execute {
  const test = compileExpression(node.test, context);
  const [body, other] = [compileBlock(node.body, context), compileBlock(node.orelse, context)];
  return (frame) => {
    while (isTruthy(test(frame))) {
      spendSteps(1);
      const signal = body(frame);
      if (signal === 'break') return undefined;
      if (isReturn(signal)) return signal;
    }
    return other(frame);
  };
}

function compileImport(node: Node<'Import'> | Node<'ImportFrom'>, context: Context): Execute {
  const bindings = context.importer(node).map(([name, value]) => ({
    store: storeName(context.scope, name),
    value,
  }));
  return (frame) => {
    for (const { store, value } of bindings) store(frame, value());
    return undefined;
  };
}

function compileWith(node: Node<'With'>, context: Context): Execute {
  const enter = compileWithItems(node, context);
  const body = compileBlock(node.body, context);
  return (frame) => {
    enter(frame);
    return body(frame);
  };
}

interface Handler {
  readonly matches: (frame: Frame, type: string) => boolean;
  readonly bind: (frame: Frame, exception: PyException) => void;
  readonly unbind: (frame: Frame) => void;
  readonly run: Execute;
}

const handling: Raised[] = [];

function compileTry(node: Node<'Try'>, context: Context): Execute {
  const [body, other, last] = [node.body, node.orelse, node.finalbody].map((block) =>
    compileBlock(block, context),
  ) as [Execute, Execute, Execute];
  const handlers = node.handlers.map((handler) => compileHandler(handler, context));
  const attempt = (frame: Frame): Signal => {
    const { depth } = machine;
    let signal: Signal;
    try {
      signal = body(frame);
    } catch (error) {
      const raised = asRaised(error);
      if (!raised) throw error;
      machine.depth = depth;
      return handle(raised, handlers, frame);
    }
    return signal ?? other(frame);
  };
  return (frame) => {
    let signal: Signal;
    try {
      signal = attempt(frame);
    } catch (error) {
      if (!asRaised(error)) throw error;
      const ended = last(frame);
      if (ended) return ended;
      throw error;
    }
    return last(frame) ?? signal;
  };
}

function handle(raised: Raised, handlers: readonly Handler[], frame: Frame): Signal {
  const handler = handlers.find(({ matches }) => matches(frame, raised.type));
  if (!handler) throw raised;
  handling.push(raised);
  try {
    handler.bind(
      frame,
      raised.exception ?? makeException(raised.type, [raised.message], raised.message),
    );
    const signal = handler.run(frame);
    handler.unbind(frame);
    return signal;
  } finally {
    handling.pop();
  }
}

function compileHandler(node: Node<'Try'>['handlers'][number], context: Context): Handler {
  const type = node.type && compileExpression(node.type, context);
  const store = node.name ? storeName(context.scope, node.name) : undefined;
  const drop = node.name ? deleteName(context.scope, node.name) : undefined;
  return {
    matches: (frame, name) => {
      if (!type) return true;
      const wanted = type(frame);
      const classes = wanted instanceof PyTuple ? wanted.items : [wanted];
      const own = exceptionClass(name);
      return classes.some((item) => item instanceof PyClass && own.isUnder(item));
    },
    bind: (frame, exception) => store?.(frame, exception),
    unbind: (frame) => {
      try {
        drop?.(frame);
      } catch (error) {
        if (asRaised(error)?.type !== 'NameError') throw error;
      }
    },
    run: compileBlock(node.body, context),
  };
}

function compileRaise(node: Node<'Raise'>, context: Context): Execute {
  const value = node.exc && compileExpression(node.exc, context);
  const place = placeOf(context.unit, node);
  return (frame) => {
    const thrown = value?.(frame);
    machine.at = place;
    if (thrown === undefined) {
      const current = handling.at(-1);
      if (current) throw current;
      return raise('RuntimeError', 'No active exception to reraise');
    }
    const exception =
      thrown instanceof PyClass ? thrown.call({ positional: [], named: new Map() }) : thrown;
    if (exception instanceof PyReference)
      return raise('TypeError', 'exceptions must derive from BaseException');
    if (!(exception instanceof PyException))
      return raise('TypeError', 'exceptions must derive from BaseException');
    throw new Raised(exception.className, toText(exception), { exception });
  };
}

function compileAssert(node: Node<'Assert'>, context: Context): Execute {
  const test = compileExpression(node.test, context);
  const message = node.msg && compileExpression(node.msg, context);
  const place = placeOf(context.unit, node);
  return (frame) => {
    if (isTruthy(test(frame))) return undefined;
    const said = message?.(frame);
    machine.at = place;
    const args = said === undefined ? [] : [said];
    throw new Raised('AssertionError', said === undefined ? '' : toText(said), {
      exception: makeException('AssertionError', args),
    });
  };
}

/** Classes are no part of what is read; one that comes from a named class cannot be made at all. */
function compileClass(node: Node<'ClassDef'>, context: Context): Execute {
  const bases = node.bases.map((base: ExprNode) => compileExpression(base, context));
  return (frame) => {
    const found = bases.map((base) => base(frame));
    machine.at = placeOf(context.unit, node);
    if (found.some((base) => base instanceof PyReference)) {
      return raise('RuntimeError', `the class \`${node.name}\` extends a class of another package`);
    }
    throw notAvailable(context, node, 'a class');
  };
}
